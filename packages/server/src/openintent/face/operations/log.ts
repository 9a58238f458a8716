/** The log: events, its chain, checkpoints and proofs. */

import * as z from "zod";
import { IntentParams } from "../wire/base.ts";
import {
  ChainOut,
  CheckpointIn,
  CheckpointOut,
  CheckpointQuery,
  ConsistencyOut,
  ConsistencyQuery,
  EventIn,
  EventListOut,
  EventOut,
  EventParams,
  EventQuery,
  ProofOut,
  ProofParams,
} from "../wire/event.ts";
import { BODY, CALLER, FOUND, INTENT, operation, ROOT } from "./shared.ts";

const tag = "intent log";

export const logOperations = {
  logEvent: operation({
    id: "logIntentEvent",
    method: "POST",
    path: `${INTENT}/events`,
    tag,
    summary: "Write an event into an intent's log",
    description: "What the server has told itself already is answered with the server's own event.",
    params: IntentParams,
    body: EventIn,
    replies: { 200: EventOut },
    errors: [...FOUND, ...BODY, "unknown_event_type", "not_suspended"],
  }),

  listEvents: operation({
    id: "listIntentEvents",
    method: "GET",
    path: `${INTENT}/events`,
    tag,
    summary: "An intent's log",
    params: IntentParams,
    query: EventQuery,
    replies: { 200: EventListOut },
    errors: [...FOUND, "invalid_request"],
  }),

  verifyEvents: operation({
    id: "verifyIntentEvents",
    method: "GET",
    path: `${INTENT}/events/verify`,
    tag,
    summary: "Recompute an intent's chain",
    params: IntentParams,
    replies: { 200: ChainOut },
    errors: FOUND,
  }),

  getEvent: operation({
    id: "getIntentEvent",
    method: "GET",
    path: `${INTENT}/events/{event_id}`,
    tag,
    summary: "One event of an intent's log",
    params: EventParams,
    replies: { 200: EventOut },
    errors: FOUND,
  }),

  makeCheckpoint: operation({
    id: "makeIntentCheckpoint",
    method: "POST",
    path: `${ROOT}/admin/checkpoints`,
    tag,
    summary: "Sign what is new in an intent's log",
    body: CheckpointIn,
    replies: { 201: CheckpointOut },
    errors: [...FOUND, ...BODY, "nothing_to_sign"],
  }),

  listCheckpoints: operation({
    id: "listIntentCheckpoints",
    method: "GET",
    path: `${ROOT}/checkpoints`,
    tag,
    summary: "Signed checkpoints, oldest first",
    query: CheckpointQuery,
    replies: { 200: z.array(CheckpointOut) },
    errors: [...FOUND, "invalid_request"],
  }),

  getCheckpoint: operation({
    id: "getIntentCheckpoint",
    method: "GET",
    path: `${ROOT}/checkpoints/{id}`,
    tag,
    summary: "One signed checkpoint",
    params: IntentParams,
    replies: { 200: CheckpointOut },
    errors: FOUND,
  }),

  getProof: operation({
    id: "getMerkleProof",
    method: "GET",
    path: `${ROOT}/checkpoints/{id}/proof/{event_id}`,
    tag,
    summary: "Proof that a checkpoint covers an event",
    params: ProofParams,
    replies: { 200: ProofOut },
    errors: FOUND,
  }),

  verifyConsistency: operation({
    id: "verifyConsistency",
    method: "GET",
    path: `${ROOT}/verify/consistency`,
    tag,
    summary: "Whether one checkpoint extends another without a gap",
    query: ConsistencyQuery,
    replies: { 200: ConsistencyOut },
    errors: [...CALLER, "not_found", "invalid_request"],
  }),
};
