/** The hash chain of an intent's log. Events are hashed in the form in which they are served, so clients can recompute it. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { LogEvent, SealedEvent } from "../../kernel/record.ts";
import { canonicalJson } from "../../system/canonical-json.ts";
import { sha256 } from "../../system/digest.ts";
import type { IntentEventData } from "../rules/intent/facts.ts";
import { type EventFrame, hashedEvent } from "../rules/intent/served.ts";

/** Content stored beside the event, so that it can be erased, is part of the hash. */
export function sealIntent(fact: LogEvent, seq: number, previous: string): SealedEvent {
  const { workspace, stream, type, at, actor, audience = null, content } = fact;
  const data = fact.data as IntentEventData;
  const frame = { workspace, stream, seq, type, at, actor, data: canonicalJson(data), previous };
  return { ...frame, audience, hash: intentEventHash(frame, data, content ?? data.payload ?? {}) };
}

export function intentEventHash(frame: EventFrame, data: IntentEventData, payload: JsonObject): string {
  return sha256(canonicalJson(hashedEvent(frame, data, payload)));
}
