/** Events: one hold's history, and everything that is committed. */

import type { EventListOut, EventOut } from "@holdpoint/protocol";
import { nextAfter } from "../../../engine/log-pages.ts";
import { sees } from "../../../kernel/hold/who.ts";
import { seesAll } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { isIntentStream } from "../../../openintent/rules/intent/served.ts";
import { time } from "../../http/present.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { visibleHold } from "./holds.ts";

const PAGE = 100;

export async function holdEvents(
  caller: Caller,
  holdId: string,
  { after = 0, limit = PAGE }: { readonly after?: number; readonly limit?: number },
  deps: CallDeps,
): Promise<EventListOut> {
  const hold = await visibleHold(caller, holdId, deps);
  const { workspace } = caller;
  const events = await deps.engine.store.events({ workspace, stream: `hold:${hold.id}`, after, limit });
  const next = nextAfter(events, limit);
  const more = next === undefined ? {} : { next_after: next };
  return { events: events.map(presentEvent), ...more };
}

export interface Following {
  readonly after?: number | undefined;
  readonly holdIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Where to begin, and the events from there on as they are committed, in batches that may be empty. */
export async function followEvents(
  { workspace, by }: Caller,
  following: Following,
  deps: CallDeps,
): Promise<{
  readonly after: number;
  batches(signal: AbortSignal): AsyncGenerator<readonly EventOut[], void>;
}> {
  const last = await deps.engine.store.lastPosition();
  // A position beyond the end belongs to a log that is lost, for example because a backup was restored.
  // Such a reader gets every event from now on.
  const after = Math.min(following.after ?? last, last);
  const streams = following.holdIds?.map((id) => `hold:${id}`);
  const filter = {
    workspace,
    ...(seesAll(by) ? {} : { audience: by.name }),
    ...(streams === undefined ? {} : { streams }),
  };
  const types = following.types && new Set(following.types);
  // Events of intents are read through OpenIntent, which checks its access list.
  const isWanted = ({ stream, type }: StoredEvent) => !isIntentStream(stream) && (types?.has(type) ?? true);
  /** A browser token gets events of the holds it reaches, and nothing else. */
  async function withinReach(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const seen = new Map<string, boolean>();
    for (const { stream } of events) {
      if (seen.has(stream)) continue;
      const id = stream.startsWith("hold:") ? stream.slice("hold:".length) : undefined;
      const hold = id === undefined ? undefined : await deps.holds.get(workspace, id);
      seen.set(stream, hold !== undefined && sees(hold.body, by, undefined));
    }
    return events.filter(({ stream }) => seen.get(stream) === true);
  }
  async function* batches(signal: AbortSignal): AsyncGenerator<readonly EventOut[], void> {
    for await (const events of deps.feed.follow(filter, after, signal)) {
      const wanted = events.filter(isWanted);
      yield (by.reach === undefined ? wanted : await withinReach(wanted)).map(presentEvent);
    }
  }
  return { after, batches };
}

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
