/** What people do with a hold besides answering it: assign it, give it more time, put it off for themselves. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { currentPerson } from "../people/person.ts";
import { mayOperate, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { about } from "./about.ts";
import type { AssignHold, ExtendHold, Moment, SnoozeHold } from "./commands.ts";
import { findOpenHold } from "./guard.ts";
import type { Hold } from "./hold.ts";
import { routeNeeds } from "./route.ts";

const DAY_MS = 86_400_000;
/** A hold that waits longer than this is a hold that nobody wants to answer. */
export const EXTEND_MAX_MS = 90 * DAY_MS;
export const SNOOZE_MAX_MS = 30 * DAY_MS;

export function assignNeeds({ to }: AssignHold, world: World): readonly Need[] {
  return to === undefined ? [] : routeNeeds([`person:${to}`], world);
}

/** Says who takes care of the hold. Anybody who could answer before still can. */
export function assignHold(command: AssignHold, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  const { by, to } = command;
  const denied = whyNotDesk(by, "assign") ?? whyNotAssigned(to, by, draft);
  if (denied !== null) return refuse(denied);
  if (hold.assignee === to) return accept(hold.id);
  // A person who takes a hold knows it; one who is handed a hold is told.
  const isTold = to !== undefined && to !== by.name;
  const fact = {
    type: "hold.assigned",
    ...(to === undefined ? {} : { assignee: to }),
    ...(isTold ? { isTold } : {}),
  } as const;
  draft.state(about(hold, fact, context.now, by));
  return accept(hold.id);
}

function whyNotAssigned(to: string | undefined, by: Principal, world: World): Failure | null {
  if (to === undefined || to === by.name) return null;
  const person = currentPerson(world, to);
  if (person?.status === "active" && person.role !== "auditor") return null;
  return failure("unknown_person", `there is no active person ${to} who may answer`);
}

/** Moves the expiry. A deadline of what the hold is attached to stays, and still ends the hold. */
export function extendHold(command: ExtendHold, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  const denied = whyNotDesk(command.by, "extend");
  if (denied !== null) return refuse(denied);
  if (hold.expiresAt === undefined)
    return refuse(failure("not_extendable", "this hold never expires, so it needs no more time"));
  const expiresAt = momentFrom(command.to, hold.expiresAt);
  if (expiresAt <= hold.expiresAt || expiresAt > context.now + EXTEND_MAX_MS)
    return refuse(
      failure("not_extendable", "the new expiry must be later than the present one and within 90 days"),
    );
  draft.state(about(hold, { type: "hold.extended", expiresAt }, context.now, command.by));
  return accept(hold.id);
}

/** Hides the hold from one person's inbox for a while. Timers and other people are not affected. */
export function snoozeHold(command: SnoozeHold, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  const { by, until: asked } = command;
  const denied = whyNotDesk(by, "snooze");
  if (denied !== null) return refuse(denied);
  const until = asked === undefined ? undefined : momentFrom(asked, context.now);
  if (until !== undefined && (until <= context.now || until > context.now + SNOOZE_MAX_MS))
    return refuse(failure("not_extendable", "a hold can be snoozed for up to 30 days from now"));
  if (snoozedUntil(hold, by.name) === until) return accept(hold.id);
  const fact = { type: "hold.snoozed", person: by.name, ...(until === undefined ? {} : { until }) } as const;
  draft.state(about(hold, fact, context.now, by));
  return accept(hold.id);
}

function snoozedUntil({ snoozed = [] }: Hold, person: string): number | undefined {
  return snoozed.find((each) => each.person === person)?.until;
}

function momentFrom(moment: Moment, from: number): number {
  return "at" in moment ? moment.at : from + moment.afterMs;
}

function whyNotDesk(by: Principal, verb: string): Failure | null {
  return mayOperate(by)
    ? null
    : failure("not_allowed", `a key with the role ${by.role} may not ${verb} a hold`);
}
