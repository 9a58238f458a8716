/** Outbox messages. A counter fences claims, so that only the latest claimer can end an attempt. */

import type { OutboxAttempt, OutboxRow } from "../../kernel/record.ts";
import type { Backlog, BacklogName, BacklogQuery, OutboxQuery } from "../port.ts";
import { rowIn } from "./key-conditions.ts";
import { pack, packOrNull, unpack, unpackOrNull } from "./packed-text.ts";
import { columnsOf, type Sql } from "./sql.ts";

export const COLUMNS = `id, workspace, kind, endpoint, lane, hold_id, event_stream, event_seq, event_type, detail, state, attempts,
  created_at, due_at, claim`;
const INSERT = `INSERT INTO outbox (${COLUMNS}) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[],
  $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[],
  $14::bigint[], $15::bigint[])`;
export const KEY = ["workspace", "id"];
const NEXT = "SELECT min(due_at) AS at FROM outbox WHERE state = 'waiting'";
const RENEW = `WITH w AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) AS w (workspace, id, claim))
  UPDATE outbox o SET due_at = $1::bigint WHERE o.state = 'waiting' AND ${rowIn("o", [...KEY, "claim"], "w")}
  RETURNING o.workspace, o.id`;
const SETTLE = `UPDATE outbox SET state = $1, attempts = $2, due_at = $3, lane = $7
  WHERE workspace = $4 AND id = $5 AND claim = $6 RETURNING id`;

const PRUNE = `WITH old AS MATERIALIZED (SELECT workspace, id FROM outbox
    WHERE state <> 'waiting' AND created_at < $1 ORDER BY created_at, workspace, id LIMIT $2 FOR UPDATE SKIP LOCKED)
  DELETE FROM outbox o WHERE ${rowIn("o", KEY, "old")} RETURNING o.id`;
const FORGET = `WITH gone AS (SELECT * FROM unnest($1::text[], $2::text[]) AS gone (workspace, hold_id))
  UPDATE outbox o SET detail = coalesce(
    (SELECT json_object_agg(e.key, e.value)::text FROM json_each(o.detail::json) e WHERE e.key <> 'to'), '{}')
  WHERE ${rowIn("o", ["workspace", "hold_id"], "gone")}`;

const BACKLOGS = `SELECT workspace, kind, endpoint, lane, count(*) AS waiting, min(created_at) AS oldest_at FROM outbox
  WHERE state = 'waiting' AND ($1::text IS NULL OR workspace = $1) GROUP BY workspace, lane, kind, endpoint
  HAVING count(*) >= $2 ORDER BY waiting DESC, workspace, lane, kind, endpoint LIMIT $3`;
const DROP = `WITH dropped AS MATERIALIZED (SELECT workspace, id FROM outbox
    WHERE state = 'waiting' AND workspace = $2 AND lane = $3 AND due_at <= $4 AND kind = $5 AND endpoint = $6
    ORDER BY created_at DESC, id DESC LIMIT $7 FOR UPDATE SKIP LOCKED)
  UPDATE outbox o SET state = 'failed', due_at = NULL, claim = o.claim + 1,
    attempts = (o.attempts::jsonb || $1::jsonb)::text
  WHERE ${rowIn("o", KEY, "dropped")} RETURNING o.id`;

export interface Row {
  readonly id: string;
  readonly workspace: string;
  readonly kind: OutboxRow["kind"];
  readonly endpoint: string;
  readonly lane: string;
  readonly hold_id: string | null;
  readonly event_stream: string;
  readonly event_seq: number;
  readonly event_type: string;
  readonly detail: string;
  readonly state: OutboxRow["state"];
  readonly attempts: string;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly claim: number;
}

export function insertOutbox(sql: Sql, rows: readonly OutboxRow[]): readonly Promise<unknown>[] {
  if (rows.length === 0) return [];
  const values = columnsOf(rows, [
    ({ id }) => pack(id),
    ({ workspace }) => pack(workspace),
    ({ kind }) => kind,
    ({ endpoint }) => pack(endpoint),
    ({ lane }) => pack(lane),
    ({ holdId }) => packOrNull(holdId),
    ({ event }) => pack(event.stream),
    ({ event }) => event.seq,
    ({ event }) => pack(event.type),
    ({ detail }) => JSON.stringify(detail),
    ({ state }) => state,
    ({ attempts }) => JSON.stringify(attempts),
    ({ createdAt }) => createdAt,
    ({ dueAt }) => dueAt,
    ({ claim }) => claim,
  ]);
  return [sql.all(INSERT, values)];
}

