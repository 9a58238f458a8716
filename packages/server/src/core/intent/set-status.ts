/** Changing an intent's status by hand. Suspension is entered this way too, but never left, except by giving up. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { isGateOpen, whyDependent, whyNotComplete } from "../graph/gate.ts";
import { block } from "../graph/react.ts";
import { cancelled } from "../hold/cancel.ts";
import { endHold } from "../hold/settle.ts";
import { mayPlace } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { adopt } from "./adopt.ts";
import type { SetStatus } from "./commands.ts";
import { type Intent, SUSPENDED } from "./intent.ts";
import { moveTo } from "./move.ts";
import { openHoldOf } from "./open-hold.ts";
import { whyStale } from "./stale.ts";
import { wayTo } from "./status.ts";
import { begin, bump, type Story, weave } from "./story.ts";
import { enterSuspension, steppedBack, whyNotSuspend } from "./suspend.ts";
import { whyNot } from "./who.ts";

export function setStatus(command: SetStatus, intent: Intent, world: World, context: Context): Decision {
  const { by, status, ifVersion } = command;
  const denied = whyNot(intent, by, "admin", context.now) ?? whyStale(intent, ifVersion);
  if (denied !== null) return refuse(denied);
  const story = bump(begin(intent, world, context.now, by));
  const moved =
    status === SUSPENDED
      ? suspendByStatus(story, command, context)
      : intent.status === SUSPENDED
        ? giveUp(story, command)
        : moveByStatus(story, command);
  return "code" in moved ? refuse(moved) : accept("intent", intent.id, moved.facts);
}

function suspendByStatus(story: Story, { by, made }: SetStatus, context: Context): Story | Refusal {
  const { intent } = story;
  const wrong = whyNotSuspend(intent, story.world);
  if (wrong !== null) return wrong;
  if (!mayPlace(by)) return refusal("not_allowed", `a key with the role ${by.role} never asks`);
  if (intent.pending !== undefined) {
    const adopted = adopt(enterSuspension(story), intent.pending, by, made, context);
    return "code" in adopted ? adopted : adopted.story;
  }
  const { role, id, name } = by;
  return enterSuspension({ ...story, intent: steppedBack(intent) }, { asker: { role, id, name } });
}

/** Only giving up leaves a suspension by hand; the question is withdrawn with it. */
function giveUp(story: Story, { by, status, reason = "abandoned" }: SetStatus): Story | Refusal {
  if (status !== "abandoned") {
    return refusal(
      "suspension_pending",
      "the intent waits for an answer; only an answer, a cancellation or abandoning ends that",
    );
  }
  const { asker, ...rest } = story.intent;
  const outcome = cancelled({ by, reason: "the intent was abandoned" }, story.at);
  const ended =
    asker === undefined ? endHold(openHoldOf(rest, story.world).hold, outcome, story.world, by) : [];
  const left: Story = weave({ ...story, intent: rest }, ended);
  return moveTo(left, "abandoned", { reason, change: { abandonmentReason: reason } });
}

function moveByStatus(story: Story, { status, reason }: SetStatus): Story | Refusal {
  const { intent, world } = story;
  const way = wayTo(intent, status);
  if (way === null) return whyNoWay(intent, status);
  if (way[0] === "active" && !isGateOpen(intent, world)) return waitAtGate(story, status);
  const open = status === "completed" ? whyNotComplete(intent, world) : null;
  if (open !== null) return open;
  const change = status === "abandoned" && reason !== undefined ? { abandonmentReason: reason } : {};
  const last = { change, ...(reason === undefined ? {} : { reason }) };
  return way.reduce((told, next) => moveTo(told, next, next === status ? last : {}), story);
}

/** A draft that may not begin yet is blocked until it may; nobody else is let past by saying it again. */
function waitAtGate(story: Story, wanted: string): Story | Refusal {
  const { intent } = story;
  if (intent.status !== "draft" || wanted === "completed") return whyDependent(intent);
  return block(story, { reason: "dependencies_incomplete" });
}

function whyNoWay({ status: from }: Intent, to: string): Refusal {
  return refusal("invalid_transition", `an intent that is ${from} cannot become ${to}`, {
    detail: { from, to },
  });
}
