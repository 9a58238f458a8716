/** Leases, access, retries and decisions. */

import { IntentParams } from "../wire/base.ts";
import {
  AclEntryOut,
  AclIn,
  AclOut,
  DecisionIn,
  DecisionListOut,
  DecisionOut,
  EntryParams,
  FailureIn,
  FailureListOut,
  FailureOut,
  GrantIn,
  LeaseIn,
  LeaseListOut,
  LeaseOut,
  LeaseParams,
  PageQuery,
  RenewIn,
  RetryPolicyIn,
  RetryPolicyOut,
} from "../wire/work.ts";
import { BODY, FOUND, INTENT, operation, reading } from "./shared.ts";

const leases = "leases";
const access = "intent access";
const work = "intent work";

export const workOperations = {
  acquireLease: operation({
    id: "acquireLease",
    method: "POST",
    path: `${INTENT}/leases`,
    tag: leases,
    summary: "Own a scope of an intent for a while",
    params: IntentParams,
    body: LeaseIn,
    replies: { 200: LeaseOut },
    errors: [
      ...FOUND,
      ...BODY,
      "lease_taken",
      "too_many",
      "invalid_transition",
      "UpstreamIntentSuspendedError",
      "UnresolvableInputError",
    ],
  }),

  listLeases: reading({
    id: "listLeases",
    path: `${INTENT}/leases`,
    tag: leases,
    summary: "An intent's leases",
    params: IntentParams,
    reply: LeaseListOut,
  }),

  renewLease: operation({
    id: "renewLease",
    method: "PATCH",
    path: `${INTENT}/leases/{lease_id}`,
    tag: leases,
    summary: "Renew a lease; while the intent is suspended, at any time",
    params: LeaseParams,
    body: RenewIn,
    replies: { 200: LeaseOut },
    errors: [...FOUND, ...BODY, "lease_over"],
  }),

  releaseLease: operation({
    id: "releaseLease",
    method: "DELETE",
    path: `${INTENT}/leases/{lease_id}`,
    tag: leases,
    summary: "Give a lease back",
    params: LeaseParams,
    replies: { 200: LeaseOut },
    errors: FOUND,
  }),

  getAcl: reading({
    id: "getIntentAcl",
    path: `${INTENT}/acl`,
    tag: access,
    summary: "Who may do what with an intent",
    params: IntentParams,
    reply: AclOut,
  }),

  setAcl: operation({
    id: "setIntentAcl",
    method: "PUT",
    path: `${INTENT}/acl`,
    tag: access,
    summary: "Replace an intent's access list",
    params: IntentParams,
    body: AclIn,
    replies: { 200: AclOut },
    errors: [...FOUND, ...BODY, "too_many"],
  }),

  grantAccess: operation({
    id: "grantIntentAccess",
    method: "POST",
    path: `${INTENT}/acl/entries`,
    tag: access,
    summary: "Let somebody in",
    params: IntentParams,
    body: GrantIn,
    replies: { 200: AclEntryOut },
    errors: [...FOUND, ...BODY, "too_many"],
  }),

  revokeAccess: operation({
    id: "revokeIntentAccess",
    method: "DELETE",
    path: `${INTENT}/acl/entries/{entry_id}`,
    tag: access,
    summary: "Keep somebody out again",
    params: EntryParams,
    replies: { 204: null },
    errors: FOUND,
  }),

  setRetryPolicy: operation({
    id: "setRetryPolicy",
    method: "PUT",
    path: `${INTENT}/retry-policy`,
    tag: work,
    summary: "Say when a failed agent tries again, and who takes over",
    params: IntentParams,
    body: RetryPolicyIn,
    replies: { 200: RetryPolicyOut },
    errors: [...FOUND, ...BODY],
  }),

  getRetryPolicy: reading({
    id: "getRetryPolicy",
    path: `${INTENT}/retry-policy`,
    tag: work,
    summary: "An intent's retry policy",
    params: IntentParams,
    reply: RetryPolicyOut,
  }),

  recordFailure: operation({
    id: "recordFailure",
    method: "POST",
    path: `${INTENT}/failures`,
    tag: work,
    summary: "Record that an agent failed",
    params: IntentParams,
    body: FailureIn,
    replies: { 200: FailureOut },
    errors: [...FOUND, ...BODY],
  }),

  listFailures: reading({
    id: "listFailures",
    path: `${INTENT}/failures`,
    tag: work,
    summary: "An intent's failures, oldest first",
    params: IntentParams,
    query: PageQuery,
    reply: FailureListOut,
  }),

  recordDecision: operation({
    id: "recordDecision",
    method: "POST",
    path: `${INTENT}/decisions`,
    tag: work,
    summary: "Record a decision and its reasons",
    params: IntentParams,
    body: DecisionIn,
    replies: { 200: DecisionOut },
    errors: [...FOUND, ...BODY],
  }),

  listDecisions: reading({
    id: "listDecisions",
    path: `${INTENT}/decisions`,
    tag: work,
    summary: "An intent's decisions, oldest first",
    params: IntentParams,
    query: PageQuery,
    reply: DecisionListOut,
  }),
};
