/** The end of a question's hold: the row says how it ended, and the intent follows in the same commit. */

import { changesOf, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Hold, Outcome } from "../../../kernel/hold/hold.ts";
import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { aclOf, logAccess } from "../intent/acl.ts";
import type { AclEntryIn } from "../intent/commands.ts";
import { type Decided, deciderOf } from "../intent/decider.ts";
import type { Intent, Level } from "../intent/intent.ts";
import { append, begin, changeIntent, type IntentLog } from "../intent/intent-log.ts";
import type { DecisionRecord } from "../intent/records.ts";
import { readTime } from "../intent/wire-time.ts";
import { decideCheckpoint, leaveOpen, verdictOf } from "../plan/checkpoint.ts";
import type { Draft } from "../world.ts";
import { pendingOf } from "./place.ts";
import {
  type AccessRequest,
  type CheckpointRequest,
  INTENT_REQUEST,
  type IntentRequest,
  type RequestType,
} from "./request.ts";

export function settleRequest(
  id: string,
  hold: Hold,
  outcome: Outcome,
  draft: Draft,
  by: Principal,
): IntentRequest {
  const before = must(draft.get("intent_request", id), `question ${id} of hold ${hold.id}`);
  const intent = must(draft.get("intent", before.intentId), `the intent of question ${id}`);
  const request: IntentRequest = { ...before, ...endOf(before, outcome) };
  const requests = pendingOf(intent).filter((other) => other.id !== id);
  const intentLog = changeIntent(
    begin(intent, draft, outcome.at, by),
    { requests, ...completionOf(intent, request, outcome) },
    [{ kind: INTENT_REQUEST, id, body: request }],
  );
  if (request.type === "checkpoint") settleBeside(intentLog, request, hold, outcome);
  else if (outcome.kind === "decided") logDecided(intentLog, request, outcome);
  return request;
}

type Ending = Pick<IntentRequest, "status" | "endedAt" | "decidedBy" | "notes" | "resolution">;

function endOf({ type }: IntentRequest, outcome: Outcome): Ending {
  const { at: endedAt } = outcome;
  if (outcome.kind !== "decided") return { status: outcome.kind, endedAt };
  return { endedAt, decidedBy: deciderOf(outcome), ...verdictIn(type, outcome) };
}

function verdictIn(
  type: RequestType,
  { data, action }: Decided,
): Pick<IntentRequest, "status" | "notes" | "resolution"> {
  switch (type) {
    case "escalation":
      return { status: "resolved", resolution: textOf(data["resolution"]), notes: textOf(data["notes"]) };
    case "arbitration":
      return { status: "resolved", ...arbitrated(data) };
    case "checkpoint":
      return { status: isApproved(data) ? "approved" : "denied" };
    case "approval": {
      // OpenIntent has no word for changes, so its agent would run what was asked, which nobody approved (G14).
      const isAsAsked = action === "approve" && changesOf({ type }, { action, data }).length === 0;
      return { status: isAsAsked ? "approved" : "denied", notes: textOf(data["feedback"]) };
    }
    default:
      return { status: action === "approve" ? "approved" : "denied", notes: textOf(data["feedback"]) };
  }
}

function isApproved({ selected }: JsonObject): boolean {
  return Array.isArray(selected) && selected[0] === "approve";
}

