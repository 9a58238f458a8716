/** Events as server-sent events: one JSON object a frame, LF only, closed after the last one (AG-065 … AG-067, AG-073). */

import type { AgUiEvent, Machine } from "../index.ts";
import { afterLong } from "./turns.ts";

const HEARTBEAT_MS = 15_000;

export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Reads no faster than its reader; `gone` is called when the reader leaves. */
export function eventStream(
  events: AsyncGenerator<AgUiEvent, void, void>,
  machine: Pick<Machine, "after">,
  gone: () => void,
): Response {
  const encoder = new TextEncoder();
  let beat: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const beatLater = () => {
        beat = machine.after(HEARTBEAT_MS, () => {
          controller.enqueue(encoder.encode(": still here\n\n"));
          beatLater();
        });
      };
      beatLater();
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done !== true) {
          const text = JSON.stringify(value);
          await afterLong(text.length);
          controller.enqueue(encoder.encode(`data: ${text}\n\n`));
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
  return new Response(body, { headers: SSE_HEADERS });
}
