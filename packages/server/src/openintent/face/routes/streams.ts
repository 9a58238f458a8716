/** Event streams over intents' logs: of one intent, of a portfolio, or of all intents of an agent. */

import type { FeedFilter } from "../../../engine/feed.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import { eventStream, type Frame } from "../../../faces/http/sse.ts";
import { seesAll } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { type ReadEvent, readIntentEvents } from "../../reads/intent-log.ts";
import type { Intent } from "../../rules/intent/intent.ts";
import { eventIdOf, intentIdOf, isIntentStream, readEventId, streamOf } from "../../rules/intent/served.ts";
import { may } from "../../rules/intent/who.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter } from "../enter.ts";
import { escalationFrame, isEscalation, readEscalation, readEscalationId } from "../escalations.ts";
import { type Family, frameOf } from "../frames.ts";
import type { operations, Routes } from "../operations/index.ts";
import { enterPortfolio } from "./portfolios.ts";

export const streams = {
  streamIntent: (call, deps) => ofIntent(call, "client", deps),

  streamIntentLog: (call, deps) => ofIntent(call, "log", deps),

  streamPortfolio: (call, deps) => ofPortfolio(call, "client", deps),

  streamPortfolioLog: (call, deps) => ofPortfolio(call, "log", deps),

  streamAgent: (call, deps) => ofAgent(call, "client", deps),

  streamAgentLog: (call, deps) => ofAgent(call, "log", deps),
} satisfies Routes;

type StreamCall = Pick<
  Call<typeof operations.streamIntent>,
  "workspace" | "by" | "params" | "headers" | "isWelcome"
>;

async function ofIntent(call: StreamCall, family: Family, deps: OpenIntentDeps) {
  const { workspace, params } = call;
  const { intent } = await enter(params.id, call, deps);
  const filter = { workspace, streams: [streamOf(params.id)] };
  return follow(call, filter, family, deps, () => true, eventIdOf(intent.id, intent.seq));
}

/** The current members. Events of an intent from before it joined, or after it left, are not sent to the portfolio's followers. */
async function ofPortfolio(call: StreamCall, family: Family, deps: OpenIntentDeps) {
  const { workspace, params } = call;
  await enterPortfolio(params.id, workspace, deps);
  return follow(
    call,
    { workspace },
    family,
    deps,
    (intent) => intent.portfolios?.includes(params.id) ?? false,
  );
}

/** An agent may follow only its own stream; people may follow any. */
async function ofAgent(call: StreamCall, family: Family, deps: OpenIntentDeps) {
  const { workspace, by, params } = call;
  if (!seesAll(by) && by.name !== params.id) {
    throw fail("agent_mismatch", "this key belongs to another agent");
  }
  return follow(call, { workspace }, family, deps, (intent, read) => concerns(params.id, intent, read));
}

type Wanted = (intent: Intent, read: ReadEvent<StoredEvent>) => boolean;

function concerns(agent: string, intent: Intent, { event, payload }: ReadEvent<StoredEvent>): boolean {
  const named = payload.kind === "there" ? payload.payload["agent_id"] : undefined;
  return (
    event.actor === agent ||
    named === agent ||
    event.audience === agent ||
    supervisorIn(payload) === agent ||
    intent.agents.includes(agent) ||
    intent.leases.some(({ agentId, status }) => agentId === agent && status === "active")
  );
}

function supervisorIn(payload: ReadEvent<StoredEvent>["payload"]): unknown {
  return payload.kind === "there" ? payload.payload["supervisor_id"] : undefined;
}

async function follow(
  call: StreamCall,
  filter: FeedFilter,
  family: Family,
  deps: OpenIntentDeps,
  wanted: Wanted,
  newestId?: string,
) {
  const { by, headers } = call;
  const after = await positionOf(headers["last-event-id"], filter.workspace, deps);
  async function* frames(signal: AbortSignal): AsyncGenerator<readonly Frame[]> {
    for await (const events of deps.feed.follow(filter, after, signal)) {
      const told = await readAll(events, deps);
      const intents = await intentsOf(told, filter.workspace, deps);
      const shown = told.filter((read) => {
        const intent = intents.get(aboutOf(read));
        const now = deps.engine.clock.now();
        // An escalation names ids only, so its supervisor learns of it without access to the intent.
        const isTold = supervisorIn(read.payload) === by.name && isEscalation(read.event);
        return intent !== undefined && (isTold || may(intent, by, "read", now)) && wanted(intent, read);
      });
      yield shown.map((read) =>
        isEscalation(read.event) ? escalationFrame(read.event) : frameOf(read, family),
      );
    }
  }
  // Sent at once, so that a reader that loses the connection before the first frame knows where to continue.
  return eventStream(frames, {
    clock: deps.engine.clock,
    startId: headers["last-event-id"] ?? newestId,
    isWelcome: call.isWelcome,
  });
}

/** Events of intents and escalations of coordinators, in the order of the log. */
async function readAll(
  events: readonly StoredEvent[],
  { engine }: OpenIntentDeps,
): Promise<readonly ReadEvent<StoredEvent>[]> {
  const own = events.filter(({ stream }) => isIntentStream(stream));
  const escalations = events.filter(isEscalation).map(readEscalation);
  const read = await readIntentEvents(engine.store, own);
  if (escalations.length === 0) return read;
  return [...read, ...escalations].toSorted((a, b) => a.event.position - b.event.position);
}

/** The intent that an event is about. */
function aboutOf({ event, payload }: ReadEvent<StoredEvent>): string {
  if (isIntentStream(event.stream)) return intentIdOf(event.stream);
  return payload.kind === "there" ? String(payload.payload["intent_id"]) : "";
}

async function intentsOf(
  told: readonly ReadEvent<StoredEvent>[],
  workspace: string,
  { engine }: OpenIntentDeps,
): Promise<ReadonlyMap<string, Intent>> {
  const ids = new Set(told.map(aboutOf));
  const keys = [...ids].map((id) => ({ workspace, kind: "intent", id, read: true }) as const);
  const found = keys.length === 0 ? [] : await engine.store.load(keys);
  return new Map(found.map(({ id, body }) => [id, body]));
}

function placeOf(eventId: string): { readonly stream: string; readonly seq: number } | null {
  const place = readEventId(eventId);
  return place === null ? readEscalationId(eventId) : { stream: streamOf(place.intentId), seq: place.seq };
}

/** The position to continue from: after the last frame that the reader got, or the end of the log. */
async function positionOf(
  lastEventId: string | undefined,
  workspace: string,
  { engine }: OpenIntentDeps,
): Promise<number> {
  if (lastEventId === undefined || lastEventId === "") return engine.store.lastPosition();
  const place = placeOf(lastEventId);
  const [event] =
    place === null
      ? []
      : await engine.store.events({
          workspace,
          stream: place.stream,
          after: 0,
          afterSeq: place.seq - 1,
          limit: 1,
        });
  if (event === undefined)
    throw fail(
      "invalid_query",
      "Last-Event-ID is not an id of this stream; send the id of the last event you got, or leave the header out",
    );
  return event.position;
}
