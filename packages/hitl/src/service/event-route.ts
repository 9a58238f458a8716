/** A case's events as a stream: its history first, then what happens, closed after the end. */

import type { Hold, HoldEvent } from "@holdpoint/protocol/client";
import { caseFrame } from "@holdpoint/protocol/hitl/case";
import { isTerminal } from "@holdpoint/protocol/hitl/words";
import type { Runtime } from "@holdpoint/protocol/http";
import type { CaseHolds } from "./case-routes.ts";

export type Timer = Pick<Runtime, "after" | "now">;

const HEARTBEAT_MS = 30_000;

/** The position after which to tell; anything else than a number means from the beginning. */
function startAfter(request: Request): number {
  const last = request.headers.get("last-event-id") ?? "";
  return /^\d{1,15}$/.test(last) ? Number(last) : 0;
}

interface Line {
  send(text: string): void;
  readonly signal: AbortSignal;
}

/** Tells one event; gives whether it was the last. */
async function tell(line: Line, holds: CaseHolds, known: Hold, event: HoldEvent): Promise<boolean> {
  // Endings are told with their result, which only the hold itself has.
  const hold = event.type === "hold.placed" ? known : await holds.get(known.id, { signal: line.signal });
  const frame = caseFrame(hold, event);
  if (frame === undefined) return false;
  line.send(`id: ${frame.id}\nevent: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`);
  return isTerminal(frame.event.slice("review.".length));
}

async function run(line: Line, holds: CaseHolds, hold: Hold, after: number): Promise<void> {
  const { signal } = line;
  let last = after;
  for (const event of await holds.events(hold.id, { signal })) {
    if (event.position <= last) {
      // A reader that already got the ending gets only the end of the stream.
      if (isTerminal(caseFrame(hold, event)?.event.slice("review.".length) ?? "")) return;
      continue;
    }
    last = event.position;
    if (await tell(line, holds, hold, event)) return;
  }
  for await (const event of holds.follow({ after: last, holdIds: [hold.id], signal }))
    if (await tell(line, holds, hold, event)) return;
}

export function streamEvents(request: Request, hold: Hold, holds: CaseHolds, timer: Timer): Response {
  const stop = new AbortController();
  const encoder = new TextEncoder();
  let stopBeating = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => {
        if (!stop.signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const beat = () => {
        send(": still here\n\n");
        stopBeating = timer.after(HEARTBEAT_MS, beat);
      };
      stopBeating = timer.after(HEARTBEAT_MS, beat);
      run({ send, signal: stop.signal }, holds, hold, startAfter(request))
        // The client polls when a stream ends early; there is nobody else to tell.
        .catch(() => undefined)
        .finally(() => {
          stopBeating();
          if (!stop.signal.aborted) controller.close();
        });
    },
    cancel() {
      stopBeating();
      stop.abort();
    },
  });
  request.signal.addEventListener("abort", () => stop.abort(), { once: true });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
