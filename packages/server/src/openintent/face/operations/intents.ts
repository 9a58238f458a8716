/** Operations on intents: create, read, change. */

import { IfMatch, IntentParams, Open } from "../wire/base.ts";
import {
  AgentIn,
  AgentOut,
  GovernanceOut,
  IntentIn,
  IntentListOut,
  IntentListQuery,
  IntentOut,
  StateIn,
  StatusIn,
} from "../wire/intent.ts";
import { AgentParams } from "../wire/work.ts";
import { BODY, CALLER, FOUND, INTENT, operation, ROOT, reading, VERSIONED } from "./shared.ts";

const tag = "intents";

export const intentOperations = {
  createIntent: operation({
    id: "createIntent",
    method: "POST",
    path: `${ROOT}/intents`,
    tag,
    summary: "Make an intent",
    body: IntentIn,
    replies: { 200: IntentOut },
    errors: [
      "invalid_policy",
      ...CALLER,
      ...BODY,
      "unknown_dependency",
      "dependency_cycle",
      "too_many",
      "invalid_record",
      "invalid_patch",
      "invalid_transition",
    ],
  }),

  listIntents: reading({
    id: "listIntents",
    path: `${ROOT}/intents`,
    tag,
    summary: "Intents, newest first",
    query: IntentListQuery,
    reply: IntentListOut,
  }),

  getIntent: reading({
    id: "getIntent",
    path: INTENT,
    tag,
    summary: "Read an intent, its suspension included",
    params: IntentParams,
    reply: IntentOut,
  }),

  patchState: operation({
    id: "patchIntentState",
    method: "POST",
    path: `${INTENT}/state`,
    tag,
    summary: "Write to an intent's state",
    description:
      "A record set at `/_suspension` is the question of the suspension that the status says, in whichever order the two " +
      "are written. Once it is being asked, neither question nor answer can be changed this way.",
    params: IntentParams,
    headers: IfMatch,
    body: StateIn,
    replies: { 200: IntentOut },
    errors: [
      ...FOUND,
      ...BODY,
      ...VERSIONED,
      "too_many",
      "invalid_patch",
      "invalid_record",
      "scope_leased",
      "suspension_immutable",
      "suspension_expired",
      "governance_violation",
    ],
  }),

  setStatus: operation({
    id: "setIntentStatus",
    method: "POST",
    path: `${INTENT}/status`,
    tag,
    summary: "Change an intent's status",
    params: IntentParams,
    headers: IfMatch,
    body: StatusIn,
    replies: { 200: IntentOut },
    errors: [
      ...FOUND,
      ...BODY,
      ...VERSIONED,
      "invalid_transition",
      "intent_suspended",
      "suspension_pending",
      "invalid_record",
      "dependencies_incomplete",
      "children_incomplete",
      "MissingOutputError",
      "OutputTypeMismatchError",
      "governance_violation",
      "too_many",
    ],
  }),

  setGovernance: operation({
    id: "setIntentGovernance",
    method: "PUT",
    path: `${INTENT}/governance`,
    tag,
    summary: "Set an intent's governance policy",
    params: IntentParams,
    headers: IfMatch,
    body: Open,
    replies: { 200: IntentOut },
    errors: [...FOUND, ...BODY, ...VERSIONED, "invalid_policy"],
  }),

  getGovernance: reading({
    id: "getIntentGovernance",
    path: `${INTENT}/governance`,
    tag,
    summary: "Read an intent's governance policy",
    params: IntentParams,
    reply: GovernanceOut,
  }),

  removeGovernance: operation({
    id: "removeIntentGovernance",
    method: "DELETE",
    path: `${INTENT}/governance`,
    tag,
    summary: "Remove an intent's governance policy",
    params: IntentParams,
    headers: IfMatch,
    replies: { 200: IntentOut },
    errors: [...FOUND, ...VERSIONED],
  }),

  assignAgent: operation({
    id: "assignAgent",
    method: "POST",
    path: `${INTENT}/agents`,
    tag,
    summary: "Assign an agent to an intent",
    params: IntentParams,
    body: AgentIn,
    replies: { 200: AgentOut },
    errors: [...FOUND, ...BODY, "governance_violation", "too_many"],
  }),

  unassignAgent: operation({
    id: "unassignAgent",
    method: "DELETE",
    path: `${INTENT}/agents/{agent_id}`,
    tag,
    summary: "Take an agent off an intent",
    params: AgentParams,
    replies: { 204: null },
    errors: FOUND,
  }),
};
