/**
 * Opens a thread whose last process may have died while it asked. Work is written before its first question is placed; the key of
 * that question then says whether it was placed, so it stays a question of this thread, also if a person answers it meanwhile.
 */

import type { HoldClient, ThreadClient } from "../../client/index.ts";
import { ThreadBook, type ThreadRecord, type Work, without } from "./record.ts";

/** The next questions of a work are placed under this, each with its number. */
export function keyOf({ id, groups }: Pick<Work, "id" | "groups">): string {
  return `agui:${id}:${groups.length}:`;
}

export interface OpenedThread {
  readonly book: ThreadBook;
  /** The thread waits for questions that no client was told of. */
  readonly isUntold: boolean;
}

export async function openThread(client: HoldClient & ThreadClient, threadId: string): Promise<OpenedThread> {
  let isUntold = false;
  const book = await ThreadBook.open(client, threadId, async (record) => {
    const { work } = record;
    if (work === undefined || work.groups.length > 0) return record;
    const { holds } = await client.list({ threadId, key: `${keyOf(work)}0` });
    const groupId = holds[0]?.groupId;
    isUntold = groupId !== undefined;
    return groupId === undefined ? asBegun(record, work) : waitingFor(groupId, record, work);
  });
  return { book, isUntold };
}

/** Nothing was asked: the thread is as it was when the work began, and new input begins new work. */
function asBegun(record: ThreadRecord, { input }: Work): ThreadRecord {
  return { ...without(record, "work"), messages: input.messages, state: input.state };
}

function waitingFor(groupId: string, record: ThreadRecord, work: Work): ThreadRecord {
  const { last: _last, ...rest } = record;
  return { ...rest, work: { ...work, groups: [groupId] } };
}
