/** Parses server-sent events into AG-UI events: each frame has one JSON object with a type. */

import { isObject } from "@holdpoint/protocol/rules";

/** An event: its type and the members of that type. */
export interface StreamedEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The agent sent something that is not an AG-UI stream, or more than the limits allow. */
export class BadStream extends Error {
  override readonly name = "BadStream";
}

const FRAME_END = /\r?\n\r?\n/;

export async function* framesOf(
  chunks: AsyncIterable<Uint8Array>,
  limits: { readonly totalBytes: number; readonly frameBytes: number },
): AsyncGenerator<StreamedEvent, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limits.totalBytes) throw new BadStream("too_long");
    rest += decoder.decode(chunk, { stream: true });
    for (let end = FRAME_END.exec(rest); end !== null; end = FRAME_END.exec(rest)) {
      const event = eventIn(rest.slice(0, end.index));
      rest = rest.slice(end.index + end[0].length);
      if (event !== null) yield event;
    }
    if (rest.length > limits.frameBytes) throw new BadStream("too_long");
  }
}

/** `null`: a comment, or a frame without data. */
function eventIn(frame: string): StreamedEvent | null {
  const data = frame
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length).replace(/^ /, ""));
  if (data.length === 0) return null;
  const event = parsed(data.join("\n"));
  if (!isObject(event) || typeof event["type"] !== "string") throw new BadStream("not_agui");
  return event as StreamedEvent;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
