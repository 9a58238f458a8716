/**
 * What was asked, beside what was answered. An agent that is called again from its start asks again; unless it asks the very
 * same, the recorded answer is no answer to it (G12).
 */

import type { Hold } from "../../client/index.ts";
import { type Json, sameJson } from "../../rules/index.ts";
import {
  type Interrupt,
  type InterruptAnswer,
  type InterruptAsk,
  interruptAnswerOf,
  interruptOf,
} from "../index.ts";

export interface Answered {
  readonly interrupt: Interrupt;
  readonly answer: InterruptAnswer;
}

/** What differs, in words for the author; null: nothing that a person saw does. */
export function whyNotTheSame(asks: readonly InterruptAsk[], answered: readonly Answered[]): string | null {
  if (asks.length !== answered.length) return `${answered.length} were asked, now ${asks.length} are`;
  for (const [at, { interrupt }] of answered.entries()) {
    const ask = asks[at];
    if (ask === undefined || !isSame(ask, interrupt)) return `${interrupt.id} asked something else`;
  }
  return null;
}

function isSame(ask: InterruptAsk, { reason, message, toolCallId, metadata }: Interrupt): boolean {
  if (ask.reason !== reason || ask.message !== message || ask.toolCallId !== toolCallId) return false;
  return sameJson(plain(ask.payload), metadata?.["payload"]);
}

/** As it came to the server: members without a value are not there. */
function plain(value: unknown): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
}

export function answeredOrThrow(hold: Hold): Answered {
  const [interrupt, answer] = [interruptOf(hold), interruptAnswerOf(hold)];
  if (interrupt === null || answer === null)
    throw new Error(`Invariant: the run resumed while hold ${hold.id} is not settled as an interrupt`);
  return { interrupt, answer };
}
