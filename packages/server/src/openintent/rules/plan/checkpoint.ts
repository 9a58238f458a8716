/**
 * Checkpoints of a plan. Where one asks for approval it is realised as a hold: the intent is suspended, the plan is paused,
 * and the answer lets it go on or fails it, whatever door it comes in by.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { HoldIn } from "../../../kernel/hold/commands.ts";
import type { Hold, Outcome } from "../../../kernel/hold/hold.ts";
import { must } from "../../../kernel/must.ts";
import { mayPlace, type Principal } from "../../../kernel/principal.ts";
import { type Adopted, adopt } from "../intent/adopt.ts";
import type { Intent } from "../intent/intent.ts";
import { type IntentLog, nextVersion } from "../intent/intent-log.ts";
import { enterSuspension, whyNotSuspend } from "../intent/suspend.ts";
import type { World } from "../world.ts";
import type { Hand } from "./advance.ts";
import { type Checkpoint, isPlanOver, isWaiting, type Plan } from "./plan.ts";
import { changeRows, logPlan, planOf } from "./plan-log.ts";
import type { Task } from "./task.ts";

const HOUR_MS = 3_600_000;

/** Whether completing this task would ask somebody. */
export function asksAfter(plan: Plan | undefined, task: Task): boolean {
  return pendingAfter(plan, task).some(({ requiresApproval }) => requiresApproval);
}

function pendingAfter(plan: Plan | undefined, { id, name }: Task): readonly Checkpoint[] {
  const here = ({ afterTask, status }: Checkpoint) =>
    status === "pending" && (afterTask === id || afterTask === name);
  return plan === undefined ? [] : plan.checkpoints.filter(here);
}

export function reachCheckpoints(start: IntentLog, task: Task, hand: Hand): IntentLog {
  const found = pendingAfter(planOf(start.draft, task), task);
  return found.reduce((intentLog, checkpoint) => {
    const plan = must(planOf(intentLog.draft, task), `the plan of task ${task.id}`);
    return reach(intentLog, plan, checkpoint, hand);
  }, start);
}

function reach(intentLog: IntentLog, plan: Plan, checkpoint: Checkpoint, hand: Hand): IntentLog {
  const { id, requiresApproval } = checkpoint;
  const reached = withCheckpoint(plan, { ...checkpoint, status: requiresApproval ? "waiting" : "reached" });
  const told = logPlan(
    intentLog,
    requiresApproval ? { ...reached, state: "paused" } : reached,
    "plan.checkpoint_reached",
    { checkpoint_id: id, name: checkpoint.name, requires_approval: requiresApproval },
  );
  return requiresApproval ? ask(told, checkpoint, plan.id, hand) : told;
}

export function withCheckpoint(plan: Plan, checkpoint: Checkpoint): Plan {
  const checkpoints = plan.checkpoints.map((other) => (other.id === checkpoint.id ? checkpoint : other));
  return { ...plan, checkpoints, version: plan.version + 1 };
}

/** An intent that cannot be suspended now leaves the checkpoint to its own call. */
function ask(intentLog: IntentLog, checkpoint: Checkpoint, planId: string, hand: Hand): IntentLog {
  const { intent, draft } = intentLog;
  const { by, made, context } = hand;
  if (made === undefined || whyNotSuspend(intent, draft) !== null) return intentLog;
  const suspended = enterSuspension(nextVersion(intentLog));
  const record = recordOf(checkpoint, made.holdId);
  // Its question is the server's own and its id is new: nothing about it can be refused.
  const adopted = adopt(suspended, record, askerOf(intent, by), made, context, holdOf(checkpoint)) as Adopted;
  const asked: Intent = {
    ...adopted.intentLog.intent,
    checkpoint: { planId, checkpointId: checkpoint.id, holdId: made.holdId },
  };
  const plan = must(draft.get("plan", planId), `plan ${planId}`);
  const waiting = withCheckpoint(plan, { ...checkpoint, status: "waiting", holdId: made.holdId });
  return logPlan({ ...adopted.intentLog, intent: asked }, waiting, "plan.paused", {
    checkpoint_id: checkpoint.id,
  });
}

/** Whoever finished the task asks, if they may ask at all; otherwise the intent's own agent. */
function askerOf({ createdBy }: Intent, by: Principal): Principal {
  return mayPlace(by) ? by : { role: "agent", via: "key", id: "plan", name: createdBy };
}

function recordOf({ name, timeoutHours, onTimeout }: Checkpoint, holdId: string): JsonObject {
  const expires = timeoutHours !== null && onTimeout !== "escalate";
  return {
    id: `checkpoint-${holdId}`,
    question: `The plan has reached the checkpoint ${name}. Shall it go on?`,
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

/** Named approvers alone answer; where a timeout escalates, people are told again instead of given up on. */
function holdOf({ approvers, timeoutHours, onTimeout }: Checkpoint): Partial<HoldIn> {
  const escalates = timeoutHours !== null && onTimeout === "escalate";
  return {
    ...(approvers.length === 0 ? {} : { answerers: approvers }),
    ...(escalates
      ? { rungs: [{ when: { afterMs: timeoutHours * HOUR_MS }, kind: "attempt" as const }] }
      : {}),
  };
}

/** The hold has ended: what that means for the plan it stopped. */
export function settleCheckpoint(intentLog: IntentLog, hold: Hold, outcome: Outcome): IntentLog {
  const { checkpoint: place, ...intent } = intentLog.intent;
  if (place === undefined || place.holdId !== hold.id) return intentLog;
  const told: IntentLog = { ...intentLog, intent };
  const verdict = verdictOf(outcome, intentLog.actor);
  const plan = must(intentLog.draft.get("plan", place.planId), `plan ${place.planId}`);
  const checkpoint = must(
    plan.checkpoints.find(({ id }) => id === place.checkpointId),
    `checkpoint ${place.checkpointId} of plan ${plan.id}`,
  );
  if (verdict !== undefined) return decideCheckpoint(told, plan, checkpoint, verdict);
  const { holdId: _withdrawn, ...open } = checkpoint;
  const asksNobody = withCheckpoint(plan, open);
  return isPlanOver(plan)
    ? changeRows(told, [{ kind: "plan", id: plan.id, body: asksNobody }])
    : logPlan(told, asksNobody, "plan.paused", { checkpoint_id: checkpoint.id });
}

export interface Verdict {
  readonly approve: boolean;
  readonly by: string;
  readonly reason?: string;
}

/** `undefined`: the question was withdrawn, and nobody has decided. */
function verdictOf(outcome: Outcome, actor: string): Verdict | undefined {
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
  // An answer that comes after the plan's end is kept, and brings nothing back to life.
  if (isPlanOver(plan))
    return logPlan(intentLog, decided, `plan.checkpoint_${approve ? "approved" : "rejected"}`, payload);
  if (!approve) {
    const rejected = logPlan(intentLog, { ...decided, state: "failed" }, "plan.checkpoint_rejected", payload);
    return logPlan(rejected, { ...decided, state: "failed" }, "plan.failed", {
      reason: "checkpoint_rejected",
    });
  }
  const goesOn: Plan = { ...decided, state: isWaiting(decided) ? "paused" : "active" };
  const told = logPlan(intentLog, goesOn, "plan.checkpoint_approved", payload);
  const isComplete = goesOn.state === "active" && goesOn.open === 0;
  return isComplete ? logPlan(told, { ...goesOn, state: "completed" }, "plan.completed") : told;
}

export function planAt(world: World, checkpointId: string): Plan | undefined {
  const place = world.get("plan_checkpoint", checkpointId);
  return place === undefined ? undefined : world.get("plan", place.planId);
}
