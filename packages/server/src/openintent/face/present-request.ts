/** Writes approvals, escalations, arbitrations and requests for access for the wire. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { wireTime } from "../rules/intent/wire-time.ts";
import type { IntentRequest, RequestType } from "../rules/request/request.ts";
import { timeOrNull } from "./present.ts";

type Of<T extends RequestType> = Extract<IntentRequest, { readonly type: T }>;

function common({ id, intentId, holdId, reason, context, at }: IntentRequest): JsonObject {
  return { id, intent_id: intentId, hold_id: holdId, reason, context, created_at: wireTime(at) };
}

/** Members that are left out while there is nothing to say. */
function whenGiven(members: Readonly<Record<string, string | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(
      (each): each is [string, string] => each[1] !== undefined && each[1] !== "",
    ),
  );
}

function endTime({ endedAt }: IntentRequest): string | undefined {
  return endedAt === undefined ? undefined : wireTime(endedAt);
}

export function presentApproval(request: Of<"approval">): JsonObject {
  const { askedBy, action, status, decidedBy, notes } = request;
  return {
    ...common(request),
    requested_by: askedBy,
    action,
    status,
    ...whenGiven({ decided_at: endTime(request), decided_by: decidedBy, decision_notes: notes }),
  };
}

export function presentEscalation(request: Of<"escalation">): JsonObject {
  const { askedBy, priority, urgency, status, decidedBy, resolution, notes } = request;
  return {
    ...common(request),
    escalated_by: askedBy,
    priority,
    urgency,
    status,
    ...whenGiven({ resolved_at: endTime(request), resolved_by: decidedBy }),
    ...whenGiven({ resolution, resolution_notes: notes }),
  };
}

export function presentArbitration(request: Of<"arbitration">): JsonObject {
  const { askedBy, status, decidedBy, resolution } = request;
  return {
    ...common(request),
    requester_id: askedBy,
    status: status === "resolved" ? "decided" : status,
    ...whenGiven({ decision: resolution, decided_by: decidedBy }),
  };
}

/** Clients know three words: a request that was withdrawn gives no access, so it reads as denied, by nobody (G5). */
export function presentAccessRequest(request: Of<"access">): JsonObject {
  const { status, decidedBy, endedAt, notes } = request;
  const isOver = status === "expired" || status === "cancelled";
  return {
    ...common(request),
    principal_id: request.principalId,
    principal_type: request.principalType,
    requested_permission: request.permission,
    capabilities: [...request.capabilities],
    status: isOver ? "denied" : status,
    decided_by: decidedBy ?? null,
    decided_at: timeOrNull(endedAt),
    decision_reason: isOver
      ? `nobody decided: the request was ${status}`
      : notes === ""
        ? null
        : (notes ?? null),
  };
}
