/** Server-sent events from a stream of text. The parsing is done by `eventsource-parser`; pure: text in, frames out. */

import { createParser } from "eventsource-parser";

export interface Frame {
  /** The stream's last id so far, which is this frame's own if it has one. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface SseParser {
  /** Frames completed by this piece of text. */
  push(text: string): readonly Frame[];
  /** The last id seen, also from a frame without data. */
  lastId(): string;
}

/** `charsMax`: a frame that grows beyond this without an end makes `push` throw a `RangeError`. */
export function sseParser({ charsMax }: { readonly charsMax?: number } = {}): SseParser {
  let lastId = "";
  let frames: Frame[] = [];
  const parser = createParser({
    maxBufferSize: charsMax,
    onId: (id) => {
      lastId = id;
    },
    onEvent: ({ event = "message", data }) => frames.push({ id: lastId, event, data }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new RangeError("An event of the stream is too long.");
    },
  });
  return {
    lastId: () => lastId,
    push(text) {
      frames = [];
      parser.feed(text);
      return frames;
    },
  };
}
