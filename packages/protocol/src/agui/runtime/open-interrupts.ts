/** What a page needs after a reload: the interrupts that are still open, and those that are not (AG-099, AG-101). */

import type { Hold } from "../../client/index.ts";
import { type Json, maskSensitive } from "../../rules/index.ts";
import { type Interrupt, interruptAnswerOf, interruptOf } from "../index.ts";
import { answererName } from "./answerer.ts";
import type { Handling } from "./handling.ts";
import { openThread } from "./open-thread.ts";
import { replaysOf } from "./record.ts";

export interface OpenInterrupts {
  readonly threadId: string;
  readonly interrupts: readonly Interrupt[];
  readonly history: readonly HistoryEntry[];
}

export interface HistoryEntry {
  readonly interrupt: Interrupt;
  readonly status: "resolved" | "cancelled";
  readonly payload?: Json;
  /** The name given with the answer, or who the credential stands for. */
  readonly by?: string;
  readonly door?: string;
  readonly at: string;
  /** What became of an approved tool call. */
  readonly result?: Json;
  /** How often the same answer came again after everything was done, and was only told the end. */
  readonly replays?: number;
}

const HISTORY_MAX = 100;

export async function openInterrupts(handling: Handling, threadId: string): Promise<OpenInterrupts> {
  const { holdpoint } = handling.options;
  const { record } = (await openThread(holdpoint, threadId)).book;
  const groupId = record.work?.groups.at(-1);
  const members = groupId === undefined ? [] : (await holdpoint.getGroup(groupId)).holds;
  const { holds } = await holdpoint.list({ threadId, limit: HISTORY_MAX });
  return {
    threadId,
    interrupts: await handling.interruptsOf(members.filter(({ status }) => status === "open")),
    history: holds.toReversed().flatMap((hold) => pastOf(hold, replaysOf(record, hold.id))),
  };
}

function pastOf(hold: Hold, replayed: number): readonly HistoryEntry[] {
  const interrupt = interruptOf(hold);
  const { outcome } = hold;
  if (interrupt === null || outcome === undefined) return [];
  const replays = replayed === 0 ? {} : { replays: replayed };
  if (outcome.kind !== "decided") return [{ interrupt, status: "cancelled", at: outcome.at, ...replays }];
  // A thread's readers are not all its answerers: what was called sensitive stays withheld (G9).
  const shown: Hold = { ...hold, outcome: { ...outcome, data: maskSensitive(hold, outcome.data) } };
  const answer = interruptAnswerOf(shown);
  const result = hold.claim?.detail?.["result"];
  return [
    {
      interrupt,
      status: "resolved",
      ...(answer?.status === "resolved" ? { payload: answer.payload } : {}),
      by: answererName(outcome.by),
      door: outcome.door,
      at: outcome.at,
      ...(result === undefined ? {} : { result }),
      ...replays,
    },
  ];
}
