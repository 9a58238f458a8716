/**
 * Completing an intent whose policy asks people first. The attempt places one hold and is refused; when enough people have
 * approved, the next attempt completes the intent. Approving alone completes nothing (G10). People approve one version of the
 * intent: when it changes, they are asked again (G12).
 */

import type { Context } from "../../../kernel/context.ts";
import { must } from "../../../kernel/must.ts";
import type { Failure } from "../failure.ts";
import { requestAsk } from "../request/ask.ts";
import { pendingOf, placeRequest } from "../request/place.ts";
import type { RequestRef } from "../request/request.ts";
import { withdrawRequests } from "../request/withdraw.ts";
import type { Draft } from "../world.ts";
import { askerOf } from "./asker.ts";
import type { SetStatus } from "./commands.ts";
import { effectivePolicy, neededOf, violated, violation } from "./governance.ts";
import type { Intent } from "./intent.ts";
import { append, begin, type IntentLog } from "./intent-log.ts";

const COMPLETE = "complete";

/** `intent` as it was before the command. */
export function whyNotGoverned(
  command: SetStatus,
  intent: Intent,
  draft: Draft,
  context: Context,
): Failure | null {
  const mode = effectivePolicy(intent.governance).completionMode;
  const { denied } = intent.completion ?? {};
  const approvals = currentApprovals(intent);
  const needed = neededOf(intent);
  const people = new Set(approvals.map(({ by }) => by).filter((by) => by !== ""));
  // Any approval is enough where one is asked for; several must come from people who are known to be different.
  const received = needed === 1 ? approvals.length : people.size;
  if (mode === "auto" || (needed !== null && received >= needed)) return null;
  const rule = "completion_mode";
  if (needed === null) {
    const message = "the policy asks for a quorum of the assigned agents' people, and no agent is assigned";
    return violated(intent, command.by, draft, context.now, { rule, message, detail: { mode } });
  }
  const counts = { mode, approvals_received: received, approvals_required: needed };
  const pending = pendingOf(intent).find((request) => isToComplete(request) && !isOutdated(request, intent));
  if (pending !== undefined) {
    const message = "people have been asked whether this intent may complete; try again when they approved";
    const detail = {
      ...counts,
      approval_id: pending.id,
      hold_id: pending.holdId,
      approval_status: "pending",
    };
    return violation({ rule, message, detail });
  }
  if (denied?.version === intent.version) {
    const message = "a person denied the completion of this intent, and it has not changed since";
    return violation({
      rule,
      message,
      detail: { ...counts, approval_id: denied.id, approval_status: "denied" },
    });
  }
  const isOld = (request: RequestRef) => isToComplete(request) && isOutdated(request, intent);
  withdrawRequests(intent.id, draft, command.by, context.now, isOld, "the intent has changed since");
  const current = must(draft.get("intent", intent.id), `intent ${intent.id}`);
  return askToComplete(command, current, draft, context, counts);
}

function isToComplete({ type, action }: RequestRef): boolean {
  return type === "approval" && action === COMPLETE;
}

function isOutdated({ version }: RequestRef, intent: Intent): boolean {
  return version !== undefined && version !== intent.version;
}

function currentApprovals({ completion, version }: Intent) {
  return (completion?.approvals ?? []).filter((approval) => approval.version === version);
}

type Counts = {
  readonly mode: string;
  readonly approvals_received: number;
  readonly approvals_required: number;
};

function askToComplete(
  { by, made, reason = "" }: SetStatus,
  intent: Intent,
  draft: Draft,
  context: Context,
  counts: Counts,
): Failure {
  const id = `approval_${made.holdId.slice(made.holdId.indexOf("_") + 1)}`;
  const { mode: _mode, ...votes } = counts;
  const asked = {
    id,
    type: "approval",
    action: COMPLETE,
    reason,
    context: counts.approvals_required === 1 ? {} : votes,
  } as const;
  const asker = askerOf(intent, by);
  const question = { ask: requestAsk(asked, intent, asker.name) };
  const placed = placeRequest(begin(intent, draft, context.now, by), asked, question, asker, made, context);
  if ("code" in placed) return placed;
  const message = "the policy asks people before this intent completes; they have been asked now";
  const detail = { ...counts, approval_id: id, hold_id: placed.hold.id, approval_status: "pending" };
  return violated(placed.intentLog.intent, by, draft, context.now, {
    rule: "completion_mode",
    message,
    detail,
  });
}

/** The approvals are used up by the completion, and the log says which they were. `before`: the intent as people approved it. */
export function enforced(intentLog: IntentLog, before: Intent): IntentLog {
  const { completion: _used, ...intent } = intentLog.intent;
  const approvals = currentApprovals(before);
  if (approvals.length === 0) return intentLog;
  return append(
    { ...intentLog, intent },
    {
      type: "governance.approval_enforced",
      payload: { approval_ids: approvals.map(({ id }) => id) },
    },
  );
}
