/** The frames of an event stream, from the bytes of a response. */

import { type Frame, sseParser } from "@holdpoint/protocol/http";

/** A frame that never ends would grow without bound; nothing the protocol sends comes near this. */
const FRAME_CHARS_MAX = 1_048_576;

/** `heard` is called for every piece, comments included: they show that the connection is alive. */
export async function* framesOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Frame> {
  const parser = sseParser({ charsMax: FRAME_CHARS_MAX });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
