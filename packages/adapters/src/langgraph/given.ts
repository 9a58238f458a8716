/** How many answers a task of a graph has been given, as its checkpointer has them. */

import type { Json } from "@holdpoint/protocol/rules";

export interface ResumeWrite {
  /** A task's, or an interrupt's: answers are kept under both. */
  readonly of: string;
  readonly value: Json;
}

interface Checkpointer {
  getTuple(
    config: object,
  ): Promise<{ readonly pendingWrites?: readonly (readonly [string, string, unknown])[] } | undefined>;
}

const RESUME = "__resume__";

export async function resumeWrites(checkpointer: unknown, config: object): Promise<readonly ResumeWrite[]> {
  if (!isCheckpointer(checkpointer)) return [];
  const tuple = await checkpointer.getTuple(config);
  return (tuple?.pendingWrites ?? [])
    .filter(([, channel]) => channel === RESUME)
    .map(([of, , value]) => ({ of, value: value as Json }));
}

export function givenTo(writes: readonly ResumeWrite[], taskId: string, interruptId: string): number {
  const lists = (of: string) => writes.filter((write) => write.of === of).map(({ value }) => value);
  const byTask = lists(taskId).map((value) => (Array.isArray(value) ? value.length : 0));
  return Math.max(0, ...byTask, ...lists(interruptId).map(nested));
}

/** By the interrupt each list holds the list before it and one answer more. */
function nested(value: Json): number {
  if (!Array.isArray(value)) return 0;
  return value.length < 2 ? value.length : 1 + nested(value[0] as Json);
}

function isCheckpointer(value: unknown): value is Checkpointer {
  return typeof value === "object" && value !== null && "getTuple" in value;
}
