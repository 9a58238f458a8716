/**
 * Reads a query that matches few events window by window, so that it does not block its thread until the end of the
 * log.
 */

import type { StoredEvent } from "../../kernel/record.ts";
import { mayGoOn } from "../event-pages.ts";
import type { EventQuery } from "../port.ts";
import { type EventLog, isOfOneStream } from "./event-log.ts";

export interface EventWindow {
  readonly events: readonly StoredEvent[];
  /** The rest of the query; `null` if the page is complete, or ends because its events are long. */
  readonly rest: EventQuery | null;
}

export function readWindow(log: EventLog, query: EventQuery, positionsMax: number): EventWindow {
  const end = Math.min(query.upTo ?? Number.POSITIVE_INFINITY, log.last());
  const isWhole = isOfOneStream(query) || end - query.after <= positionsMax;
  const upTo = isWhole ? end : query.after + positionsMax;
  const events = log.read(query, upTo);
  // Where events are long, the caller reads on.
  const isComplete = isWhole || mayGoOn(events, query.limit);
  return { events, rest: isComplete ? null : { ...query, after: upTo, limit: query.limit - events.length } };
}
