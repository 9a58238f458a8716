/** Changing an intent's status by hand. Suspension is entered this way too, but never left, except by giving up. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { cancelled } from "../../../kernel/hold/cancel.ts";
import { endHold } from "../../../kernel/hold/settle.ts";
import { mayPlace } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { isGateOpen, whyDependent, whyNotComplete } from "../graph/gate.ts";
import { block } from "../graph/react.ts";
import type { Draft } from "../world.ts";
import { adopt } from "./adopt.ts";
import type { SetStatus } from "./commands.ts";
import { type Intent, SUSPENDED } from "./intent.ts";
import { begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { moveTo } from "./move.ts";
import { openHoldOf } from "./open-hold.ts";
import { whyStale } from "./stale.ts";
import { wayTo } from "./status.ts";
import { enterSuspension, steppedBack, whyNotSuspend } from "./suspend.ts";
import { whyNot } from "./who.ts";

export function setStatus(command: SetStatus, intent: Intent, draft: Draft, context: Context): Reply {
  const { by, status, ifVersion } = command;
  const denied = whyNot(intent, by, "admin", context.now) ?? whyStale(intent, ifVersion);
  if (denied !== null) return refuse(denied);
  const intentLog = nextVersion(begin(intent, draft, context.now, by));
  const moved =
    status === SUSPENDED
      ? suspendByStatus(intentLog, command, context)
      : intent.status === SUSPENDED
        ? giveUp(intentLog, command)
        : moveByStatus(intentLog, command);
  return "code" in moved ? refuse(moved) : accept(intent.id);
}

function suspendByStatus(
  intentLog: IntentLog,
  { by, made }: SetStatus,
  context: Context,
): IntentLog | Failure {
  const { intent } = intentLog;
  const wrong = whyNotSuspend(intent, intentLog.draft);
  if (wrong !== null) return wrong;
  if (!mayPlace(by)) return failure("not_allowed", `a key with the role ${by.role} never asks`);
  if (intent.pending !== undefined) {
    const adopted = adopt(enterSuspension(intentLog), intent.pending, by, made, context);
    return "code" in adopted ? adopted : adopted.intentLog;
  }
  const { role, id, name } = by;
  return enterSuspension({ ...intentLog, intent: steppedBack(intent) }, { asker: { role, id, name } });
}

/** Only giving up leaves a suspension by hand; the question is withdrawn with it. */
function giveUp(intentLog: IntentLog, { by, status, reason = "abandoned" }: SetStatus): IntentLog | Failure {
  if (status !== "abandoned") {
    return failure(
      "suspension_pending",
      "the intent waits for an answer; only an answer, a cancellation or abandoning ends that",
    );
  }
  const { asker, ...rest } = intentLog.intent;
  const outcome = cancelled({ by, reason: "the intent was abandoned" }, intentLog.at);
  if (asker === undefined) endHold(openHoldOf(rest, intentLog.draft).hold, outcome, intentLog.draft, by);
  const change = { abandonmentReason: reason };
  return moveTo({ ...intentLog, intent: rest }, "abandoned", { reason, change });
}

function moveByStatus(intentLog: IntentLog, { status, reason }: SetStatus): IntentLog | Failure {
  const { intent, draft } = intentLog;
  const way = wayTo(intent, status);
  if (way === null) return whyNoWay(intent, status);
  if (way[0] === "active" && !isGateOpen(intent, draft)) return waitAtGate(intentLog, status);
  const open = status === "completed" ? whyNotComplete(intent, draft) : null;
  if (open !== null) return open;
  const change = status === "abandoned" && reason !== undefined ? { abandonmentReason: reason } : {};
  const last = { change, ...(reason === undefined ? {} : { reason }) };
  return way.reduce((told, next) => moveTo(told, next, next === status ? last : {}), intentLog);
}

/** A draft that may not begin yet is blocked until it may; nobody else is let past by saying it again. */
function waitAtGate(intentLog: IntentLog, wanted: string): IntentLog | Failure {
  const { intent } = intentLog;
  if (intent.status !== "draft" || wanted === "completed") return whyDependent(intent);
  return block(intentLog, { reason: "dependencies_incomplete" });
}

function whyNoWay({ status: from }: Intent, to: string): Failure {
  return failure("invalid_transition", `an intent that is ${from} cannot become ${to}`, {
    detail: { from, to },
  });
}
