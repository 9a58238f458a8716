/**
 * The log. Positions are assigned under a lock that is taken last in a commit and held until it is done, so they
 * increase in commit order across all servers (S3), without gaps.
 */

import type { SealedEvent, StoredEvent } from "../../kernel/record.ts";
import { PAGE_LENGTH } from "../event-pages.ts";
import type { EventQuery } from "../port.ts";
import { pack, packOrNull, unpack, unpackOrNull } from "./packed-text.ts";
import { columnsOf, type Sql } from "./sql.ts";

const COLUMNS = "position, workspace, stream, seq, type, at, actor, audience, data, previous, hash";

const LOCK = "SELECT pg_advisory_xact_lock($1::int, $2::int)";
/** A separate statement after the lock: only then does it see what the previous lock holder has committed. */
const INSERT = `INSERT INTO event (${COLUMNS})
  SELECT last.position + w.place, w.workspace, w.stream, w.seq, w.type, w.at, w.actor, w.audience, w.data, w.previous,
    w.hash
  FROM (SELECT coalesce(max(position), 0) AS position FROM event) AS last,
    unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[]) WITH ORDINALITY
      AS w (workspace, stream, seq, type, at, actor, audience, data, previous, hash, place)
  RETURNING position, at`;
const APPEND = `WITH appended AS (${INSERT}) SELECT position FROM appended`;
/**
 * Also notifies other servers of the new end of the log, its time and the holds that ended. PostgreSQL delivers the notification
 * with the commit.
 */
const APPEND_AND_TELL = `WITH appended AS (${INSERT})
  SELECT position,
    (SELECT pg_notify($11, $12::text || ' ' || max(position) || ' ' || max(at) || ' ' || $13::text) FROM appended)
  FROM appended`;
const LAST = "SELECT coalesce(max(position), 0) AS position FROM event";

/** Formats events as the arrays that are appended. Throws before anything is sent if one cannot be written. */
export function prepareEvents(events: readonly SealedEvent[]): readonly string[] | null {
  if (events.length === 0) return null;
  return columnsOf(events, [
    ({ workspace }) => pack(workspace),
    ({ stream }) => pack(stream),
    ({ seq }) => seq,
    ({ type }) => pack(type),
    ({ at }) => at,
    ({ actor }) => pack(actor),
    ({ audience }) => packOrNull(audience),
    ({ data }) => data,
    ({ previous }) => previous,
    ({ hash }) => hash,
  ]);
}

/** Returns the positions in the order of the events. `null`: there are none. */
export async function appendEvents(
  sql: Sql,
  lock: readonly [number, number],
  prepared: readonly string[] | null,
  notice: readonly [channel: string, from: string, ended: string] | null,
): Promise<readonly number[]> {
  if (prepared === null) return [];
  const locked = sql.all(LOCK, lock);
  const appended = sql.all<{ readonly position: number }>(notice === null ? APPEND : APPEND_AND_TELL, [
    ...prepared,
    ...(notice ?? []),
  ]);
  const [failed] = (await Promise.allSettled([locked, appended])).filter(
    ({ status }) => status === "rejected",
  );
  if (failed?.status === "rejected") throw failed.reason;
  return (await appended).map(({ position }) => position).sort((a, b) => a - b);
}

export async function readEvents(sql: Sql, query: EventQuery): Promise<readonly StoredEvent[]> {
  const { workspace, stream, audience, types, upTo } = query;
  const values: unknown[] = [query.after, query.limit];
  const place = (value: unknown) => `$${values.push(value)}`;
  const where = ["position > $1"];
  if (workspace !== undefined) where.push(`workspace = ${place(pack(workspace))}`);
  if (stream !== undefined) where.push(`stream = ${place(pack(stream))}`);
  if (query.afterSeq !== undefined) where.push(`seq > ${place(query.afterSeq)}`);
  if (audience !== undefined) where.push(`audience = ${place(pack(audience))}`);
  if (types !== undefined) where.push(`type = ANY(${place(types.map(pack))}::text[])`);
  if (upTo !== undefined) where.push(`position <= ${place(upTo)}`);
  // Within a stream, seq and position increase together, and the index is ordered by seq.
  const order = stream !== undefined && workspace !== undefined ? "seq" : "position";
  const text = `SELECT ${COLUMNS} FROM event WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT $2`;
  return (await sql.all<StoredEvent>(query.limit === 1 ? text : cut(text, order), values)).map(eventOf);
}

/** Ends the page after the event with which it is long enough. The length of a text is known without reading it. */
function cut(text: string, order: string): string {
  const before = `sum(octet_length(data)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - octet_length(data)`;
  return `SELECT ${COLUMNS} FROM (SELECT found.*, ${before} AS before FROM (${text}) found) measured
    WHERE before < ${PAGE_LENGTH} ORDER BY ${order}`;
}

function eventOf(row: StoredEvent): StoredEvent {
  return {
    ...row,
    workspace: unpack(row.workspace),
    stream: unpack(row.stream),
    type: unpack(row.type),
    actor: unpack(row.actor),
    audience: unpackOrNull(row.audience),
  };
}

export async function lastPosition(sql: Sql): Promise<number> {
  const [found] = await sql.all<{ readonly position: number }>(LAST);
  return found?.position ?? 0;
}
