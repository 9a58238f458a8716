/**
 * The hash chain. One chain per stream over RFC 8785 JSON: an event's hash covers its place, its words and the hash before it.
 * Content enters as a salted digest only, so that erasing content and salt leaves the chain whole (G4, G9).
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { IntentEventData } from "../core/intent/facts.ts";
import { type EventFrame, hashedEvent } from "../core/intent/served.ts";
import type { Fact, SealedEvent } from "../core/record.ts";
import { canonicalJson, sha256 } from "../system/digest.ts";

export function seal(fact: Fact, seq: number, previous: string, salt: string | null): SealedEvent {
  const { workspace, stream, type, at, actor, audience = null, content } = fact;
  const logged =
    content === undefined || salt === null
      ? fact.data
      : { ...fact.data, content: contentDigest(content, salt) };
  const data = canonicalJson(logged);
  const frame = { workspace, stream, seq, type, at, actor, data, previous };
  return { ...frame, audience, hash: eventHash(frame) };
}

type Hashed = Pick<
  SealedEvent,
  "workspace" | "stream" | "seq" | "type" | "at" | "actor" | "data" | "previous"
>;

/** Written out by hand because it is on the path of every command; members stand in RFC 8785 order. */
export function eventHash(event: Hashed): string {
  const text = JSON.stringify;
  return sha256(
    `{"actor":${text(event.actor)},"at":${event.at},"data":${event.data},"previous":${text(event.previous)},` +
      `"seq":${event.seq},"stream":${text(event.stream)},"type":${text(event.type)},"workspace":${text(event.workspace)}}`,
  );
}

export function contentDigest(content: unknown, salt: string): string {
  return sha256(`${salt}\n${canonicalJson(content)}`);
}

/** An intent's event is hashed as it is served, so that clients can recompute the chain; what is kept apart counts too. */
export function sealIntent(fact: Fact, seq: number, previous: string): SealedEvent {
  const { workspace, stream, type, at, actor, audience = null, content } = fact;
  const data = fact.data as IntentEventData;
  const frame = { workspace, stream, seq, type, at, actor, data: canonicalJson(data), previous };
  return { ...frame, audience, hash: intentEventHash(frame, data, content ?? data.payload ?? {}) };
}

export function intentEventHash(frame: EventFrame, data: IntentEventData, payload: JsonObject): string {
  return sha256(canonicalJson(hashedEvent(frame, data, payload)));
}
