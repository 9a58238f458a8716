/** Events: one hold's history, and a stream of everything that is committed. */

import { fail } from "../../http/failure.ts";
import { eventStream, type Frame } from "../../http/sse.ts";
import { followEvents, holdEvents } from "../calls/events.ts";
import type { Routes } from "../operations.ts";

export const events = {
  async holdEvents(call, deps) {
    return { status: 200, body: await holdEvents(call, call.params.id, call.query, deps) };
  },

  async streamEvents(call, deps) {
    const { query, headers } = call;
    if (!takesStreams(headers.accept)) throw fail("not_acceptable");
    const wanted = { after: afterOf(headers["last-event-id"]) ?? query.after, types: query.types };
    const { after, batches } = await followEvents(call, { ...wanted, holdIds: query.hold_id }, deps);
    async function* frames(signal: AbortSignal): AsyncGenerator<readonly Frame[]> {
      for await (const events of batches(signal))
        yield events.map((event) => ({ id: String(event.position), event: event.type, data: event }));
    }
    return eventStream(frames, {
      clock: deps.engine.clock,
      startId: String(after),
      isWelcome: call.isWelcome,
    });
  },
} satisfies Routes;

function takesStreams(accept: string | undefined): boolean {
  return accept === undefined || /text\/(?:event-stream|\*)|\*\/\*/i.test(accept);
}

function afterOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === "") return undefined;
  if (!/^\d{1,15}$/.test(lastEventId))
    throw fail(
      "invalid_query",
      "Last-Event-ID is not an id of this stream; send the id of the last event you got, or leave the header out",
    );
  return Number(lastEventId);
}
