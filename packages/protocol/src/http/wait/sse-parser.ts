/**
 * Server-sent events from a stream of text, as the HTML standard reads them. Pure: text in, frames out.
 *
 * Written by hand because every page and agent loads it with the SDK: the `eventsource-parser` package adds 1.5 kB to a bundle of
 * 12 kB and needs a newer Node than agents have. The tests compare both parsers on generated streams.
 */

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
export function sseParser({
  charsMax = Number.POSITIVE_INFINITY,
}: {
  readonly charsMax?: number;
} = {}): SseParser {
  let rest = "";
  let isStart = true;
  let isHalfBreak = false;
  let lastId = "";
  let id: string | undefined;
  let event = "";
  let data: string[] = [];
  let chars = 0;

  function endFrame(frames: Frame[]): void {
    lastId = id ?? lastId;
    if (data.length > 0) frames.push({ id: lastId, event: event || "message", data: data.join("\n") });
    id = undefined;
    event = "";
    data = [];
    chars = 0;
  }

  function takeField(line: string): void {
    chars += line.length;
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }

  return {
    lastId: () => lastId,
    push(text) {
      const frames: Frame[] = [];
      rest += isStart ? text.replace(/^\uFEFF/, "") : text;
      isStart &&= text === "";
      // A long line in many pieces is read once, when its end has come: reading it at every piece would be quadratic.
      if (isHalfBreak || /[\r\n]/.test(text)) {
        // A carriage return at the very end may be half of a line break, so it waits for what follows.
        const lines = rest.split(/\r\n|\n|\r(?!$)/);
        rest = lines.pop() ?? "";
        isHalfBreak = rest.endsWith("\r");
        for (const line of lines) {
          if (line === "") endFrame(frames);
          else takeField(line);
          if (chars > charsMax) break;
        }
      }
      if (chars + rest.length > charsMax) throw new RangeError("An event of the stream is too long.");
      return frames;
    },
  };
}
