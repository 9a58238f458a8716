/**
 * Reads an intent's log with its content. Text that an event quotes from a suspension is stored in a row beside the event,
 * so that it can be erased. Everything that serves, sends or verifies such events reads them through this module.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { SealedEvent } from "../../kernel/record.ts";
import type { Reader } from "../../store/port.ts";
import type { IntentEventData } from "../rules/intent/facts.ts";
import { type SuspensionLog, suspensionLogId } from "../rules/intent/intent.ts";
import { hashedEvent, intentIdOf } from "../rules/intent/served.ts";
import { wireTime } from "../rules/intent/wire-time.ts";

export type Payload =
  | { readonly kind: "there"; readonly payload: JsonObject }
  | { readonly kind: "erased"; readonly at: number; readonly holdId: string | undefined }
  /** Missing, although it was not erased. */
  | { readonly kind: "gone" };

export interface ReadEvent<E extends SealedEvent> {
  readonly event: E;
  readonly data: IntentEventData;
  readonly payload: Payload;
}

/** Keeps the order of `events`, and loads all content at once. */
export async function readIntentEvents<E extends SealedEvent>(
  store: Pick<Reader, "load">,
  events: readonly E[],
): Promise<readonly ReadEvent<E>[]> {
  const read = events.map((event) => ({ event, data: JSON.parse(event.data) as IntentEventData }));
  const keys = new Map(
    read.flatMap(({ event, data }) => {
      const key = keyOf(event, data);
      return key === undefined ? [] : [[textOf(key), key] as const];
    }),
  );
  const found = keys.size === 0 ? [] : await store.load([...keys.values()]);
  const logs = new Map(found.map((row) => [textOf(row), row.body]));
  return read.map(({ event, data }) => {
    const key = keyOf(event, data);
    const payload = key === undefined ? thereOr(data.payload) : keptOf(logs.get(textOf(key)), event.seq);
    return { event, data, payload };
  });
}

function keyOf({ workspace, stream }: SealedEvent, { kept_with: suspensionId }: IntentEventData) {
  if (suspensionId === undefined) return undefined;
  const id = suspensionLogId(intentIdOf(stream), suspensionId);
  return { workspace, kind: "suspension_log", id, read: true } as const;
}

function textOf({ workspace, id }: { readonly workspace: string; readonly id: string }): string {
  return `${workspace}\u0000${id}`;
}

function thereOr(payload: JsonObject | undefined): Payload {
  return payload === undefined ? { kind: "gone" } : { kind: "there", payload };
}

/** Content logged after an erasure is present, although the content before it is erased. */
function keptOf(log: SuspensionLog | undefined, seq: number): Payload {
  const payload = log?.payloads[seq];
  if (payload !== undefined) return { kind: "there", payload };
  return log?.erasedAt === undefined
    ? { kind: "gone" }
    : { kind: "erased", at: log.erasedAt, holdId: log.holdId };
}

/** The event as clients see it. An erased event keeps its metadata and its original hash. */
export function presentIntentEvent({ event, data, payload }: ReadEvent<SealedEvent>): JsonObject {
  if (payload.kind === "gone")
    throw new Error(
      `Invariant: the content of event ${event.stream}/${event.seq} is gone, but it was not erased`,
    );
  const shown = hashedEvent(event, data, payload.kind === "there" ? payload.payload : {});
  const hashed = { ...shown, event_hash: event.hash };
  return payload.kind === "there" ? hashed : { ...hashed, payload: null, erased_at: wireTime(payload.at) };
}
