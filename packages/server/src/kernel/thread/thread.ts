/**
 * What a thread's creator stores about a conversation between runs: one document that only the creator sees and that
 * is replaced as a whole.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";

export interface Thread {
  readonly threadId: string;
  readonly createdBy: string;
  readonly data: JsonObject;
  readonly keptAt: number;
  /** The group of holds that the next run waits for. The thread is not forgotten before that group is settled. */
  readonly waitsFor?: string;
  /** The thread is forgotten this long after its last change; absent: never. */
  readonly retainMs?: number;
  /** When the timers check next whether to forget it. */
  readonly forgetAt?: number;
}

/** Not written to the log: a thread is nobody's decision and may be forgotten. */
export type ThreadFact =
  | { readonly type: "thread.kept"; readonly thread: Thread }
  | { readonly type: "thread.forgotten" };

/** Clients choose thread ids, so each creator has a namespace of their own. */
export function threadKeyId(createdBy: string, threadId: string): string {
  return `${createdBy}\n${threadId}`;
}
