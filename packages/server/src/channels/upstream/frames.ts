/** Parses server-sent events into AG-UI events: each frame has one JSON object with a type. */

import { type Frame, type SseParser, sseParser } from "@holdpoint/protocol/http";
import { isObject, whyTooMuchJson } from "@holdpoint/protocol/rules";

/** An event: its type and the members of that type. */
export interface StreamedEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The agent sent something that is not an AG-UI stream, or more than the limits allow. */
export class BadStream extends Error {
  override readonly name = "BadStream";
}

export async function* framesOf(
  chunks: AsyncIterable<Uint8Array>,
  limits: { readonly totalBytes: number; readonly frameBytes: number },
): AsyncGenerator<StreamedEvent, void, void> {
  const decoder = new TextDecoder();
  const parser = sseParser({ charsMax: limits.frameBytes });
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limits.totalBytes) throw new BadStream("too_long");
    for (const { data } of parsedBy(parser, decoder.decode(chunk, { stream: true }))) yield eventIn(data);
  }
}

function parsedBy(parser: SseParser, text: string): readonly Frame[] {
  try {
    return parser.push(text);
  } catch (error) {
    throw error instanceof RangeError ? new BadStream("too_long") : error;
  }
}

function eventIn(data: string): StreamedEvent {
  if (hasTooManyValues(data)) throw new BadStream("too_long");
  const event = parsed(data);
  if (!isObject(event) || typeof event["type"] !== "string") throw new BadStream("not_agui");
  return event as StreamedEvent;
}

/** A frame with millions of small values would take seconds to parse (G13). */
const FRAME_BOUNDS = { valuesMax: 100_000, depthMax: Number.POSITIVE_INFINITY };

/** A value needs at least two characters with its comma, so a short text cannot have too many. */
function hasTooManyValues(text: string): boolean {
  return text.length >= 2 * FRAME_BOUNDS.valuesMax && whyTooMuchJson(text, FRAME_BOUNDS) === "too_many";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
