/**
 * Checkpoints of a plan. A checkpoint that requires approval places a hold: the intent is suspended, the plan is paused, and
 * the answer, whatever door it comes in by, resumes the plan or fails it.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { HoldIn } from "../../../kernel/hold/commands.ts";
import type { Hold, Outcome } from "../../../kernel/hold/hold.ts";
import { must } from "../../../kernel/must.ts";
import { type Adopted, adopt } from "../intent/adopt.ts";
import { askOf } from "../intent/ask-codec.ts";
import { askerOf } from "../intent/asker.ts";
import type { MadeHold } from "../intent/commands.ts";
import type { Intent } from "../intent/intent.ts";
import { type IntentLog, nextVersion } from "../intent/intent-log.ts";
import { enterSuspension, whyNotSuspend } from "../intent/suspend.ts";
import { onTimeoutOf } from "../intent/suspension.ts";
import { type PlacedRequest, placeRequest, type Question } from "../request/place.ts";
import { INTENT_REQUEST } from "../request/request.ts";
import type { CommandContext } from "./advance.ts";
import { type Checkpoint, isPlanOver, isWaiting, type Plan } from "./plan.ts";
import { changeRows, logPlan, planOf } from "./plan-log.ts";
import type { Task } from "./task.ts";

const HOUR_MS = 3_600_000;

/** The most checkpoints after one task that ask for approval. */
export const ASKS_MAX = 20;

/** How many checkpoints that require approval are reached when this task completes. */
export function asksAfter(plan: Plan | undefined, task: Task): number {
  return pendingAfter(plan, task).filter(({ requiresApproval }) => requiresApproval).length;
}

function pendingAfter(plan: Plan | undefined, { id, name }: Task): readonly Checkpoint[] {
  const here = ({ afterTask, status }: Checkpoint) =>
    status === "pending" && (afterTask === id || afterTask === name);
  return plan === undefined ? [] : plan.checkpoints.filter(here);
}

export function reachCheckpoints(start: IntentLog, task: Task, commandContext: CommandContext): IntentLog {
  const found = pendingAfter(planOf(start.draft, task), task);
  const spare = [...commandContext.made];
  return found.reduce((intentLog, checkpoint) => {
    const plan = must(planOf(intentLog.draft, task), "the plan of a checkpoint");
    const made = checkpoint.requiresApproval ? spare.shift() : undefined;
    return reach(intentLog, plan, checkpoint, { ...commandContext, made });
  }, start);
}

/** `made`: ids for this checkpoint's own hold; absent if none could be made. */
type Asking = Omit<CommandContext, "made"> & { readonly made: MadeHold | undefined };

function reach(intentLog: IntentLog, plan: Plan, checkpoint: Checkpoint, asking: Asking): IntentLog {
  const { id, requiresApproval } = checkpoint;
  const reached = withCheckpoint(plan, { ...checkpoint, status: requiresApproval ? "waiting" : "reached" });
  const log = logPlan(
    intentLog,
    requiresApproval ? { ...reached, state: "paused" } : reached,
    "plan.checkpoint_reached",
    { checkpoint_id: id, name: checkpoint.name, requires_approval: requiresApproval },
  );
  return requiresApproval ? ask(log, checkpoint, plan.id, asking) : log;
}

export function withCheckpoint(plan: Plan, checkpoint: Checkpoint): Plan {
  const checkpoints = plan.checkpoints.map((other) => (other.id === checkpoint.id ? checkpoint : other));
  return { ...plan, checkpoints, version: plan.version + 1 };
}

/**
 * Each checkpoint asks by itself. The first one suspends the intent; if the intent cannot be suspended, or already is, the hold
 * waits beside it. Without ids for a hold the checkpoint is resolved by `resolve_checkpoint`.
 */
function ask(intentLog: IntentLog, checkpoint: Checkpoint, planId: string, asking: Asking): IntentLog {
  const { intent, draft } = intentLog;
  const { by, made, context } = asking;
  if (made === undefined) return intentLog;
  if (whyNotSuspend(intent, draft) !== null)
    return askBeside(intentLog, checkpoint, planId, { ...asking, made });
  const suspended = enterSuspension(nextVersion(intentLog));
  const record = recordOf(checkpoint, made.holdId);
  // The server wrote the ask and its id is new, so `adopt` cannot refuse it.
  const adopted = adopt(suspended, record, askerOf(intent, by), made, context, holdOf(checkpoint)) as Adopted;
  const asked: Intent = {
    ...adopted.intentLog.intent,
    checkpoint: { planId, checkpointId: checkpoint.id, holdId: made.holdId },
  };
  return logAsking({ ...adopted, intentLog: { ...adopted.intentLog, intent: asked } }, checkpoint, planId);
}

function askBeside(
  intentLog: IntentLog,
  checkpoint: Checkpoint,
  planId: string,
  { by, made, context }: Asking & { readonly made: MadeHold },
): IntentLog {
  const id = `${INTENT_REQUEST}_${made.holdId}`;
  const at = { planId, checkpointId: checkpoint.id };
  const request = { id, type: "checkpoint", reason: "", context: {}, ...at } as const;
  const record = recordOf(checkpoint, made.holdId);
  const question: Question = {
    ask: askOf(record),
    onTimeout: onTimeoutOf(record),
    ...expiryOf(record),
    ...holdOf(checkpoint),
  };
  const placed = placeRequest(intentLog, request, question, askerOf(intentLog.intent, by), made, context);
  // Too many questions wait already: this one is resolved by hand.
  if ("code" in placed) return intentLog;
  return logAsking(placed, checkpoint, planId);
}

