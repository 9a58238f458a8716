/** Operations on the log: events, their hash chain, checkpoints and proofs. */

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
import { BODY, CALLER, FOUND, INTENT, operation, ROOT, reading } from "./shared.ts";

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
    errors: [...FOUND, ...BODY, "unknown_event_type", "not_suspended", "too_many"],
  }),

  listEvents: reading({
    id: "listIntentEvents",
    path: `${INTENT}/events`,
    tag,
    summary: "An intent's log",
    params: IntentParams,
    query: EventQuery,
    reply: EventListOut,
  }),

  verifyEvents: reading({
    id: "verifyIntentEvents",
    path: `${INTENT}/events/verify`,
    tag,
    summary: "Recompute an intent's chain",
    params: IntentParams,
    reply: ChainOut,
  }),

  getEvent: reading({
    id: "getIntentEvent",
    path: `${INTENT}/events/{event_id}`,
    tag,
    summary: "One event of an intent's log",
    params: EventParams,
    reply: EventOut,
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

  getCheckpoint: reading({
    id: "getIntentCheckpoint",
    path: `${ROOT}/checkpoints/{id}`,
    tag,
    summary: "One signed checkpoint",
    params: IntentParams,
    reply: CheckpointOut,
  }),

  getProof: reading({
    id: "getMerkleProof",
    path: `${ROOT}/checkpoints/{id}/proof/{event_id}`,
    tag,
    summary: "Proof that a checkpoint covers an event",
    params: ProofParams,
    reply: ProofOut,
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
