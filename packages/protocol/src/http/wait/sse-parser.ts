/** Server-sent events from a stream of text, as the HTML standard reads them. Pure: text in, frames out. */

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

export function sseParser(): SseParser {
  let rest = "";
  let isStart = true;
  let lastId = "";
  let id: string | undefined;
  let event = "";
  let data: string[] = [];

  function endFrame(frames: Frame[]): void {
    lastId = id ?? lastId;
    if (data.length > 0)
      frames.push({ id: lastId, event: event === "" ? "message" : event, data: data.join("\n") });
    id = undefined;
    event = "";
    data = [];
  }

  function takeField(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }

  return {
    lastId: () => lastId,
    push(text) {
      rest += isStart ? text.replace(/^\uFEFF/, "") : text;
      isStart &&= text === "";
      const frames: Frame[] = [];
      // A carriage return at the very end may be half of a line break, so it waits for what follows.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") endFrame(frames);
        else takeField(line);
      }
      return frames;
    },
  };
}
