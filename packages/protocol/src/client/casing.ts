/**
 * snake_case on the wire, camelCase in programs, for declared members only: a shape says which members hold further
 * declared objects, and whatever else is inside (context, data, forms, schemas, metadata) is passed on as it is.
 */

import type { AnswerIn, CancelIn } from "../wire/answer.ts";
import type { ClaimDoneIn, ClaimIn, ClaimOut } from "../wire/claim.ts";
import type { EventListOut, EventOut } from "../wire/event.ts";
import type { CheckIn, CheckOut, StandingCallsIn } from "../wire/gating.ts";
import type { GroupAnswerIn, GroupIn, GroupOut } from "../wire/group.ts";
import type { HoldListOut, HoldOut } from "../wire/hold.ts";
import type { LinkIn, LinkListOut, LinkOut } from "../wire/link.ts";
import type { OutcomeOut } from "../wire/outcome.ts";
import type { PlaceIn } from "../wire/place.ts";
import type { SkipIn, SkipOut } from "../wire/skip.ts";
import type { ThreadIn, ThreadOut } from "../wire/thread.ts";
import type { Check, CheckGiven, StandingCalls } from "./check-client.ts";
import type { Thread, ThreadGiven } from "./thread-client.ts";
import type {
  AnswerGiven,
  CancelGiven,
  Claim,
  ClaimGiven,
  ClaimResult,
  Group,
  GroupEntry,
  GroupPlace,
  Hold,
  HoldEvent,
  HoldPage,
  Link,
  LinkGiven,
  Outcome,
  Place,
  Skip,
  SkipGiven,
} from "./types.ts";

/** Members, by their wire names, that hold declared objects or lists of them. All other values are left alone. */
export interface Shape {
  readonly [member: string]: Shape;
}

const FLAT: Shape = {};
const OUTCOME: Shape = { by: FLAT, cancelled_by: FLAT, default: FLAT };
const HOLD: Shape = {
  progress: FLAT,
  on_timeout: FLAT,
  ladder: FLAT,
  comments: { by: FLAT },
  snoozed: FLAT,
  decision: FLAT,
  claim: FLAT,
  revoked: { by: FLAT },
  outcome: OUTCOME,
};
const PLACE: Shape = { on_timeout: FLAT, ladder: FLAT, decision: FLAT };
const GIVEN: Shape = { claimed: FLAT };
const ANSWER: Shape = { ...GIVEN, grant: FLAT };
const CHECK: Shape = { rule: FLAT, shadow: { rule: FLAT }, hold: HOLD };

/** By schema name: which shape each wire type has. */
export const SHAPES = {
  PlaceIn: PLACE,
  AnswerIn: ANSWER,
  CheckIn: { local_rules: FLAT },
  StandingCallsIn: { local_rules: FLAT },
  CheckOut: CHECK,
  CancelIn: GIVEN,
  ClaimIn: FLAT,
  ClaimDoneIn: FLAT,
  GroupIn: { holds: PLACE },
  GroupAnswerIn: { entries: GIVEN },
  LinkIn: FLAT,
  SkipIn: FLAT,
  SkipOut: FLAT,
  ThreadIn: FLAT,
  ThreadOut: FLAT,
  HoldOut: HOLD,
  HoldListOut: { holds: HOLD },
  OutcomeOut: OUTCOME,
  ClaimOut: FLAT,
  EventOut: FLAT,
  EventListOut: { events: FLAT },
  GroupOut: { holds: HOLD },
  LinkOut: FLAT,
  LinkListOut: { links: FLAT },
} as const satisfies Readonly<Record<string, Shape>>;

interface Sent {
  PlaceIn: [Place, PlaceIn];
  AnswerIn: [AnswerGiven, AnswerIn];
  CheckIn: [CheckGiven, CheckIn];
  StandingCallsIn: [StandingCalls, StandingCallsIn];
  CancelIn: [CancelGiven, CancelIn];
  ClaimIn: [ClaimGiven, ClaimIn];
  ClaimDoneIn: [ClaimResult, ClaimDoneIn];
  GroupIn: [GroupPlace, GroupIn];
  GroupAnswerIn: [{ readonly entries: readonly GroupEntry[] }, GroupAnswerIn];
  LinkIn: [LinkGiven, LinkIn];
  SkipIn: [SkipGiven, SkipIn];
  ThreadIn: [ThreadGiven, ThreadIn];
}

/** By schema name: the wire type and the type that programs see. */
export interface Received {
  HoldOut: [HoldOut, Hold];
  HoldListOut: [HoldListOut, HoldPage];
  CheckOut: [CheckOut, Check];
  OutcomeOut: [OutcomeOut, Outcome];
  ClaimOut: [ClaimOut, Claim];
  EventOut: [EventOut, HoldEvent];
  EventListOut: [EventListOut, { readonly events: readonly HoldEvent[]; readonly nextAfter?: number }];
  GroupOut: [GroupOut, Group];
  LinkOut: [LinkOut, Link];
  SkipOut: [SkipOut, Skip];
  ThreadOut: [ThreadOut, Thread];
  LinkListOut: [LinkListOut, { readonly links: readonly Link[] }];
}

export function toWire<Name extends keyof Sent>(name: Name, value: Sent[Name][0]): Sent[Name][1] {
  return rename(value, SHAPES[name], snake) as Sent[Name][1];
}

export function fromWire<Name extends keyof Received>(
  name: Name,
  value: Received[Name][0],
): Received[Name][1] {
  return rename(value, SHAPES[name], camel) as Received[Name][1];
}

/** The same as `fromWire("HoldOut", …)` without the other shapes: a reviewer's phone loads only this. */
export function holdFromWire(hold: HoldOut): Hold {
  return rename(hold, HOLD, camel) as Hold;
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function rename(value: unknown, shape: Shape, to: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, shape, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const inner = Object.hasOwn(shape, snake(name)) ? shape[snake(name)] : undefined;
      return [to(name), inner === undefined ? held : rename(held, inner, to)];
    }),
  );
}
