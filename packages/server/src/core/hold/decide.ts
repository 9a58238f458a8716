/** Commands about holds: what each needs to see, and who decides it. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { onIntentNeeds } from "../intent/ending.ts";
import { mayManage } from "../principal.ts";
import { refusal } from "../refusal.ts";
import { forgetNeeds, forgetThread } from "../thread/decide.ts";
import { threadKeyId } from "../thread/thread.ts";
import type { Need, World } from "../world.ts";
import { answerHold } from "./answer.ts";
import { cancelHold } from "./cancel.ts";
import { claimHold, finishClaim, releaseClaim } from "./claim.ts";
import type { EraseHold, HoldCommand } from "./commands.ts";
import { addFile, allFiles } from "./files.ts";
import { answerGroup, placeGroup, placeGroupNeeds } from "./groups.ts";
import type { Hold } from "./hold.ts";
import { linkId } from "./link.ts";
import { makeLink, revokeLink } from "./links.ts";
import { openHold, progressHold } from "./look.ts";
import { notifyHold } from "./notify.ts";
import { placeHold, placeNeeds } from "./place.ts";
import { revokeHold } from "./revoke.ts";
import { about, settleNeeds } from "./settle.ts";
import { tickHold } from "./tick.ts";
import { sees } from "./who.ts";

export function holdNeeds(command: HoldCommand, world: World): readonly Need[] {
  switch (command.kind) {
    case "place_hold":
      return placeNeeds(command.hold, command.by, world);
    case "place_group":
      return placeGroupNeeds(command, world);
    case "answer_group": {
      const members = world.get("group", command.groupId)?.members ?? [];
      return [
        { kind: "group", id: command.groupId },
        ...members.flatMap((id) => endingNeeds(id, undefined, world)),
      ];
    }
    case "erase_hold": {
      const thread = threadOf(world.get("hold", command.holdId));
      return [
        ...endingNeeds(command.holdId, undefined, world),
        ...addressedNeeds(world.get("hold", command.holdId)),
        ...(thread === undefined ? [] : forgetNeeds(thread, world)),
      ];
    }
    case "tick_hold": {
      const hold = world.get("hold", command.holdId);
      return [
        ...endingNeeds(command.holdId, undefined, world),
        ...(hold?.retainMs === undefined ? [] : addressedNeeds(hold)),
      ];
    }
    default:
      return endingNeeds(command.holdId, "linkHash" in command ? command.linkHash : undefined, world);
  }
}

/** Erasing a hold takes along whom its links were made for. */
function addressedNeeds(hold: Hold | undefined): readonly Need[] {
  if (hold?.addressed === undefined) return [];
  return hold.addressed.map((hash) => ({ kind: "link", id: linkId(hold.id, hash) }) as const);
}

/** Any look at a hold may find that its time has come, so every such command sees what an ending would touch. */
function endingNeeds(holdId: string, linkHash: string | undefined, world: World): readonly Need[] {
  const needs: Need[] = [
    { kind: "hold", id: holdId },
    { kind: "workspace", id: "settings", read: true },
  ];
  if (linkHash !== undefined) needs.push({ kind: "link", id: linkId(holdId, linkHash) });
  const hold = world.get("hold", holdId);
  if (hold === undefined) return needs;
  return [...needs, ...(hold.status === "open" ? settleNeeds(hold, world) : onIntentNeeds(hold, world))];
}

export function decideHold(command: HoldCommand, world: World, context: Context): Decision {
  switch (command.kind) {
    case "place_hold":
      return placeHold(command, world, context);
    case "place_group":
      return placeGroup(command, world, context);
    case "answer_hold":
      return answerHold(command, world, context);
    case "answer_group":
      return answerGroup(command, world, context);
    case "cancel_hold":
      return cancelHold(command, world, context);
    case "open_hold":
      return openHold(command, world, context);
    case "progress_hold":
      return progressHold(command, world, context);
    case "tick_hold":
      return tickHold(command, world, context);
    case "make_link":
      return makeLink(command, world, context);
    case "notify_hold":
      return notifyHold(command, world, context);
    case "revoke_link":
      return revokeLink(command, world, context);
    case "claim_hold":
      return claimHold(command, world, context);
    case "finish_claim":
      return finishClaim(command, world, context);
    case "release_claim":
      return releaseClaim(command, world, context);
    case "revoke_hold":
      return revokeHold(command, world, context);
    case "add_file":
      return addFile(command, world, context);
    case "erase_hold":
      return eraseHold(command, world, context);
  }
}

/** What its creator keeps about the conversation that the hold belongs to. */
function threadOf(hold: Hold | undefined): string | undefined {
  return hold?.threadId === undefined ? undefined : threadKeyId(hold.createdBy, hold.threadId);
}

/** Erasing on request, before retention would: what was asked and answered goes, that it happened stays. */
function eraseHold(command: EraseHold, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(refusal("not_found", "no such hold"));
  if (!mayManage(command.by)) return refuse(refusal("not_allowed", "content is erased by admins"));
  if (hold.status === "open")
    return refuse(refusal("not_settled", "an open hold cannot be erased; cancel it first"));
  if (hold.erasedAt !== undefined) return accept("hold", hold.id, []);
  const thread = threadOf(hold);
  return accept("hold", hold.id, [
    ...allFiles(hold, now, command.by),
    about(hold, { type: "hold.erased" }, now, command.by),
    // A conversation quotes what was asked and answered in it.
    ...(thread === undefined ? [] : forgetThread(thread, world, now, command.by)),
  ]);
}
