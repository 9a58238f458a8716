/** Sets an intent's status by hand. This can start a suspension, but it can end one only by abandoning the intent. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { cancelled } from "../../../kernel/hold/cancel.ts";
import { endHold } from "../../../kernel/hold/settle.ts";
import { mayPlace } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { block } from "../graph/blocking.ts";
import { isGateOpen, whyDependent, whyNotComplete } from "../graph/gate.ts";
import { withdrawRequests } from "../request/withdraw.ts";
import type { Draft } from "../world.ts";
import { adopt } from "./adopt.ts";
import type { SetStatus } from "./commands.ts";
import { enforced, whyNotGoverned } from "./completion.ts";
import { whyNoReason, whyNotWrite } from "./governance.ts";
import { type Intent, SUSPENDED } from "./intent.ts";
import { begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { moveTo } from "./move.ts";
import { openHoldOf } from "./open-hold.ts";
import { whyStale } from "./stale.ts";
import { wayTo } from "./status.ts";
import { enterSuspension, whyNotSuspend, withSuspensionInHistory } from "./suspend.ts";
import { whyNotMove } from "./who.ts";

export function setStatus(command: SetStatus, intent: Intent, draft: Draft, context: Context): Reply {
  const { by, status, ifVersion } = command;
  const denied =
    whyNotMove(intent, by, context.now) ??
    whyStale(intent, ifVersion) ??
    whyNoReason(intent, command.reason) ??
    whyNotWrite(intent, by, draft, context.now);
  if (denied !== null) return refuse(denied);
  const intentLog = nextVersion(begin(intent, draft, context.now, by));
  const moved =
    status === SUSPENDED
      ? suspendByStatus(intentLog, command, context)
      : intent.status === SUSPENDED
        ? giveUp(intentLog, command)
        : moveByStatus(intentLog, command, intent, context);
  if ("code" in moved) return refuse(moved);
  if (status === "completed" || status === "abandoned") withdrawRequests(intent.id, draft, by, context.now);
  return accept(intent.id);
}

function suspendByStatus(
  intentLog: IntentLog,
  { by, made }: SetStatus,
  context: Context,
): IntentLog | Failure {
  const { intent } = intentLog;
  const wrong = whyNotSuspend(intent, intentLog.draft);
  if (wrong !== null) return wrong;
  if (!mayPlace(by))
    return failure("not_allowed", `Role '${by.role}' cannot place holds. Use an agent or app key.`);
  if (intent.pending !== undefined) {
    const adopted = adopt(enterSuspension(intentLog), intent.pending, by, made, context);
    return "code" in adopted ? adopted : adopted.intentLog;
  }
  const { role, id, name } = by;
  return enterSuspension(
    { ...intentLog, intent: withSuspensionInHistory(intent) },
    { asker: { role, id, name } },
  );
}

/** A suspension can be left by hand only by abandoning the intent; that cancels the hold. */
function giveUp(intentLog: IntentLog, { by, status, reason = "abandoned" }: SetStatus): IntentLog | Failure {
  if (status !== "abandoned") {
    return failure(
      "suspension_pending",
      "the intent is suspended; answer or cancel its suspension, or abandon the intent",
    );
  }
  const { asker, ...rest } = intentLog.intent;
  const outcome = cancelled({ by, reason: "the intent was abandoned" }, intentLog.at);
  if (asker === undefined) endHold(openHoldOf(rest, intentLog.draft).hold, outcome, intentLog.draft, by);
  const change = { abandonmentReason: reason };
  return moveTo({ ...intentLog, intent: rest }, "abandoned", { reason, change });
}

/** `before` is the intent that the command found. */
function moveByStatus(
  start: IntentLog,
  command: SetStatus,
  before: Intent,
  context: Context,
): IntentLog | Failure {
  const { status, reason } = command;
  const { intent, draft } = start;
  const way = wayTo(intent, status);
  if (way === null) return whyNoWay(intent, status);
  if (way[0] === "active" && !isGateOpen(intent, draft)) return waitAtGate(start, status);
  const completes = status === "completed";
  const open = completes
    ? (whyNotComplete(intent, draft) ?? whyNotGoverned(command, before, draft, context))
    : null;
  if (open !== null) return open;
  const intentLog = completes ? enforced(start, before) : start;
  const change = status === "abandoned" && reason !== undefined ? { abandonmentReason: reason } : {};
  const last = { change, ...(reason === undefined ? {} : { reason }) };
  return way.reduce((log, next) => moveTo(log, next, next === status ? last : {}), intentLog);
}

/** A draft whose gate is closed becomes blocked until it opens. Any other intent is refused. */
function waitAtGate(intentLog: IntentLog, wanted: string): IntentLog | Failure {
  const { intent } = intentLog;
  if (intent.status !== "draft" || wanted === "completed") return whyDependent(intent);
  return block(intentLog, { reason: "dependencies_incomplete" });
}

function whyNoWay({ status: from }: Intent, to: string): Failure {
  return failure("invalid_transition", `an intent with status ${from} cannot change to ${to}`, {
    detail: { from, to },
  });
}
