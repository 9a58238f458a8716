/** Server-sent events over a feed: frames, a heartbeat, and an end when the reader goes away. */

import type { Clock } from "../../system/clock.ts";

export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

const HEARTBEAT_MS = 15_000;
export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

export function frameText({ id, event, data }: Frame): string {
  const head = (id === undefined ? "" : `id: ${id}\n`) + (event === undefined ? "" : `event: ${event}\n`);
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}

/**
 * Streams what `source` yields. The reader's pace is the source's pace: nothing piles up here. `startId` is told at once,
 * so that a reader who is cut off before the first frame still knows where to go on.
 */
export function eventStream(
  source: (signal: AbortSignal) => AsyncIterable<readonly Frame[]>,
  clock: Clock,
  startId?: string,
): Response {
  const abort = new AbortController();
  const encoder = new TextEncoder();
  let beat: () => void = () => undefined;
  let wanted: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const comment = (text: string) => controller.enqueue(encoder.encode(`: ${text}\n\n`));
      const scheduleBeat = () => {
        beat = clock.at(clock.now() + HEARTBEAT_MS, () => {
          comment("still here");
          scheduleBeat();
        });
      };
      if (startId !== undefined) controller.enqueue(encoder.encode(`id: ${startId}\n`));
      comment("connected");
      scheduleBeat();
      const room = () =>
        new Promise<void>((resolve) => {
          if ((controller.desiredSize ?? 0) > 0 || abort.signal.aborted) resolve();
          else wanted = resolve;
        });
      void pump(source(abort.signal), controller, encoder, room).finally(() => beat());
    },
    pull() {
      wanted();
    },
    cancel() {
      beat();
      abort.abort();
      wanted();
    },
  });
  return new Response(body, { headers: SSE_HEADERS });
}

async function pump(
  source: AsyncIterable<readonly Frame[]>,
  controller: ReadableStreamDefaultController<Uint8Array>,
  encoder: TextEncoder,
  room: () => Promise<void>,
): Promise<void> {
  try {
    for await (const frames of source) {
      if (frames.length === 0) continue;
      await room();
      controller.enqueue(encoder.encode(frames.map(frameText).join("")));
    }
    controller.close();
  } catch {
    // The reader is gone, or fell too far behind: it comes back with the last id it has seen.
    try {
      controller.close();
    } catch {}
  }
}
