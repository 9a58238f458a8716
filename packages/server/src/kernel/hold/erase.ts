/**
 * Erases a hold's content, after its retention time or on request. The question and the answer are deleted; the
 * record that it happened remains.
 */

import { attachmentOf } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { mayManage, type Principal } from "../principal.ts";
import { forgetThread } from "../thread/decide.ts";
import { threadKeyId } from "../thread/thread.ts";
import { about } from "./about.ts";
import type { EraseHold } from "./commands.ts";
import { allFiles } from "./files.ts";
import type { Hold } from "./hold.ts";
import { sees } from "./who.ts";

export function eraseHold(command: EraseHold, draft: Draft, context: Context): Reply {
  const hold = draft.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(failure("not_found", "there is no hold with this id, or this caller may not see it"));
  if (!mayManage(command.by)) return refuse(failure("not_allowed", "only an admin key may erase content"));
  if (hold.status === "open")
    return refuse(failure("not_settled", "an open hold cannot be erased; cancel it first"));
  if (hold.erasedAt !== undefined) return accept(hold.id);
  eraseContent(hold, draft, command.by, context);
  // The stored conversation quotes the question and the answer.
  const thread = threadOf(hold);
  if (thread !== undefined) forgetThread(thread, draft, context.now, command.by);
  return accept(hold.id);
}

/** Erases the hold's content, its files, and the copies in the domain it is attached to. */
export function eraseContent(hold: Hold, draft: Draft, by: Principal, { now }: Context): void {
  for (const record of allFiles(hold, now, by)) draft.state(record);
  const attached = attachmentOf(hold, draft);
  attached?.rules.erased(attached.id, hold, draft, by, now);
  draft.state(about(hold, { type: "hold.erased" }, now, by));
}

/** The key of the thread that the hold belongs to. */
export function threadOf(hold: Hold | undefined): string | undefined {
  return hold?.threadId === undefined ? undefined : threadKeyId(hold.createdBy, hold.threadId);
}
