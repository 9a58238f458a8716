/** Events as a stream of frames, closed after the last one (AG-073). */

import type { AgUiEvent, Machine } from "../index.ts";
import { afterLong } from "./turns.ts";

const HEARTBEAT_MS = 15_000;

const HEADERS = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" } as const;

/** How events become bytes. */
export interface Codec {
  readonly type: string;
  encode(event: AgUiEvent): { readonly bytes: Uint8Array; readonly length: number };
  /** A frame that says nothing, sent while nothing happens. Absent: the encoding has none. */
  readonly beat?: Uint8Array;
}

const text = new TextEncoder();

/** Server-sent events: one JSON object a frame, LF only (AG-065 … AG-067). */
export const SSE: Codec = {
  type: "text/event-stream",
  encode(event) {
    const json = JSON.stringify(event);
    return { bytes: text.encode(`data: ${json}\n\n`), length: json.length };
  },
  beat: text.encode(": still here\n\n"),
};

/** Reads no faster than its reader; `gone` is called when the reader leaves. */
export function eventStream(
  events: AsyncGenerator<AgUiEvent, void, void>,
  machine: Pick<Machine, "after">,
  gone: () => void,
  codec: Codec = SSE,
): Response {
  const still = codec.beat;
  let beat: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (still === undefined) return;
      const beatLater = () => {
        beat = machine.after(HEARTBEAT_MS, () => {
          controller.enqueue(still);
          beatLater();
        });
      };
      beatLater();
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done !== true) {
          const { bytes, length } = codec.encode(value);
          await afterLong(length);
          controller.enqueue(bytes);
          return;
        }
      } catch (error) {
        // Nobody reads on: the run must not wait for somebody who does, nor the next beat find a closed stream.
        beat();
        gone();
        await events.return().catch(() => undefined);
        throw error;
      }
      beat();
      controller.close();
    },
    async cancel() {
      beat();
      gone();
      await events.return();
    },
  });
  return new Response(body, { headers: { ...HEADERS, "content-type": codec.type } });
}
