/**
 * One connection to the event stream, read until it ends. Yields for every piece that arrives, if only a heartbeat, so that
 * the reader knows that the connection is alive; a silent connection is given up.
 */

import { abortable, linked } from "../linked-signal.ts";
import type { Transport } from "../transport.ts";
import { invalidReply, lostReply } from "../trouble.ts";
import { type Frame, sseParser } from "./sse-parser.ts";

/** The server says something every 15 seconds; three times nothing is the end. */
const SILENCE_MAX_MS = 45_000;
const OPEN_MAX_MS = 10_000;

export interface Piece {
  readonly frames: readonly Frame[];
  readonly lastId: string;
}

export interface ConnectionOptions {
  readonly path: string;
  readonly lastId: string;
  readonly signal: AbortSignal;
}

export async function* connection(
  transport: Transport,
  options: ConnectionOptions,
): AsyncGenerator<Piece, void> {
  const line = linked(options.signal);
  const watch = watchdog(transport, (ms) => line.abort(lostReply(`the stream was silent for ${ms} ms`)));
  try {
    watch.expect(OPEN_MAX_MS);
    const headers = {
      accept: "text/event-stream",
      ...(options.lastId === "" ? {} : { "last-event-id": options.lastId }),
    };
    const response = await transport.open(options.path, headers, line.signal);
    yield* pieces(response, watch, line.signal);
  } finally {
    watch.stop();
    // Reading may end before the stream does; the connection must not outlive its reader.
    line.abort(undefined);
    line.release();
  }
}

async function* pieces(
  response: Response,
  watch: Watchdog,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream") || response.body === null) {
    throw invalidReply("the reply is no event stream", response.status);
  }
  const parser = sseParser();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal).catch((cause: unknown) => {
        throw signal.aborted ? signal.reason : lostReply("the stream broke off", cause);
      });
      if (done) return;
      watch.expect(SILENCE_MAX_MS);
      const frames = parser.push(decoder.decode(value, { stream: true }));
      yield { frames, lastId: parser.lastId() };
    }
  } finally {
    // Not every fetch ties the body to the signal: one that serves in the same process may not.
    reader.cancel().catch(() => {});
  }
}

interface Watchdog {
  /** Something has to happen within this time from now. */
  expect(ms: number): void;
  stop(): void;
}

function watchdog({ runtime }: Transport, bark: (ms: number) => void): Watchdog {
  let stop = () => {};
  return {
    expect(ms) {
      stop();
      stop = runtime.after(ms, () => bark(ms));
    },
    stop: () => stop(),
  };
}