export async function nextOutboxAt(sql: Sql): Promise<number | null> {
  const [found] = await sql.all<{ readonly at: number | null }>(NEXT);
  return found?.at ?? null;
}

export async function renewOutbox(
  sql: Sql,
  rows: readonly OutboxRow[],
  until: number,
): Promise<readonly boolean[]> {
  const claims = columnsOf(rows, [
    ({ workspace }) => pack(workspace),
    ({ id }) => pack(id),
    ({ claim }) => claim,
  ]);
  const kept = await sql.all<Pick<Row, "workspace" | "id">>(RENEW, [until, ...claims]);
  return rows.map(({ workspace, id }) =>
    kept.some((row) => row.id === pack(id) && row.workspace === pack(workspace)),
  );
}

export async function settleOutbox(sql: Sql, row: OutboxRow): Promise<boolean> {
  const { state, attempts, dueAt, lane, workspace, id, claim } = row;
  const values = [state, JSON.stringify(attempts), dueAt, pack(workspace), pack(id), claim, pack(lane)];
  return (await sql.all(SETTLE, values)).length === 1;
}

export async function pruneOutbox(sql: Sql, before: number, limit: number): Promise<number> {
  return (await sql.all(PRUNE, [before, limit])).length;
}

export async function readBacklogs(sql: Sql, query: BacklogQuery): Promise<readonly Backlog[]> {
  const found = await sql.all<Omit<Backlog, "oldestAt"> & { readonly oldest_at: number }>(BACKLOGS, [
    packOrNull(query.workspace),
    query.atLeast,
    query.limit,
  ]);
  return found.map(({ oldest_at: oldestAt, ...row }) => ({
    ...row,
    workspace: unpack(row.workspace),
    endpoint: unpack(row.endpoint),
    lane: unpack(row.lane),
    oldestAt,
  }));
}

export async function dropOutbox(
  sql: Sql,
  { workspace, kind, endpoint, lane }: BacklogName,
  attempt: OutboxAttempt,
  limit: number,
): Promise<number> {
  const names = [pack(workspace), pack(lane), attempt.at, kind, pack(endpoint)];
  return (await sql.all(DROP, [JSON.stringify([attempt]), ...names, limit])).length;
}

export function forgetRecipients(
  sql: Sql,
  holds: readonly { readonly workspace: string; readonly holdId: string }[],
): readonly Promise<unknown>[] {
  if (holds.length === 0) return [];
  return [
    sql.all(FORGET, columnsOf(holds, [({ workspace }) => pack(workspace), ({ holdId }) => pack(holdId)])),
  ];
}

export async function listOutbox(sql: Sql, query: OutboxQuery): Promise<readonly OutboxRow[]> {
  const values: unknown[] = [pack(query.workspace), query.limit];
  const place = (value: string) => `$${values.push(pack(value))}`;
  const where = ["workspace = $1"];
  if (query.before !== undefined) where.push(`id < ${place(query.before)}`);
  if (query.endpoint !== undefined) where.push(`endpoint = ${place(query.endpoint)}`);
  if (query.holdId !== undefined) where.push(`hold_id = ${place(query.holdId)}`);
  if (query.id !== undefined) where.push(`id = ${place(query.id)}`);
  // PostgreSQL uses a partial index only if the state is a literal in the statement; states are a fixed set, so this
  // is safe.
  if (query.state !== undefined) where.push(`state = '${query.state}'`);
  const text = `SELECT ${COLUMNS} FROM outbox WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT $2`;
  return (await sql.all<Row>(text, values)).map(rowOf);
}

export function rowOf(row: Row): OutboxRow {
  return {
    id: unpack(row.id),
    workspace: unpack(row.workspace),
    kind: row.kind,
    endpoint: unpack(row.endpoint),
    lane: unpack(row.lane),
    holdId: unpackOrNull(row.hold_id),
    event: { stream: unpack(row.event_stream), seq: row.event_seq, type: unpack(row.event_type) },
    detail: JSON.parse(row.detail),
    state: row.state,
    attempts: JSON.parse(row.attempts),
    createdAt: row.created_at,
    dueAt: row.due_at,
    claim: row.claim,
  };
}
