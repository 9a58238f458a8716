/**
 * An intent's log, whole: what an event quotes of a suspension is kept apart from it, and may have been erased. Whoever
 * serves, sends or verifies such events reads them through here.
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
  /** Neither there nor erased. */
  | { readonly kind: "gone" };

export interface ReadEvent<E extends SealedEvent> {
  readonly event: E;
  readonly data: IntentEventData;
  readonly payload: Payload;
}

/** In the same order; one load for all. */
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

/** What was told after an erasure is there although what came before is not. */
function keptOf(log: SuspensionLog | undefined, seq: number): Payload {
  const payload = log?.payloads[seq];
  if (payload !== undefined) return { kind: "there", payload };
  return log?.erasedAt === undefined
    ? { kind: "gone" }
    : { kind: "erased", at: log.erasedAt, holdId: log.holdId };
}

/** As clients see it. Of an erased event the frame and the old hash stay. */
export function presentIntentEvent({ event, data, payload }: ReadEvent<SealedEvent>): JsonObject {
  if (payload.kind === "gone") throw new Error(`the content of ${event.stream}/${event.seq} is gone`);
  const shown = hashedEvent(event, data, payload.kind === "there" ? payload.payload : {});
  const hashed = { ...shown, event_hash: event.hash };
  return payload.kind === "there" ? hashed : { ...hashed, payload: null, erased_at: wireTime(payload.at) };
}
