/** An intent's event exactly as clients receive it. Its hash covers exactly this, so anybody can recompute it. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { SealedEvent } from "../../../kernel/record.ts";
import type { IntentEventData } from "./facts.ts";
import { wireTime } from "./wire-time.ts";

const STREAM = "intent:";
const INTENT_ID = "intent_";

export function isIntentStream(stream: string): boolean {
  return stream.startsWith(STREAM);
}

export function streamOf(intentId: string): string {
  return `${STREAM}${intentId}`;
}

export function intentIdOf(stream: string): string {
  return stream.slice(STREAM.length);
}

/** The event id contains intent and sequence number, so finding an event needs no index. */
export function eventIdOf(intentId: string, seq: number): string {
  return `evt_${intentId.slice(INTENT_ID.length)}_${seq}`;
}

const EVENT_ID = /^evt_([0-9a-z]{26})_([1-9]\d{0,14})$/;

export function readEventId(id: string): { readonly intentId: string; readonly seq: number } | null {
  const match = EVENT_ID.exec(id);
  return match === null ? null : { intentId: `${INTENT_ID}${match[1]}`, seq: Number(match[2]) };
}

export type EventFrame = Pick<SealedEvent, "stream" | "seq" | "type" | "at" | "actor" | "previous">;

/** The object that `event_hash` is computed from. */
export function hashedEvent(frame: EventFrame, data: IntentEventData, payload: JsonObject): JsonObject {
  const intentId = intentIdOf(frame.stream);
  return {
    id: eventIdOf(intentId, frame.seq),
    intent_id: intentId,
    event_type: frame.type,
    actor: frame.actor,
    payload,
    created_at: wireTime(frame.at),
    previous_event_hash: frame.previous === "" ? null : frame.previous,
    sequence: frame.seq,
    ...(data.trace_id === undefined ? {} : { trace_id: data.trace_id }),
    ...(data.parent_event_id === undefined ? {} : { parent_event_id: data.parent_event_id }),
    ...(data.claimed_actor === undefined ? {} : { claimed_actor: data.claimed_actor }),
  };
}
