/** The end of a question's hold: the row says how it ended, and the intent follows in the same commit. */

import { type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Hold, Outcome } from "../../../kernel/hold/hold.ts";
import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { aclOf, logAccess } from "../intent/acl.ts";
import type { AclEntryIn } from "../intent/commands.ts";
import type { Intent, Level } from "../intent/intent.ts";
import { append, begin, changeIntent, type IntentLog } from "../intent/intent-log.ts";
import type { DecisionRecord } from "../intent/records.ts";
import { readTime } from "../intent/wire-time.ts";
import { decideCheckpoint, leaveOpen, verdictOf } from "../plan/checkpoint.ts";
import type { Draft } from "../world.ts";
import { pendingOf } from "./place.ts";
import { INTENT_REQUEST, type IntentRequest } from "./request.ts";

type Decided = Extract<Outcome, { readonly kind: "decided" }>;

export function settleRequest(id: string, hold: Hold, outcome: Outcome, draft: Draft, by: Principal): void {
  const before = must(draft.get("intent_request", id), `question ${id} of hold ${hold.id}`);
  const intent = must(draft.get("intent", before.intentId), `the intent of question ${id}`);
  const request = endedRequest(before, outcome);
  const requests = pendingOf(intent).filter((other) => other.id !== id);
  const intentLog = changeIntent(
    begin(intent, draft, outcome.at, by),
    { requests, ...completionOf(intent, request) },
    [{ kind: INTENT_REQUEST, id, body: request }],
  );
  if (request.type === "checkpoint") settleCheckpointRequest(intentLog, request, hold, outcome);
  else if (outcome.kind === "decided") logDecided(intentLog, request, outcome);
}

function endedRequest(request: IntentRequest, outcome: Outcome): IntentRequest {
  const ended = { ...request, endedAt: outcome.at };
  if (outcome.kind !== "decided") return { ...ended, status: outcome.kind };
  const { data, action } = outcome;
  const text = (name: string) => textOf(member(data, name));
  const decided = { ...ended, decidedBy: deciderOf(outcome) };
  switch (request.type) {
    case "escalation":
      return { ...decided, status: "resolved", resolution: text("resolution"), notes: text("notes") };
    case "arbitration":
      return { ...decided, status: "resolved", ...arbitrated(data) };
    case "checkpoint":
      return { ...decided, status: isApproved(data) ? "approved" : "denied" };
    default:
      return { ...decided, status: action === "approve" ? "approved" : "denied", notes: text("feedback") };
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

function deciderOf({ by }: Decided): string {
  const claimed = by.claimed?.["name"];
  return typeof claimed === "string" ? claimed : (by.name ?? by.id);
}

/** An approval of the action `complete` counts towards the intent's completion, and a denial is remembered. */
function completionOf(intent: Intent, request: IntentRequest): Partial<Intent> {
  const { id, type, action, status, decidedBy } = request;
  if (type !== "approval" || action !== "complete") return {};
  const { approvals = [] } = intent.completion ?? {};
  if (status === "denied") return { completion: { approvals, denied: { id, version: intent.version } } };
  if (status !== "approved" || decidedBy === undefined) return {};
  return { completion: { approvals: [...approvals, { id, by: decidedBy }] } };
}

function logDecided(intentLog: IntentLog, request: IntentRequest, outcome: Decided): IntentLog {
  const { id, status, decidedBy = "" } = request;
  switch (request.type) {
    case "escalation":
      return append(intentLog, {
        type: "coordinator.escalation_resolved",
        payload: { escalation_id: id, resolved_by: decidedBy },
      });
    case "arbitration":
      return recordArbitration(intentLog, request);
    case "access":
      return status === "approved"
        ? grant(logAccessRequest(intentLog, request, "access_request_approved"), request, outcome)
        : logAccessRequest(intentLog, request, "access_request_denied");
    default:
      return append(intentLog, {
        type: status === "approved" ? "governance.approval_granted" : "governance.approval_denied",
        payload: { approval_id: id, action: request.action ?? "", decided_by: decidedBy },
      });
  }
}

/** The decision is also one of the intent's decisions, as if the person had recorded it by hand. */
function recordArbitration(intentLog: IntentLog, request: IntentRequest): IntentLog {
  const { id: arbitrationId, decidedBy = "", resolution = "", notes = "" } = request;
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

function logAccessRequest(
  intentLog: IntentLog,
  { id, access, decidedBy = "" }: IntentRequest,
  type: "access_request_approved" | "access_request_denied",
): IntentLog {
  const payload = { request_id: id, principal_id: access?.principalId ?? "", decided_by: decidedBy };
  return append(intentLog, { type, payload });
}

/** Adds the entry to the access list, with the permission and the end that the person chose. */
function grant(intentLog: IntentLog, request: IntentRequest, { data }: Decided): IntentLog {
  const access = must(request.access, `the access that ${request.id} asks for`);
  const chosen = (member(data, "edited_args") ?? {}) as JsonObject;
  const expiresAt = readTime(textOf(chosen["expires_at"])) ?? undefined;
  const entry: AclEntryIn = {
    id: `acl_${request.id.slice(request.id.indexOf("_") + 1)}`,
    principalId: access.principalId,
    principalType: access.principalType,
    permission: (chosen["permission"] ?? access.permission) as Level,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(request.reason === "" ? {} : { reason: request.reason }),
  };
  const acl = aclOf(intentLog.intent);
  const granted = { ...entry, grantedBy: request.decidedBy ?? intentLog.actor, grantedAt: intentLog.at };
  return logAccess(intentLog, "access_granted", entry, { ...acl, entries: [...acl.entries, granted] });
}

function settleCheckpointRequest(
  intentLog: IntentLog,
  request: IntentRequest,
  hold: Hold,
  outcome: Outcome,
): IntentLog {
  const { planId, checkpointId } = must(request.checkpoint, `the checkpoint of question ${request.id}`);
  const plan = must(intentLog.draft.get("plan", planId), `plan ${planId}`);
  const checkpoint = plan.checkpoints.find(({ id, holdId }) => id === checkpointId && holdId === hold.id);
  if (checkpoint === undefined) return intentLog;
  const verdict = verdictOf(outcome, intentLog.actor);
  return verdict === undefined
    ? leaveOpen(intentLog, plan, checkpoint)
    : decideCheckpoint(intentLog, plan, checkpoint, verdict);
}
