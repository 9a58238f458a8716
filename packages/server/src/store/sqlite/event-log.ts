/** The log. The database assigns positions in commit order and there is one writer, so S3 holds. */

import type { SealedEvent, StoredEvent } from "../../kernel/record.ts";
import { cutPage } from "../event-pages.ts";
import type { EventQuery } from "../port.ts";
import { rowsIn, rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";
import type { WriteList } from "./writes.ts";

const COLUMNS = "position, workspace, stream, seq, type, at, actor, audience, data, previous, hash";

const FILTERS = `seq > ?8 AND (?3 IS NULL OR audience = ?3)
  AND (?4 IS NULL OR type IN (SELECT value FROM json_each(?4)))`;

/** Within a stream, seq and position increase together, and the index is ordered by seq. */
const OF_STREAM = `SELECT ${COLUMNS} FROM event
  WHERE position > ?1 AND position <= ?2 AND ${FILTERS} AND workspace = ?5 AND stream = ?6 ORDER BY seq LIMIT ?7`;

const BY_POSITION = `SELECT ${COLUMNS} FROM event
  WHERE position > ?1 AND position <= ?2 AND ${FILTERS} AND (?5 IS NULL OR workspace = ?5)
    AND (?6 IS NULL OR stream = ?6) ORDER BY position LIMIT ?7`;

const WRITTEN = "SELECT position FROM event WHERE workspace = ? AND stream = ? AND seq = ? AND hash = ?";
const LAST = "SELECT max(position) AS position FROM event";

export function addEvent(event: SealedEvent, list: WriteList): void {
  const { workspace, stream, seq, type, at, actor, audience, data, previous, hash } = event;
  list.add("append_event", workspace, stream, seq, type, at, actor, audience, data, previous, hash);
}

export class EventLog {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Reads events after `query.after` up to and including `upTo`. */
  read(query: EventQuery, upTo: number): readonly StoredEvent[] {
    const { after, audience = null, types, workspace = null, stream = null, limit, afterSeq = 0 } = query;
    const statement = this.#statements.of(isOfOneStream(query) ? OF_STREAM : BY_POSITION);
    const typesText = types === undefined ? null : JSON.stringify(types);
    const values = [after, upTo, audience, typesText, workspace, stream, limit, afterSeq];
    if (limit === 1) return rowsOf<StoredEvent>(statement.all(...values)).map((row) => ({ ...row }));
    return cutPage(rowsIn<StoredEvent>(statement.iterate(...values))).map((row) => ({ ...row }));
  }

  /** The positions of the events of one commit; `undefined`: it was not written, or it has no events. */
  positionsOf(events: readonly SealedEvent[]): readonly number[] | undefined {
    const positions: number[] = [];
    for (const { workspace, stream, seq, hash } of events) {
      const row = this.#statements.of(WRITTEN).get(workspace, stream, seq, hash);
      if (row === undefined) return undefined;
      positions.push(Number(row.position));
    }
    return positions.length === 0 ? undefined : positions;
  }

  last(): number {
    return (this.#statements.of(LAST).get() as { position: number | null }).position ?? 0;
  }
}

/** A query for one stream reads only what it returns; any other may have to skip many events that do not match. */
export function isOfOneStream(query: Pick<EventQuery, "workspace" | "stream">): boolean {
  return query.stream !== undefined && query.workspace !== undefined;
}
