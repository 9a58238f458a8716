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
import { BODY, FOUND, INTENT, operation } from "./shared.ts";

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
      "invalid_transition",
      "UpstreamIntentSuspendedError",
      "UnresolvableInputError",
    ],
  }),

  listLeases: operation({
    id: "listLeases",
    method: "GET",
    path: `${INTENT}/leases`,
    tag: leases,
    summary: "An intent's leases",
    params: IntentParams,
    replies: { 200: LeaseListOut },
    errors: FOUND,
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

  getAcl: operation({
    id: "getIntentAcl",
    method: "GET",
    path: `${INTENT}/acl`,
    tag: access,
    summary: "Who may do what with an intent",
    params: IntentParams,
    replies: { 200: AclOut },
    errors: FOUND,
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

  getRetryPolicy: operation({
    id: "getRetryPolicy",
    method: "GET",
    path: `${INTENT}/retry-policy`,
    tag: work,
    summary: "An intent's retry policy",
    params: IntentParams,
    replies: { 200: RetryPolicyOut },
    errors: FOUND,
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

  listFailures: operation({
    id: "listFailures",
    method: "GET",
    path: `${INTENT}/failures`,
    tag: work,
    summary: "An intent's failures, oldest first",
    params: IntentParams,
    query: PageQuery,
    replies: { 200: FailureListOut },
    errors: [...FOUND, "invalid_request"],
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

  listDecisions: operation({
    id: "listDecisions",
    method: "GET",
    path: `${INTENT}/decisions`,
    tag: work,
    summary: "An intent's decisions, oldest first",
    params: IntentParams,
    query: PageQuery,
    replies: { 200: DecisionListOut },
    errors: [...FOUND, "invalid_request"],
  }),
};
