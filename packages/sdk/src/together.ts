/** Waiting for several holds: the first decision, or every outcome. */

import { type HoldClient, isTerminalError } from "@holdpoint/protocol/client";
import { linked } from "@holdpoint/protocol/http";
import type { HoldHandle } from "./handle.ts";
import { readOutcome, type SettledOutcome } from "./outcome.ts";
import type { ActionsOf, AnswersOf, Place } from "./question.ts";
import type { Parse } from "./reading.ts";

/** How to wait for the first of several. */
export interface AnyOptions {
  readonly signal?: AbortSignal;
  /** Withdraw the questions that were not decided first; their outcome is `cancelled`, nobody's decision. */
  readonly cancelLosers?: boolean;
}

/** The outcome of what was handed in: typed by the question or the handle, plain for an id. */
export type OutcomeFor<Given> =
  Given extends HoldHandle<infer Data, infer ActionId>
    ? SettledOutcome<Data, ActionId>
    : Given extends Place
      ? SettledOutcome<AnswersOf<Given>, ActionsOf<Given>>
      : SettledOutcome;

/** The first decision: which of the holds it was, and its outcome. Compilers write it out, so it needs no name in the root. */
export type FirstDecided<Holds extends readonly unknown[] = readonly string[]> = {
  [At in keyof Holds]: { readonly index: IndexOf<At>; readonly outcome: OutcomeFor<Holds[At]> };
}[number];

type IndexOf<At> = At extends `${infer Index extends number}` ? Index : number;

/** What is waited for, and how its answer is read. */
export interface Waited {
  readonly id: string;
  readonly parse?: Parse | undefined;
}

export interface First {
  readonly index: number;
  readonly outcome: SettledOutcome;
}

/** The first decision. If every hold ends without one, the ending that came last. */
export async function firstDecided(
  client: HoldClient,
  holds: readonly Waited[],
  { signal, cancelLosers = false }: AnyOptions,
): Promise<First> {
  if (holds.length === 0) throw new TypeError("There is nothing to wait for: the list of holds is empty.");
  const first = await whileWaiting(signal, (waiting) => race(client, holds, waiting));
  const losers = holds.filter((_, index) => index !== first.index);
  if (cancelLosers) {
    await Promise.all(losers.map(({ id }) => withdraw(client, id, first.outcome.holdId)));
  }
  return first;
}

/** However it ends, whoever is still waiting then stops: nobody would hear of them. */
async function whileWaiting<Result>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const waiting = linked(signal);
  try {
    return await work(waiting.signal);
  } finally {
    waiting.abort(undefined);
    waiting.release();
  }
}

function race(client: HoldClient, holds: readonly Waited[], signal: AbortSignal): Promise<First> {
  return new Promise((resolve, reject) => {
    let left = holds.length;
    for (const [index, hold] of holds.entries()) {
      settled(client, hold, signal).then((outcome) => {
        left -= 1;
        if (outcome.kind === "decided" || left === 0) resolve({ index, outcome });
      }, reject);
    }
  });
}

async function settled(
  client: HoldClient,
  { id, parse }: Waited,
  signal: AbortSignal,
): Promise<SettledOutcome> {
  return (await readOutcome(await client.wait(id, { signal }), parse)) as SettledOutcome;
}

async function withdraw(client: HoldClient, holdId: string, winner: string): Promise<void> {
  try {
    await client.cancel(holdId, { reason: `${winner} was decided first` });
  } catch (error) {
    // It has ended on its own meanwhile: there is nothing left to withdraw.
    if (!isTerminalError(error)) throw error;
    if (error.code !== "already_settled" && error.code !== "hold_expired") throw error;
  }
}

/** Every outcome, in the order of the holds. */
export function everyOutcome(
  client: HoldClient,
  holds: readonly Waited[],
  signal: AbortSignal | undefined,
): Promise<readonly SettledOutcome[]> {
  return whileWaiting(signal, (waiting) => Promise.all(holds.map((hold) => settled(client, hold, waiting))));
}
