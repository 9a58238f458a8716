/** A conversation as its creator remembers it between runs: one document that only they see, replaced as a whole. */

import type { JsonObject } from "@holdpoint/protocol/rules";

export interface Thread {
  readonly threadId: string;
  readonly createdBy: string;
  readonly data: JsonObject;
  readonly keptAt: number;
  /** The group of holds that its next run waits for: until those are settled it is not forgotten. */
  readonly waitsFor?: string;
  /** Forgotten this long after it was kept last; absent: kept. */
  readonly retainMs?: number;
  /** When it is looked at next, to be forgotten. */
  readonly forgetAt?: number;
}

/** Not for the log: nobody's decision, and free to be forgotten. */
export type ThreadFact =
  | { readonly type: "thread.kept"; readonly thread: Thread }
  | { readonly type: "thread.forgotten" };

/** Thread ids are chosen by clients, so each creator has their own. */
export function threadKeyId(createdBy: string, threadId: string): string {
  return `${createdBy}\n${threadId}`;
}