function arbitrated(data: JsonObject): Pick<IntentRequest, "resolution" | "notes"> {
  const { selected } = data;
  if (!Array.isArray(selected))
    return { resolution: textOf(data["decision"]), notes: textOf(data["reasoning"]) };
  return { resolution: textOf(selected[0]), notes: textOf(data["note"]) };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The verdict about the action `complete` is about the version of the intent for which people were asked (G12). */
function completionOf(intent: Intent, request: IntentRequest, outcome: Outcome): Partial<Intent> {
  if (request.type !== "approval" || request.action !== "complete" || outcome.kind !== "decided") return {};
  const { id, status, version = intent.version } = request;
  const { approvals = [] } = intent.completion ?? {};
  if (status === "denied") return { completion: { approvals, denied: { id, version } } };
  const by = provenBy(outcome);
  const others = approvals.filter((other) => other.by !== by);
  return { completion: { approvals: [...others, { id, by, version }] } };
}

/** Who approved, as a quorum counts it. A name that the client sent, a link and an app's user prove nobody: empty. */
function provenBy({ by: { kind, name } }: Decided): string {
  return kind === "link" || kind === "app" ? "" : (name as string);
}

type Settled = Exclude<IntentRequest, { readonly type: "checkpoint" }>;

function logDecided(intentLog: IntentLog, request: Settled, outcome: Decided): IntentLog {
  const { id, status } = request;
  const decidedBy = deciderOf(outcome);
  switch (request.type) {
    case "escalation":
      return append(intentLog, {
        type: "coordinator.escalation_resolved",
        payload: { escalation_id: id, resolved_by: decidedBy },
      });
    case "arbitration":
      return recordArbitration(intentLog, request, decidedBy);
    case "access": {
      const payload = { request_id: id, principal_id: request.principalId, decided_by: decidedBy };
      if (status !== "approved") return append(intentLog, { type: "access_request_denied", payload });
      return grant(append(intentLog, { type: "access_request_approved", payload }), request, outcome);
    }
    case "approval":
      return append(intentLog, {
        type: status === "approved" ? "governance.approval_granted" : "governance.approval_denied",
        payload: { approval_id: id, action: request.action, decided_by: decidedBy },
      });
  }
}

/** The decision is also one of the intent's decisions, as if the person had recorded it by hand. */
function recordArbitration(intentLog: IntentLog, request: Settled, decidedBy: string): IntentLog {
  const { id: arbitrationId, resolution, notes } = request as Required<Settled>;
  const id = `decision_${arbitrationId.slice(arbitrationId.indexOf("_") + 1)}`;
  const body: DecisionRecord = {
    id,
    intentId: intentLog.intent.id,
    madeBy: decidedBy,
    decisionType: "arbitration",
    outcome: resolution,
    reasoning: notes,
    at: intentLog.at,
  };
  return append(intentLog, {
    type: "decision_recorded",
    payload: { decision_id: id, decision_type: "arbitration", arbitration_id: arbitrationId },
    also: [{ kind: "decision", id, body }],
  });
}

/** Adds the entry to the access list, with the permission and the end that the person chose. */
function grant(intentLog: IntentLog, request: AccessRequest, outcome: Decided): IntentLog {
  const chosen = (member(outcome.data, "edited_args") ?? {}) as JsonObject;
  const expiresAt = readTime(textOf(chosen["expires_at"])) ?? undefined;
  const entry: AclEntryIn = {
    id: `acl_${request.id.slice(request.id.indexOf("_") + 1)}`,
    principalId: request.principalId,
    principalType: request.principalType,
    permission: (chosen["permission"] ?? request.permission) as Level,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(request.reason === "" ? {} : { reason: request.reason }),
  };
  const acl = aclOf(intentLog.intent);
  const granted = { ...entry, grantedBy: deciderOf(outcome), grantedAt: intentLog.at };
  return logAccess(intentLog, "access_granted", entry, { ...acl, entries: [...acl.entries, granted] });
}

function settleBeside(
  intentLog: IntentLog,
  { planId, checkpointId }: CheckpointRequest,
  hold: Hold,
  outcome: Outcome,
): IntentLog {
  const plan = must(intentLog.draft.get("plan", planId), `plan ${planId}`);
  const checkpoint = must(
    plan.checkpoints.find(({ id }) => id === checkpointId),
    `the checkpoint that hold ${hold.id} stands for`,
  );
  const verdict = verdictOf(outcome, intentLog.actor);
  return verdict === undefined
    ? leaveOpen(intentLog, plan, checkpoint)
    : decideCheckpoint(intentLog, plan, checkpoint, verdict);
}
