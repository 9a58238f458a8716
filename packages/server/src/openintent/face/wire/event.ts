/** The log on the wire. */

import * as z from "zod";
import { EVENT_TYPES } from "../../rules/intent/event-types.ts";
import { Id, Name, Open, TimeIn, TimeOut } from "./base.ts";

const EventTypeWord = z
  .string()
  .min(1)
  .max(100)
  .meta({ examples: ["comment", "engagement.decision"] });

export const EventIn = z.looseObject({
  event_type: EventTypeWord,
  actor: Name.describe("Kept beside the authenticated name where the two differ."),
  payload: Open.nullish(),
  trace_id: z.string().max(200).nullish(),
  parent_event_id: z.string().max(200).nullish(),
});

export const EventOut = z.looseObject({
  id: Id,
  intent_id: Id,
  event_type: z.enum([...EVENT_TYPES] as [string, ...string[]]),
  actor: z.string(),
  payload: Open.nullable().describe("`null` once it was erased."),
  created_at: TimeOut,
  event_hash: z.string().describe("SHA-256 of the RFC 8785 JSON of all other members."),
  previous_event_hash: z.string().nullable(),
  sequence: z.int().min(1),
});

export const EventListOut = z.array(EventOut);

export const EventQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  offset: z.coerce.number().int().min(0).max(1_000_000).exactOptional(),
  event_type: EventTypeWord.exactOptional(),
  since: TimeIn.exactOptional(),
  order: z.enum(["asc", "desc"]).exactOptional().describe("Newest first unless `asc`."),
  after_sequence: z.coerce.number().int().min(0).exactOptional(),
});

export const EventParams = z.strictObject({ id: Id, event_id: Id });

export const ChainOut = z.looseObject({
  intent_id: Id,
  event_count: z.int(),
  first_sequence: z.int(),
  last_sequence: z.int(),
  chain_valid: z.boolean(),
  valid: z.boolean(),
  breaks: z.array(z.looseObject({ sequence: z.int(), reason: z.string() })),
  events: z.array(
    z.looseObject({
      sequence: z.int(),
      event_hash: z.string(),
      previous_event_hash: z.string().nullable(),
      verified: z.boolean(),
    }),
  ),
});

export const CheckpointIn = z.looseObject({
  intent_id: Id,
  scope: z.literal("intent").nullish(),
});

export const CheckpointOut = z.looseObject({
  checkpoint_id: Id,
  intent_id: Id,
  scope: z.literal("intent"),
  merkle_root: z.string(),
  event_count: z.int().min(1),
  first_sequence: z.int().min(1),
  last_sequence: z.int().min(1),
  created_at: TimeOut,
  signed_by: z.string().describe("`did:key` of the server's Ed25519 key."),
  signature: z.string().describe("Over the RFC 8785 JSON of all other members, base64url."),
  anchor: z.null(),
});

export const CheckpointQuery = z.object({
  intent_id: Id.exactOptional(),
  scope: z.string().max(40).exactOptional(),
});

export const ProofParams = z.strictObject({ id: Id, event_id: Id });

export const ProofOut = z.looseObject({
  event_id: Id,
  event_hash: z.string(),
  checkpoint_id: Id,
  merkle_root: z.string(),
  proof_hashes: z.array(z.looseObject({ hash: z.string(), position: z.enum(["left", "right"]) })),
  leaf_index: z.int().min(0),
});

export const ConsistencyQuery = z.object({ from_checkpoint: Id, to_checkpoint: Id });

export const ConsistencyOut = z.looseObject({
  from_checkpoint: Id,
  to_checkpoint: Id,
  consistent: z.boolean(),
  boundary_event: z
    .looseObject({ sequence: z.int(), event_hash: z.string(), previous_event_hash: z.string().nullable() })
    .nullable(),
});