function expiryOf({ timeout_seconds: seconds }: JsonObject): Partial<HoldIn> {
  return typeof seconds === "number" ? { expires: { afterMs: seconds * 1000 } } : {};
}

function logAsking({ intentLog, hold }: PlacedRequest, checkpoint: Checkpoint, planId: string): IntentLog {
  const plan = must(intentLog.draft.get("plan", planId), `plan ${planId}`);
  const waiting = withCheckpoint(plan, { ...checkpoint, status: "waiting", holdId: hold.id });
  return logPlan(intentLog, waiting, "plan.paused", { checkpoint_id: checkpoint.id });
}

function recordOf({ name, timeoutHours, onTimeout }: Checkpoint, holdId: string): JsonObject {
  const expires = timeoutHours !== null && onTimeout !== "escalate";
  return {
    id: `checkpoint-${holdId}`,
    question: `The plan has reached the checkpoint ${name}. Should it continue?`,
    response_type: "choice",
    choices: [
      { value: "approve", label: "Approve", style: "primary" },
      { value: "deny", label: "Deny", style: "danger" },
    ],
    context: { checkpoint: name },
    retry_policy: null,
    ...(expires ? { timeout_seconds: timeoutHours * 3600 } : {}),
    ...(onTimeout === "auto_approve"
      ? { fallback_policy: "use_default_and_continue", fallback_value: "approve" }
      : { fallback_policy: "fail" }),
  };
}

/** Only the named approvers may answer. With `onTimeout: "escalate"` the hold does not expire; it notifies people again. */
function holdOf({ approvers, timeoutHours, onTimeout }: Checkpoint): Partial<HoldIn> {
  const escalates = timeoutHours !== null && onTimeout === "escalate";
  return {
    ...(approvers.length === 0 ? {} : { answerers: approvers }),
    ...(escalates
      ? { rungs: [{ when: { afterMs: timeoutHours * HOUR_MS }, kind: "attempt" as const }] }
      : {}),
  };
}

/** The hold ended: apply its outcome to the plan that the checkpoint paused. */
export function settleCheckpoint(intentLog: IntentLog, hold: Hold, outcome: Outcome): IntentLog {
  const { checkpoint: place, ...intent } = intentLog.intent;
  if (place === undefined || place.holdId !== hold.id) return intentLog;
  const log: IntentLog = { ...intentLog, intent };
  const verdict = verdictOf(outcome, intentLog.actor);
  const plan = must(intentLog.draft.get("plan", place.planId), `plan ${place.planId}`);
  const checkpoint = must(
    plan.checkpoints.find(({ id }) => id === place.checkpointId),
    "the checkpoint that the hold stands for",
  );
  return verdict === undefined
    ? leaveOpen(log, plan, checkpoint)
    : decideCheckpoint(log, plan, checkpoint, verdict);
}

/** The hold was cancelled, so nobody decided: the checkpoint waits for `resolve_checkpoint`. */
export function leaveOpen(intentLog: IntentLog, plan: Plan, checkpoint: Checkpoint): IntentLog {
  const { holdId: _withdrawn, ...open } = checkpoint;
  const withoutHold = withCheckpoint(plan, open);
  return isPlanOver(plan)
    ? changeRows(intentLog, [{ kind: "plan", id: plan.id, body: withoutHold }])
    : logPlan(intentLog, withoutHold, "plan.paused", { checkpoint_id: checkpoint.id });
}

export interface Verdict {
  readonly approve: boolean;
  readonly by: string;
  readonly reason?: string;
}

/** `undefined`: the hold was cancelled, so nobody decided. */
export function verdictOf(outcome: Outcome, actor: string): Verdict | undefined {
  switch (outcome.kind) {
    case "decided": {
      const { selected } = outcome.data;
      return { approve: Array.isArray(selected) && selected[0] === "approve", by: actor };
    }
    case "expired":
      return { approve: outcome.default?.action === "skip", by: actor, reason: "timeout" };
    case "cancelled":
      return undefined;
  }
}

export function decideCheckpoint(
  intentLog: IntentLog,
  plan: Plan,
  checkpoint: Checkpoint,
  verdict: Verdict,
): IntentLog {
  const { approve, by, reason } = verdict;
  const { holdId: _hold, ...rest } = checkpoint;
  const decided = withCheckpoint(plan, {
    ...rest,
    status: approve ? "approved" : "rejected",
    approvedBy: by,
    approvedAt: intentLog.at,
  });
  const payload = {
    checkpoint_id: checkpoint.id,
    [approve ? "approved_by" : "rejected_by"]: by,
    ...(reason === undefined ? {} : { reason }),
  };
  // An answer that arrives after the plan ended is recorded but does not resume the plan.
  if (isPlanOver(plan))
    return logPlan(intentLog, decided, `plan.checkpoint_${approve ? "approved" : "rejected"}`, payload);
  if (!approve) {
    const rejected = logPlan(intentLog, { ...decided, state: "failed" }, "plan.checkpoint_rejected", payload);
    return logPlan(rejected, { ...decided, state: "failed" }, "plan.failed", {
      reason: "checkpoint_rejected",
    });
  }
  const resumed: Plan = { ...decided, state: isWaiting(decided) ? "paused" : "active" };
  const log = logPlan(intentLog, resumed, "plan.checkpoint_approved", payload);
  const isComplete = resumed.state === "active" && resumed.open === 0;
  return isComplete ? logPlan(log, { ...resumed, state: "completed" }, "plan.completed") : log;
}
