/**
 * Escalations of a coordinator to its supervisor. They are in the coordinator's own log, under an event type that no intent's
 * log may have, so streams and subscriptions read them from there.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Frame } from "../../faces/http/sse.ts";
import type { SealedEvent } from "../../kernel/record.ts";
import type { ReadEvent } from "../reads/intent-log.ts";
import { ESCALATION_REQUIRED } from "../rules/coordinator/facts.ts";
import { wireTime } from "../rules/intent/wire-time.ts";

const STREAM = "coordinator:";
const COORDINATOR_ID = "coordinator_";

export function isEscalation({ stream, type }: Pick<SealedEvent, "stream" | "type">): boolean {
  return stream.startsWith(STREAM) && type === ESCALATION_REQUIRED;
}

/** Writes an escalation as an event of the intent it is about. Its id has a form of its own. */
export function presentEscalation(event: SealedEvent): JsonObject {
  const payload = JSON.parse(event.data) as JsonObject;
  return {
    id: escalationId(event),
    intent_id: payload["intent_id"] ?? null,
    event_type: event.type,
    actor: event.actor,
    payload,
    created_at: wireTime(event.at),
    sequence: event.seq,
  };
}

function escalationId({ stream, seq }: Pick<SealedEvent, "stream" | "seq">): string {
  return `cevt_${stream.slice(STREAM.length + COORDINATOR_ID.length)}_${seq}`;
}

const ESCALATION_ID = /^cevt_([0-9a-z]{26})_([1-9]\d{0,14})$/;

/** The stream and the number of the event with this id. */
export function readEscalationId(id: string): { readonly stream: string; readonly seq: number } | null {
  const match = ESCALATION_ID.exec(id);
  return match === null ? null : { stream: `${STREAM}${COORDINATOR_ID}${match[1]}`, seq: Number(match[2]) };
}

/** The event, if the caller may read the intent it is about. */
export function readEscalation<E extends SealedEvent>(event: E): ReadEvent<E> {
  return { event, data: {}, payload: { kind: "there", payload: JSON.parse(event.data) as JsonObject } };
}

export function escalationFrame(event: SealedEvent): Frame {
  const payload = JSON.parse(event.data) as JsonObject;
  const id = escalationId(event);
  return {
    id,
    event: event.type,
    data: { ...payload, event_id: id, event_type: event.type, sequence: event.seq },
  };
}
