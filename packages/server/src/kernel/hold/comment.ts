/**
 * Comments on an open hold. People write to each other; a question back to the asker is sent to it once, and the asker
 * replies with a comment of its own. A comment decides nothing (G6).
 */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { mayOperate, type Principal, seesAll } from "../principal.ts";
import { about } from "./about.ts";
import type { CommentHold } from "./commands.ts";
import { findOpenHold } from "./guard.ts";
import type { Comment, Hold } from "./hold.ts";
import { type Link, throughLink } from "./link.ts";
import { byOf, whyNotOpen } from "./who.ts";

export const COMMENTS_MAX = 100;

export function commentHold(command: CommentHold, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const denied = whyNotComment(hold, command, link);
  if (denied !== null) return refuse(denied);
  const { comments = [] } = hold;
  // The caller lost the reply and repeats the call: it is the same comment, and the asker is not told again.
  if (comments.some(({ id }) => id === command.commentId)) return accept(hold.id);
  if (comments.length >= COMMENTS_MAX)
    return refuse(failure("too_many_comments", `a hold has at most ${COMMENTS_MAX} comments`));
  const by = throughLink(command.by, hold, link);
  const comment: Comment = {
    id: command.commentId,
    at: context.now,
    by: byOf(by),
    text: command.text,
    ...(isAsker(hold, command.by) ? { isByAsker: true } : {}),
    ...(command.asksBack === true ? { asksBack: true } : {}),
  };
  draft.state(about(hold, { type: "hold.commented", comment }, context.now, by));
  return accept(hold.id);
}

function isAsker(hold: Hold, by: Principal): boolean {
  return hold.createdBy === by.name && (by.role === "agent" || by.role === "app");
}

function whyNotComment(hold: Hold, { by, asksBack }: CommentHold, link: Link | undefined): Failure | null {
  if (isAsker(hold, by))
    return asksBack === true ? failure("not_allowed", "the asker cannot ask itself; send a comment") : null;
  return mayOperate(by) ? null : whyNotOpen(hold, link, by);
}

/** People see all comments. The asker sees what was asked back and what it wrote itself. */
export function visibleComments({ comments = [] }: Hold, viewer: Principal): readonly Comment[] {
  if (seesAll(viewer)) return comments;
  return comments.filter(({ asksBack, isByAsker }) => asksBack === true || isByAsker === true);
}
