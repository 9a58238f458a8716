/**
 * What asking gives: the hold's outcome, or that there is none yet. Only `decided` has an action, so that silence, expiry and
 * withdrawal can never be read as a person's "no" (G5), and an approval that was revoked is no decision any more (G14).
 */

import {
  type Cancelled,
  type Decided,
  type Expired,
  type Hold,
  type Outcome,
  standingOutcome,
  TerminalError,
  type Vote,
} from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { CancelledError, ExpiredError, PendingError } from "./not-decided.ts";
import { camelAnswer, type Parse } from "./reading.ts";

/** Nobody has answered yet; the hold stays open and can be waited for again. */
export interface Pending {
  readonly kind: "pending";
}

interface Asked<Settled> {
  readonly holdId: string;
  /** The whole hold. Not listed among the members, so that printing or storing an outcome stays small. */
  readonly hold: Hold;
  /** The votes of a hold with a `decision`, however it stands; none where one answer decides. Not listed either. */
  readonly votes: readonly Vote[];
  /** The decision, or a `NotDecidedError` that says what happened instead. */
  orThrow(): Settled;
}

type With<Kind, Settled> = Kind & Asked<Settled>;

/**
 * A person's decision.
 *
 * @example
 * ```ts
 * import type { DecidedOutcome } from "@holdpoint/sdk";
 *
 * export function who(outcome: DecidedOutcome): string {
 *   return `${outcome.action} by ${outcome.by.name ?? outcome.by.kind} at ${outcome.at}`;
 * }
 * ```
 */
export type DecidedOutcome<Data = JsonObject, ActionId extends string = string> = With<
  Decided<Data, ActionId>,
  Decided<Data, ActionId> & { readonly holdId: string; readonly hold: Hold }
>;

/**
 * How a hold ended.
 *
 * @example
 * ```ts
 * import type { SettledOutcome } from "@holdpoint/sdk";
 *
 * export function say(outcome: SettledOutcome): string {
 *   if (outcome.kind === "decided") return outcome.action;
 *   return outcome.kind === "expired" ? "nobody answered" : `withdrawn: ${outcome.reason ?? "no reason given"}`;
 * }
 * ```
 */
export type SettledOutcome<Data = JsonObject, ActionId extends string = string> =
  | DecidedOutcome<Data, ActionId>
  | With<Expired, never>
  | With<Cancelled, never>;

/**
 * How a hold stands after a wait of limited length.
 *
 * @example
 * ```ts
 * import { type AskOutcome, Holdpoint } from "@holdpoint/sdk";
 *
 * const outcome: AskOutcome = await new Holdpoint().outcome("hold_1");
 * if (outcome.kind === "pending") console.error("nobody has answered yet");
 * ```
 */
export type AskOutcome<Data = JsonObject, ActionId extends string = string> =
  | SettledOutcome<Data, ActionId>
  | With<Pending, never>;

/** The outcome of a hold as it was read, with its data in camelCase and as the question's schema parses it. */
export async function readOutcome(hold: Hold, parse: Parse | undefined): Promise<AskOutcome> {
  const { type, erasedAt, id } = hold;
  const outcome = standing(hold);
  if (outcome.kind !== "decided") return outcomeOf(hold, outcome);
  const data = camelAnswer(type, outcome.data);
  if (parse === undefined) return outcomeOf(hold, { ...outcome, data });
  if (erasedAt !== undefined) {
    const message = `${id} was erased. Ask again under another key.`;
    throw new TerminalError({ code: "erased", status: 0, message, holdId: id, outcome });
  }
  return outcomeOf(hold, { ...outcome, data: (await parse(outcome.action, data)) as JsonObject });
}

export function outcomeOf(hold: Hold, plain: Outcome | Pending = standing(hold)): AskOutcome {
  const outcome = { ...plain, holdId: hold.id };
  Object.defineProperties(outcome, {
    hold: { value: hold },
    votes: { value: hold.votes ?? [] },
    orThrow: { value: () => decidedOrThrow(outcome as AskOutcome) },
  });
  return outcome as AskOutcome;
}

const PENDING: Pending = { kind: "pending" };

function standing(hold: Hold): Outcome | Pending {
  return standingOutcome(hold) ?? PENDING;
}

function decidedOrThrow(outcome: AskOutcome): DecidedOutcome {
  switch (outcome.kind) {
    case "decided":
      return outcome;
    case "expired":
      throw new ExpiredError(outcome.holdId, outcome.default);
    case "cancelled":
      throw new CancelledError(outcome.holdId, outcome.cancelledBy, outcome.reason);
    case "pending":
      throw new PendingError(outcome.holdId);
  }
}
