/** Server-sent events: frames, a heartbeat, and an end when the reader disconnects or its credential is revoked. */

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

export interface Listening {
  readonly clock: Clock;
  /** Sent at once, so that a reader that loses the connection before the first frame knows where to continue. */
  readonly startId?: string | undefined;
  /** Called at every heartbeat, because a key can be revoked and a person can sign out while the stream is open. */
  isWelcome(): Promise<boolean>;
}

/** Streams what `source` yields. It asks `source` for the next value only when the reader is ready, so nothing accumulates. */
export function eventStream(
  source: (signal: AbortSignal) => AsyncIterable<readonly Frame[]>,
  { clock, startId, isWelcome }: Listening,
): Response {
  const abort = new AbortController();
  const encoder = new TextEncoder();
  let beat: () => void = () => undefined;
  let wanted: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const comment = (text: string) => controller.enqueue(encoder.encode(`: ${text}\n\n`));
      const scheduleBeat = () => {
        beat = clock.at(clock.now() + HEARTBEAT_MS, async () => {
          const stays = await isWelcome();
          if (abort.signal.aborted) return;
          if (!stays) {
            abort.abort();
            wanted();
            return;
          }
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
      void pump(source(abort.signal), controller, encoder, room, abort.signal).finally(() => {
        beat();
        abort.abort();
      });
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
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const frames of source) {
      if (frames.length === 0) continue;
      await room();
      if (signal.aborted) break;
      controller.enqueue(encoder.encode(frames.map(frameText).join("")));
    }
    controller.close();
  } catch {
    // The reader disconnected or fell too far behind. It reconnects with the last id that it got.
    try {
      controller.close();
    } catch {}
  }
}
