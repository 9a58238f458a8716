/** Records that the console has shown a notification, so that every open console receives the event. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { about } from "./about.ts";
import type { NotifyHold } from "./commands.ts";
import { findOpenHold } from "./guard.ts";

export function notifyHold(command: NotifyHold, draft: Draft, context: Context): Reply {
  const { noticeId, attempt, by } = command;
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  if (by.role !== "system")
    return refuse(failure("not_allowed", "only the server itself may record notifications"));
  if (hold.notified?.noticeId !== noticeId)
    draft.state(about(hold, { type: "hold.notified", noticeId, attempt }, context.now, by));
  return accept(hold.id);
}
