/** A query that matches few events must not hold its thread until the end of the log: it is read window by window. */

import type { StoredEvent } from "../../kernel/record.ts";
import type { EventQuery } from "../port.ts";
import { type EventLog, isOfOneStream } from "./event-log.ts";

export interface EventWindow {
  readonly events: readonly StoredEvent[];
  /** What is left to do; `null` when the page is complete. */
  readonly rest: EventQuery | null;
}

export function readWindow(log: EventLog, query: EventQuery, positionsMax: number): EventWindow {
  const end = Math.min(query.upTo ?? Number.POSITIVE_INFINITY, log.last());
  const isWhole = isOfOneStream(query) || end - query.after <= positionsMax;
  const upTo = isWhole ? end : query.after + positionsMax;
  const events = log.read(query, upTo);
  const isComplete = isWhole || events.length === query.limit;
  return { events, rest: isComplete ? null : { ...query, after: upTo, limit: query.limit - events.length } };
}
