/** The frames of an event stream, from the bytes of a response. */

import { type Frame, sseParser } from "@holdpoint/protocol/http";

/** A frame that never ends would grow without bound; nothing the protocol sends comes near this. */
const FRAME_CHARS_MAX = 1_048_576;

/** `heard` is told of every piece, comments included: they show that the line is alive. */
export async function* framesOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Frame> {
  const parser = sseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let unfinished = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const text = decoder.decode(value, { stream: true });
      const frames = parser.push(text);
      unfinished = frames.length > 0 || text.endsWith("\n\n") ? 0 : unfinished + text.length;
      if (unfinished > FRAME_CHARS_MAX) throw new RangeError("An event of the stream is too long.");
      yield* frames;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
