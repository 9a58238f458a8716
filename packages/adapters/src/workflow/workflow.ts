/**
 * Any engine that can suspend a run and resume it by name, with Holdpoint as the place where it waits.
 *
 * W1  A suspension is known by its own id, never by its position: the same one found again is the same hold (G8).
 * W2  The run goes on only when everything it waits for is settled, with all answers at once.
 * W3  One process at a time moves a run on; who finds it taken is told `busy` and changes nothing.
 */

import { type InterruptAnswer, interruptAnswerOf, type Machine, machineOver } from "@holdpoint/protocol/agui";
import {
  type ClientSource,
  type HoldClient,
  holdClientOf,
  isRefusal,
  type ThreadClient,
} from "@holdpoint/protocol/client";
import { type PersonAsk, placeOfAsk } from "../person-ask.ts";
import { StateChanged } from "./store.ts";
import { threadIdFor } from "./thread-id.ts";

export type Suspension = {
  /** Unique within the run, and the same after every restart. */
  readonly id: string;
} & (
  | { readonly ask: PersonAsk }
  /** The hold was placed already, as by a check of the server's rules. */
  | { readonly holdId: string }
);

export type Progress<Result> =
  | { readonly kind: "suspended"; readonly suspensions: readonly Suspension[] }
  | { readonly kind: "done"; readonly result: Result };

export interface SuspendableRun<Result> {
  /** Names the run for good: its holds are placed under it. */
  readonly key: string;
  /** Starts it, or says how far it has got. */
  look(): Promise<Progress<Result>>;
  /** All answers by the ids of their suspensions. */
  resume(answers: ReadonlyMap<string, InterruptAnswer>): Promise<Progress<Result>>;
}

export interface RunOptions {
  readonly holdpoint: ClientSource<HoldClient & ThreadClient>;
  readonly signal?: AbortSignal;
  /** How long a run stays taken after its process died. */
  readonly leaseMs?: number;
  /** Where the server reports that a hold of the run has ended; see `doorbell`. */
  readonly callbackUrl?: string;
  readonly machine?: Partial<Machine>;
}

export type Advanced<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "waiting"; readonly holdIds: readonly string[] }
  | { readonly kind: "busy" };

const LEASE_MS = 30_000;

/** Moves a run as far as it goes without waiting for anybody. */
export async function advanceRun<Result>(
  run: SuspendableRun<Result>,
  options: RunOptions,
): Promise<Advanced<Result>> {
  const free = await take(run.key, options);
  if (free === null) return { kind: "busy" };
  try {
    let progress = await run.look();
    while (progress.kind === "suspended") {
      const held = await holdsOf(run.key, progress.suspensions, options);
      if (held.some(({ status }) => status === "open")) {
        return {
          kind: "waiting",
          holdIds: held.filter(({ status }) => status === "open").map(({ id }) => id),
        };
      }
      const answers = progress.suspensions.map(({ id }, at) => [id, answered(held[at])] as const);
      progress = await run.resume(new Map(answers));
    }
    return progress;
  } catch (error) {
    // The lease was lost to another process, which has moved the run on: nothing is wrong with it.
    if (error instanceof StateChanged) return { kind: "busy" };
    throw error;
  } finally {
    await free();
  }
}

/** Moves a run to its end, for as long as people take. May be called again, in any process, with the same run. */
export async function finishRun<Result>(run: SuspendableRun<Result>, options: RunOptions): Promise<Result> {
  const { signal } = options;
  const holdpoint = holdClientOf(options.holdpoint);
  const machine = machineOver(options.machine);
  for (;;) {
    signal?.throwIfAborted();
    const now = await advanceRun(run, options);
    if (now.kind === "done") return now.result;
    if (now.kind === "busy") await new Promise<void>((resolve) => machine.after(BUSY_MS, resolve));
    else for (const id of now.holdIds) await holdpoint.wait(id, signal === undefined ? {} : { signal });
  }
}

const BUSY_MS = 1_000;

async function holdsOf(key: string, suspensions: readonly Suspension[], options: RunOptions) {
  const client = holdClientOf(options.holdpoint);
  const { callbackUrl } = options;
  return Promise.all(
    suspensions.map((suspension) => {
      if ("holdId" in suspension) return client.get(suspension.holdId);
      const { id, ask } = suspension;
      const place = placeOfAsk(ask, { key: `${key}:${id}`, threadId: key, runId: id });
      return client.place(callbackUrl === undefined ? place : { callbackUrl, ...place });
    }),
  );
}

function answered(hold: Parameters<typeof interruptAnswerOf>[0] | undefined): InterruptAnswer {
  const answer = hold === undefined ? null : interruptAnswerOf(hold);
  if (answer === null)
    throw new Error(`Invariant: the run was resumed before the hold ${hold?.id ?? "(none)"} was settled`);
  return answer;
}

/** Null: another process has it. */
async function take(key: string, { leaseMs = LEASE_MS, machine, ...options }: RunOptions) {
  const holdpoint = holdClientOf(options.holdpoint);
  const { now, newKey, after } = machineOver(machine);
  const threadId = await threadIdFor("run", key);
  const holder = newKey();
  const kept = await holdpoint.getThread(threadId);
  const until = Number(kept?.data["until"] ?? 0);
  if (until > now()) return null;
  let version = kept?.version ?? 0;
  const keep = async (end: number) => {
    const data = { holder, until: end };
    ({ version } = await holdpoint.keepThread(threadId, { data, ifVersion: version }));
  };
  try {
    await keep(now() + leaseMs);
  } catch (error) {
    if (isRefusal(error, "precondition_failed")) return null;
    throw error;
  }
  let writing: Promise<void> = Promise.resolve();
  let cancel: () => void = () => undefined;
  const renewLater = () => {
    cancel = after(leaseMs / 3, () => {
      writing = keep(now() + leaseMs).then(renewLater, () => undefined);
    });
  };
  renewLater();
  return async () => {
    cancel();
    await writing;
    cancel();
    await keep(0).catch(() => undefined);
  };
}
