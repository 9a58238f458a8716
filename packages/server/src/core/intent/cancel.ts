/** Withdrawing the question of a suspended intent: nobody has decided, and the agent goes on. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { cancelled } from "../hold/cancel.ts";
import { endHold, settle } from "../hold/settle.ts";
import { whyNotCancel } from "../hold/who.ts";
import { mayOperate, type Principal } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import type { CancelSuspension } from "./commands.ts";
import { tellEnding } from "./ending.ts";
import { type Asker, type Intent, SUSPENDED } from "./intent.ts";
import { restoreLeases } from "./leases.ts";
import { whyClosed, whyMismatch } from "./mismatch.ts";
import { moveTo } from "./move.ts";
import { openHoldOf } from "./open-hold.ts";
import { begin, bump, type Story, weave } from "./story.ts";
import { actorOf, whyNot } from "./who.ts";

export function cancelSuspension(
  command: CancelSuspension,
  intent: Intent,
  world: World,
  { now }: Context,
): Decision {
  const { by, suspensionId, reason } = command;
  const denied = whyNot(intent, by, "write", now);
  if (denied !== null) return refuse(denied);
  if (intent.status !== SUSPENDED) return refuse(whyClosed(intent, suspensionId, world));
  if (intent.asker !== undefined) return cancelBare(intent, intent.asker, by, world, now);
  const { ref, hold } = openHoldOf(intent, world);
  const mismatch = whyMismatch(ref, suspensionId);
  if (mismatch !== null) return refuse(mismatch);
  const stopped = whyNotCancel(hold, by, undefined);
  if (stopped !== null) return refuse(stopped);
  const outcome = cancelled({ by, ...(reason === undefined ? {} : { reason }) }, now);
  return accept("intent", intent.id, settle(hold, outcome, world, by));
}

/** Nothing has been asked yet; who suspended may think better of it, and so may people. */
function cancelBare(intent: Intent, asker: Asker, by: Principal, world: World, now: number): Decision {
  if (!mayOperate(by) && asker.name !== actorOf(by)) {
    return refuse(refusal("not_allowed", "only who suspended the intent or a person may take it back"));
  }
  const { asker: _asker, ...rest } = intent;
  const story = moveTo(bump(begin(rest, world, now, by)), "active", { reason: "suspension_cancelled" });
  return accept("intent", intent.id, restoreLeases(story).facts);
}

/** The same by a patch, in the middle of its story. */
export function cancelStory(story: Story, by: Principal): Story | Refusal {
  const { hold } = openHoldOf(story.intent, story.world);
  const stopped = whyNotCancel(hold, by, undefined);
  if (stopped !== null) return stopped;
  const outcome = cancelled({ by }, story.at);
  return tellEnding(weave(story, endHold(hold, outcome, story.world, by)), hold, outcome);
}
