/** Events: one hold's history, and a stream of everything that is committed. */

import type { EventOut } from "@holdpoint/protocol";
import { seesAll } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { isIntentStream } from "../../../openintent/rules/intent/served.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { eventStream, type Frame } from "../../http/sse.ts";
import type { Routes } from "../operations.ts";
import { visibleHold } from "./holds.ts";

const PAGE = 100;

export const events = {
  async holdEvents(call, deps) {
    const { workspace, by, query } = call;
    const hold = await visibleHold(call.params.id, workspace, by, deps);
    const limit = query.limit ?? PAGE;
    const after = query.after ?? 0;
    const events = await deps.engine.store.events({ workspace, stream: `hold:${hold.id}`, after, limit });
    const last = events.at(-1);
    const more = events.length === limit && last !== undefined ? { next_after: last.position } : {};
    return { status: 200, body: { events: events.map(presentEvent), ...more } };
  },

  async streamEvents(call, deps) {
    const { workspace, by, query, headers } = call;
    if (!takesStreams(headers.accept)) throw fail("not_acceptable");
    const last = await deps.engine.store.lastPosition();
    // A position beyond the end belongs to a log that is lost, for example because a backup was restored.
    // Such a reader gets every event from now on.
    const after = Math.min(afterOf(headers["last-event-id"]) ?? query.after ?? last, last);
    const filter = { workspace, ...(seesAll(by) ? {} : { audience: by.name }) };
    const holds = query.hold_id === undefined ? undefined : new Set(query.hold_id.map((id) => `hold:${id}`));
    const types = query.types === undefined ? undefined : new Set(query.types);
    // Events of intents are read through OpenIntent, which checks its access list.
    const wanted = (event: StoredEvent) =>
      !isIntentStream(event.stream) && (holds?.has(event.stream) ?? true) && (types?.has(event.type) ?? true);
    async function* frames(signal: AbortSignal): AsyncGenerator<readonly Frame[]> {
      for await (const events of deps.feed.follow(filter, after, signal)) {
        yield events.filter(wanted).map((event) => ({
          id: String(event.position),
          event: event.type,
          data: presentEvent(event),
        }));
      }
    }
    return eventStream(frames, {
      clock: deps.engine.clock,
      startId: String(after),
      isWelcome: call.isWelcome,
    });
  },
} satisfies Routes;

export function presentEvent(event: StoredEvent): EventOut {
  const holdId = event.stream.startsWith("hold:") ? event.stream.slice("hold:".length) : undefined;
  return {
    position: event.position,
    stream: event.stream,
    ...(holdId === undefined ? {} : { hold_id: holdId }),
    seq: event.seq,
    type: event.type,
    at: time(event.at),
    actor: event.actor,
    data: JSON.parse(event.data),
    previous: event.previous,
    hash: event.hash,
  };
}

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
