/** Coordinators: who answers for an intent or a portfolio. */

import { IntentParams } from "../wire/base.ts";
import {
  CoordinatorDecisionIn,
  CoordinatorDecisionListOut,
  CoordinatorDecisionOut,
  CoordinatorIn,
  CoordinatorListOut,
  CoordinatorOut,
  CoordinatorParams,
  CoordinatorPatchIn,
  DecisionsQuery,
  HeartbeatOut,
} from "../wire/coordinator.ts";
import { ReasonIn } from "../wire/plan.ts";
import { BODY, FOUND, INTENT, operation, ROOT, reading } from "./shared.ts";

const tag = "coordinators";
const COORDINATOR = `${ROOT}/coordinators/{id}`;

const moving = {
  method: "POST",
  tag,
  params: CoordinatorParams,
  body: ReasonIn,
  replies: { 200: CoordinatorOut },
  errors: [...FOUND, ...BODY, "invalid_transition"],
} as const;

export const coordinatorOperations = {
  grantCoordinator: operation({
    id: "grantCoordinator",
    method: "POST",
    path: `${ROOT}/coordinators`,
    tag,
    summary: "Have an agent answer for an intent or a portfolio",
    body: CoordinatorIn,
    replies: { 200: CoordinatorOut },
    errors: [...FOUND, ...BODY, "lease_taken"],
  }),

  getCoordinator: reading({
    id: "getCoordinator",
    path: COORDINATOR,
    tag,
    summary: "A coordinator",
    params: CoordinatorParams,
    reply: CoordinatorOut,
  }),

  listCoordinators: reading({
    id: "listCoordinators",
    path: `${INTENT}/coordinators`,
    tag,
    summary: "Who answers, and who answered, for an intent",
    params: IntentParams,
    reply: CoordinatorListOut,
  }),

  changeCoordinator: operation({
    id: "changeCoordinator",
    method: "PATCH",
    path: COORDINATOR,
    tag,
    summary: "Change a coordinator",
    params: CoordinatorParams,
    body: CoordinatorPatchIn,
    replies: { 200: CoordinatorOut },
    errors: [...FOUND, ...BODY, "invalid_transition"],
  }),

  beatCoordinator: operation({
    id: "beatCoordinator",
    method: "POST",
    path: `${COORDINATOR}/heartbeat`,
    tag,
    summary: "Say that a coordinator is there",
    params: CoordinatorParams,
    replies: { 200: HeartbeatOut },
    errors: [...FOUND, "invalid_transition"],
  }),

  pauseCoordinator: operation({
    ...moving,
    id: "pauseCoordinator",
    path: `${COORDINATOR}/pause`,
    summary: "Pause a coordinator; what waits for a person waits on",
  }),

  resumeCoordinator: operation({
    ...moving,
    id: "resumeCoordinator",
    path: `${COORDINATOR}/resume`,
    summary: "Let a coordinator go on",
  }),

  recordCoordinatorDecision: operation({
    id: "recordCoordinatorDecision",
    method: "POST",
    path: `${ROOT}/decisions`,
    tag,
    summary: "Record what a coordinator decided, and why",
    body: CoordinatorDecisionIn,
    replies: { 200: CoordinatorDecisionOut },
    errors: [...FOUND, ...BODY],
  }),

  listCoordinatorDecisions: reading({
    id: "listCoordinatorDecisions",
    path: `${INTENT}/coordinator-decisions`,
    tag,
    summary: "What coordinators decided about an intent, oldest first",
    params: IntentParams,
    query: DecisionsQuery,
    reply: CoordinatorDecisionListOut,
  }),
};
