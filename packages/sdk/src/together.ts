/** Waiting for several holds: the first decision, or every outcome. */

import { type HoldClient, isTerminalError } from "@holdpoint/protocol/client";
import { linked } from "@holdpoint/protocol/http";
import { outcomeOf, type SettledOutcome } from "./outcome.ts";

export interface AnyOptions {
  readonly signal?: AbortSignal;
  /** Withdraw the questions that were not decided first; their outcome is `cancelled`, nobody's decision. */
  readonly cancelLosers?: boolean;
}

export interface FirstDecided {
  /** Place of the hold in the list that was given. */
  readonly index: number;
  readonly outcome: SettledOutcome;
}

/** The first decision. If every hold ends without one, the ending that came last. */
export async function firstDecided(
  client: HoldClient,
  holdIds: readonly string[],
  { signal, cancelLosers = false }: AnyOptions,
): Promise<FirstDecided> {
  if (holdIds.length === 0) throw new TypeError("there is nothing to wait for");
  const first = await whileWaiting(signal, (waiting) => race(client, holdIds, waiting));
  const losers = holdIds.filter((_, index) => index !== first.index);
  if (cancelLosers) {
    await Promise.all(losers.map((holdId) => withdraw(client, holdId, first.outcome.holdId)));
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

function race(client: HoldClient, holdIds: readonly string[], signal: AbortSignal): Promise<FirstDecided> {
  return new Promise((resolve, reject) => {
    let left = holdIds.length;
    for (const [index, holdId] of holdIds.entries()) {
      client.wait(holdId, { signal }).then((hold) => {
        left -= 1;
        const outcome = outcomeOf(hold) as SettledOutcome;
        if (outcome.kind === "decided" || left === 0) resolve({ index, outcome });
      }, reject);
    }
  });
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
export async function everyOutcome(
  client: HoldClient,
  holdIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly SettledOutcome[]> {
  const holds = await whileWaiting(signal, (waiting) =>
    Promise.all(holdIds.map((holdId) => client.wait(holdId, { signal: waiting }))),
  );
  return holds.map((hold) => outcomeOf(hold) as SettledOutcome);
}
