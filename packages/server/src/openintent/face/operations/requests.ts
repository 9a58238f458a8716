/** Questions to people about an intent that do not suspend it. Each is a hold. */

import { IntentParams } from "../wire/base.ts";
import {
  AccessDecisionIn,
  AccessRequestIn,
  AccessRequestListOut,
  AccessRequestOut,
  AccessRequestParams,
  ApprovalDecisionIn,
  ApprovalIn,
  ApprovalOut,
  ApprovalParams,
  ArbitrationIn,
  ArbitrationOut,
  ArbitrationParams,
  EscalationIn,
  EscalationListOut,
  EscalationOut,
  EscalationParams,
  EscalationQuery,
  ResolutionIn,
} from "../wire/request.ts";
import { BODY, FOUND, INTENT, operation, ROOT, reading } from "./shared.ts";

const approvals = "approvals";
const escalations = "escalations";
const access = "intent access";

const ASKING = [...FOUND, ...BODY, "too_many"] as const;
const ANSWERING = [...FOUND, ...BODY, "already_resolved", "suspension_expired", "invalid_value"] as const;

const deciding = {
  method: "POST",
  tag: approvals,
  params: ApprovalParams,
  body: ApprovalDecisionIn,
  replies: { 200: ApprovalOut },
  errors: ANSWERING,
} as const;

const decidingAccess = {
  method: "POST",
  tag: access,
  params: AccessRequestParams,
  body: AccessDecisionIn,
  replies: { 200: AccessRequestOut },
  errors: ANSWERING,
} as const;

export const requestOperations = {
  requestApproval: operation({
    id: "requestApproval",
    method: "POST",
    path: `${INTENT}/approvals`,
    tag: approvals,
    summary: "Ask people to approve an action; places a hold and leaves the intent as it is",
    params: IntentParams,
    body: ApprovalIn,
    replies: { 200: ApprovalOut },
    errors: ASKING,
  }),

  getApproval: reading({
    id: "getApproval",
    path: `${INTENT}/approvals/{approval_id}`,
    tag: approvals,
    summary: "How an approval stands",
    params: ApprovalParams,
    reply: ApprovalOut,
  }),

  approveApproval: operation({
    ...deciding,
    id: "approveApproval",
    path: `${INTENT}/approvals/{approval_id}/approve`,
    summary: "Approve; the same as answering its hold",
  }),

  denyApproval: operation({
    ...deciding,
    id: "denyApproval",
    path: `${INTENT}/approvals/{approval_id}/deny`,
    summary: "Deny; the same as answering its hold",
  }),

  escalateToHuman: operation({
    id: "escalateToHuman",
    method: "POST",
    path: `${INTENT}/escalations`,
    tag: escalations,
    summary: "Ask a person to take care of something; places a hold",
    params: IntentParams,
    body: EscalationIn,
    replies: { 200: EscalationOut },
    errors: ASKING,
  }),

  listEscalations: operation({
    id: "listEscalations",
    method: "GET",
    path: `${ROOT}/escalations`,
    tag: escalations,
    summary: "Escalations of the intents that the caller may read, newest first",
    query: EscalationQuery,
    replies: { 200: EscalationListOut },
    // The query may name an intent.
    errors: [...FOUND, "invalid_request"],
  }),

  resolveEscalation: operation({
    id: "resolveEscalation",
    method: "POST",
    path: `${ROOT}/escalations/{id}/resolve`,
    tag: escalations,
    summary: "Resolve; the same as answering its hold",
    params: EscalationParams,
    body: ResolutionIn,
    replies: { 200: EscalationOut },
    errors: ANSWERING,
  }),

  requestArbitration: operation({
    id: "requestArbitration",
    method: "POST",
    path: `${INTENT}/arbitrate`,
    tag: escalations,
    summary: "Ask a person to decide; places a hold, and the answer is one of the intent's decisions",
    params: IntentParams,
    body: ArbitrationIn,
    replies: { 200: ArbitrationOut },
    errors: ASKING,
  }),

  getArbitration: reading({
    id: "getArbitration",
    path: `${INTENT}/arbitrations/{arbitration_id}`,
    tag: escalations,
    summary: "How an arbitration stands",
    params: ArbitrationParams,
    reply: ArbitrationOut,
  }),

  requestAccess: operation({
    id: "requestIntentAccess",
    method: "POST",
    path: `${INTENT}/access-requests`,
    tag: access,
    summary: "Ask for access to an intent; places a hold. Needs no access yet",
    params: IntentParams,
    body: AccessRequestIn,
    replies: { 200: AccessRequestOut },
    errors: ASKING,
  }),

  listAccessRequests: reading({
    id: "listAccessRequests",
    path: `${INTENT}/access-requests`,
    tag: access,
    summary: "Requests for access to an intent, newest first",
    params: IntentParams,
    reply: AccessRequestListOut,
  }),

  approveAccessRequest: operation({
    ...decidingAccess,
    id: "approveAccessRequest",
    path: `${INTENT}/access-requests/{request_id}/approve`,
    summary: "Give access, with another permission or for a time if wanted",
  }),

  denyAccessRequest: operation({
    ...decidingAccess,
    id: "denyAccessRequest",
    path: `${INTENT}/access-requests/{request_id}/deny`,
    summary: "Refuse access",
  }),
};
