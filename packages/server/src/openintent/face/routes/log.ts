/** An intent's log: append, read in either direction, verify. */

import { pagesOf, windowsBack } from "../../../engine/log-pages.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { collect } from "../../reads/collect.ts";
import { presentIntentEvent, type ReadEvent, readIntentEvents } from "../../reads/intent-log.ts";
import { intentEventHash } from "../../reads/seal.ts";
import { sameEventType } from "../../rules/intent/event-types.ts";
import { eventIdOf, readEventId, streamOf } from "../../rules/intent/served.ts";
import { readTime } from "../../rules/intent/wire-time.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter } from "../enter.ts";
import { refusedIntent } from "../errors.ts";
import type { operations, Routes } from "../operations/index.ts";

const PAGE = 100;
const WINDOW = 500;

export const log = {
  async logEvent(call, deps) {
    const { workspace, by, params, body } = call;
    const { trace_id: traceId, parent_event_id: parentEventId } = body;
    const result = await deps.engine.run({
      kind: "log_event",
      workspace,
      by,
      intentId: params.id,
      type: body.event_type,
      payload: body.payload ?? {},
      claimedActor: body.actor,
      ...(traceId === null || traceId === undefined ? {} : { traceId }),
      ...(parentEventId === null || parentEventId === undefined ? {} : { parentEventId }),
    });
    if (result.ok) return { status: 200, body: await eventAt(workspace, params.id, result.entity.seq, deps) };
    const told = result.failure.detail?.["seq"];
    if (result.failure.code !== "already_told" || typeof told !== "number")
      throw refusedIntent(result.failure);
    return { status: 200, body: await eventAt(workspace, params.id, told, deps) };
  },

  async listEvents(call, deps) {
    const { workspace, query, params } = call;
    const { intent } = await enter(params.id, call, deps);
    const { limit = PAGE, offset = 0 } = query;
    const since = query.since === undefined ? 0 : (readTime(query.since) ?? 0);
    const wanted = ({ event: { type, at } }: ReadEvent<StoredEvent>) =>
      at >= since && (query.event_type === undefined || sameEventType(query.event_type, type));
    const pages = inOrder(workspace, intent.id, intent.seq, query, deps);
    const found = await collect(pages, wanted, { offset, limit });
    return { status: 200, body: found.map(presentIntentEvent) };
  },

  async verifyEvents(call, deps) {
    const { workspace, params } = call;
    const { intent } = await enter(params.id, call, deps);
    const events: object[] = [];
    const breaks: object[] = [];
    let previous = "";
    for await (const page of inOrder(workspace, intent.id, intent.seq, { order: "asc" }, deps)) {
      for (const read of page) {
        const reason = whyBroken(read, events.length + 1, previous);
        const { seq: sequence, hash: event_hash } = read.event;
        if (reason !== null) breaks.push({ sequence, event_id: eventIdOf(intent.id, sequence), reason });
        const erased = read.payload.kind === "erased" ? { erased: true } : {};
        const previous_event_hash = read.event.previous === "" ? null : read.event.previous;
        events.push({ sequence, event_hash, previous_event_hash, verified: reason === null, ...erased });
        previous = event_hash;
      }
    }
    const valid = breaks.length === 0 && events.length === intent.seq;
    const counts = {
      event_count: events.length,
      first_sequence: Math.min(1, events.length),
      last_sequence: events.length,
    };
    return {
      status: 200,
      body: { intent_id: intent.id, ...counts, chain_valid: valid, valid, breaks, events },
    };
  },

  async getEvent(call, deps) {
    const { workspace, params } = call;
    await enter(params.id, call, deps);
    const place = readEventId(params.event_id);
    if (place === null || place.intentId !== params.id) {
      throw fail("not_found", "the intent has no event with this id");
    }
    return { status: 200, body: await eventAt(workspace, params.id, place.seq, deps) };
  },
} satisfies Routes;

export async function eventAt(
  workspace: string,
  intentId: string,
  seq: number,
  deps: Pick<OpenIntentDeps, "engine">,
) {
  const place = { stream: streamOf(intentId), after: 0, afterSeq: seq - 1, limit: 1 };
  const found = await deps.engine.store.events({ workspace, ...place });
  const [event] = await readIntentEvents(deps.engine.store, found);
  if (event === undefined) throw fail("not_found", "the intent has no event with this id");
  return presentIntentEvent(event);
}

type Order = Pick<Call<typeof operations.listEvents>["query"], "order" | "after_sequence">;

async function* inOrder(
  workspace: string,
  intentId: string,
  last: number,
  query: Order,
  deps: OpenIntentDeps,
) {
  const { store } = deps.engine;
  const { order = "desc", after_sequence: after = 0 } = query;
  const all = { workspace, stream: streamOf(intentId), after: 0 };
  if (order === "asc") {
    for await (const page of pagesOf(store, { ...all, afterSeq: after, limit: Math.max(0, last - after) }))
      yield await readIntentEvents(store, page);
    return;
  }
  const windows = windowsBack({ after, upTo: last }, WINDOW, ({ after: afterSeq, upTo }) =>
    store.events({ ...all, afterSeq, limit: upTo - afterSeq }),
  );
  for await (const { events } of windows) yield (await readIntentEvents(store, events)).toReversed();
}

/** For an erased event only its place in the chain can be checked. */
function whyBroken(
  { event, data, payload }: ReadEvent<StoredEvent>,
  seq: number,
  previous: string,
): string | null {
  if (event.seq !== seq) return `expected event ${seq}`;
  if (event.previous !== previous) return "does not follow the event before it";
  if (payload.kind === "erased") return null;
  if (payload.kind === "gone") return "its content is missing";
  return intentEventHash(event, data, payload.payload) === event.hash
    ? null
    : "its hash does not match its content";
}
