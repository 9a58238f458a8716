/**
 * The hash chain: one chain per stream over RFC 8785 JSON. An event's hash covers its fields, its number and the hash
 * before it. Private content is included as a salted digest only, so that erasing content and salt leaves the chain
 * intact (G4, G9).
 */

import type { LogEvent, SealedEvent } from "../kernel/record.ts";
import { canonicalJson } from "../system/canonical-json.ts";
import { sha256 } from "../system/digest.ts";

/** Gives an event its number and hashes in the chain of its stream. `onContent` hears how long its content is. */
export type Seal = (
  event: LogEvent,
  seq: number,
  previous: string,
  salt: string | null,
  onContent?: (characters: number) => void,
) => SealedEvent;

export const seal: Seal = (fact, seq, previous, salt, onContent) => {
  const { workspace, stream, type, at, actor, audience = null, content } = fact;
  const logged =
    content === undefined || salt === null
      ? fact.data
      : { ...fact.data, content: contentDigest(content, salt, onContent) };
  const data = canonicalJson(logged);
  const hash = eventHash({ workspace, stream, seq, type, at, actor, data, previous });
  return { workspace, stream, seq, type, at, actor, data, previous, audience, hash };
};

type Hashed = Pick<
  SealedEvent,
  "workspace" | "stream" | "seq" | "type" | "at" | "actor" | "data" | "previous"
>;

/** Builds the JSON by hand, because every command runs through it. The fields are in RFC 8785 order. */
export function eventHash(event: Hashed): string {
  const text = JSON.stringify;
  return sha256(
    `{"actor":${text(event.actor)},"at":${event.at},"data":${event.data},"previous":${text(event.previous)},` +
      `"seq":${event.seq},"stream":${text(event.stream)},"type":${text(event.type)},"workspace":${text(event.workspace)}}`,
  );
}

export function contentDigest(
  content: unknown,
  salt: string,
  onContent?: (characters: number) => void,
): string {
  const text = canonicalJson(content);
  onContent?.(text.length);
  return sha256(`${salt}\n${text}`);
}
