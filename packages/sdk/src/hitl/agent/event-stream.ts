/** Server-sent events, frame by frame, from the bytes of a response. */

export interface Frame {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** A frame that never ends would grow without bound; nothing the protocol sends comes near this. */
const FRAME_CHARS_MAX = 1_048_576;

function frameOf(lines: readonly string[]): Frame | undefined {
  let event = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) id = value;
  }
  if (data.length === 0) return undefined;
  return { event, data: data.join("\n"), ...(id === undefined ? {} : { id }) };
}

/** Cuts text into frames as it arrives. `push` gives the frames that the new piece completed. */
export function frameCutter(): { push(piece: string): readonly Frame[] } {
  let rest = "";
  let lines: string[] = [];
  let size = 0;
  return {
    push(piece) {
      const frames: Frame[] = [];
      // A carriage return at the very end may be half of a line end, so it waits for what follows.
      const text = rest + piece;
      const cut = text.endsWith("\r") ? text.length - 1 : text.length;
      const parts = text.slice(0, cut).split(/\r\n|\n|\r/);
      rest = (parts.pop() ?? "") + text.slice(cut);
      for (const line of parts) {
        size += line.length;
        if (line !== "") lines.push(line);
        else {
          const frame = frameOf(lines);
          if (frame !== undefined) frames.push(frame);
          lines = [];
          size = 0;
        }
      }
      if (size + rest.length > FRAME_CHARS_MAX) throw new RangeError("An event of the stream is too long.");
      return frames;
    },
  };
}

/** The frames of a response's body. `heard` is told of every piece, comments included: they show that the line is alive. */
export async function* framesOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Frame> {
  const cutter = frameCutter();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      yield* cutter.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
