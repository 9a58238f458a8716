/** Reads entities: holds from their own table, all other kinds from the common table. */

import { type Entity, type EntityKey, keyText } from "../../kernel/entity.ts";
import { type LoadRoom, SHORT_ROW } from "../load-room.ts";
import type { Query, Want } from "../port.ts";
import { BEYOND_EVERY_ID, compareKeys } from "../text-order.ts";
import { listHolds } from "./hold-lists.ts";
import { pack, unpack } from "./packed-text.ts";
import { readInTurns } from "./rows-in-turns.ts";
import { columnsOf, type Sql } from "./sql.ts";

export interface EntityRow {
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: string;
}

export const HOLD = "h.workspace, 'hold' AS kind, h.id, h.version, h.seq, h.head, h.body";
export const ENTITY = "e.workspace, e.kind, e.id, e.version, e.seq, e.head, e.body";

const WANTED_HOLDS = "unnest($1::text[], $2::text[]) AS w (id, workspace)";
const WANTED_ENTITIES = "unnest($1::text[], $2::text[], $3::text[]) AS w (id, workspace, kind)";
const THE_HOLD = "SELECT * FROM hold t WHERE t.id = w.id AND t.workspace = w.workspace OFFSET 0";
const THE_ENTITY =
  "SELECT * FROM entity t WHERE t.kind = w.kind AND t.id = w.id AND t.workspace = w.workspace OFFSET 0";

/** Looks up one row after another. OFFSET 0 keeps the planner from turning the lookup into a join. */
const LOAD_HOLDS = `SELECT ${HOLD} FROM ${WANTED_HOLDS}, LATERAL (${THE_HOLD}) AS h`;
const LOAD_ENTITIES = `SELECT ${ENTITY} FROM ${WANTED_ENTITIES}, LATERAL (${THE_ENTITY}) AS e`;
/**
 * Locks rows in the order in which they are listed: all servers list rows in the same order, so they cannot deadlock.
 */
const LOCK_HOLDS = `SELECT ${HOLD} FROM ${WANTED_HOLDS}, LATERAL (${THE_HOLD} FOR UPDATE) AS h`;
const LOCK_ENTITIES = `SELECT ${ENTITY} FROM ${WANTED_ENTITIES}, LATERAL (${THE_ENTITY} FOR UPDATE) AS e`;

/** Fails at once if another server has locked a row, instead of waiting for it. */
const noWait = (text: string) => text.replace("FOR UPDATE", "FOR UPDATE NOWAIT");
const LOCK_HOLDS_NOW = noWait(LOCK_HOLDS);
const LOCK_ENTITIES_NOW = noWait(LOCK_ENTITIES);
/** Leaves out rows that another server has locked. */
const skipLocked = (text: string) => text.replace("FOR UPDATE", "FOR UPDATE SKIP LOCKED");
const LOCK_FREE_HOLDS = skipLocked(LOCK_HOLDS);
const LOCK_FREE_ENTITIES = skipLocked(LOCK_ENTITIES);

const FIND_HOLD = `SELECT ${HOLD} FROM hold h WHERE h.id = $1 LIMIT 1`;
const FIND_ENTITY = `SELECT ${ENTITY} FROM entity e WHERE e.kind = $1 AND e.id = $2 LIMIT 1`;

export async function loadEntities(sql: Sql, wants: readonly Want[]): Promise<readonly Entity[]> {
  return inOrder(await gather(statementsFor(sql, wants, LOAD_HOLDS, LOAD_ENTITIES)), wants);
}

interface Locking {
  /** Does not wait for rows that another server has locked: those that are only needed `ifRoom` are left out, others fail. */
  readonly isAtOnce: boolean;
  readonly room?: LoadRoom | undefined;
}

/** The statements are pipelined; entities that are only read are not locked. */
export async function lockEntities(
  sql: Sql,
  wants: readonly Want[],
  { isAtOnce, room }: Locking,
): Promise<readonly Entity[]> {
  const {
    read = [],
    spare = [],
    locked = [],
  } = Object.groupBy(wants, (want) => {
    if (want.read === true) return "read";
    return isAtOnce && want.ifRoom === true ? "spare" : "locked";
  });
  const rows = await gather([
    ...(isAtOnce
      ? statementsFor(sql, locked, LOCK_HOLDS_NOW, LOCK_ENTITIES_NOW)
      : statementsFor(sql, locked, LOCK_HOLDS, LOCK_ENTITIES)),
    ...statementsFor(sql, spare, LOCK_FREE_HOLDS, LOCK_FREE_ENTITIES),
    ...statementsFor(sql, read, LOAD_HOLDS, LOAD_ENTITIES),
  ]);
  if (spare.length > 0) refuseMissing(spare, rows, room);
  return inOrder(rows, wants, room);
}

/** A row that was not found may be locked, so nothing may be concluded from its absence. */
function refuseMissing(spare: readonly Want[], rows: readonly EntityRow[], room: LoadRoom | undefined): void {
  const found = new Set(rows.map((row) => keyText(keyOf(row))));
  room?.refuse(spare.filter((want) => !found.has(keyText(want))));
}

function statementsFor(sql: Sql, wants: readonly Want[], holdsText: string, entitiesText: string) {
  const sorted = wants.toSorted(compareKeys);
  const holds = sorted.filter(({ kind }) => kind === "hold");
  const others = sorted.filter(({ kind }) => kind !== "hold");
  const ids = (of: readonly Want[]) =>
    columnsOf(of, [({ id }) => pack(id), ({ workspace }) => pack(workspace)]);
  const asked: Promise<readonly EntityRow[]>[] = [];
  if (holds.length > 0) asked.push(sql.all(holdsText, ids(holds)));
  if (others.length > 0)
    asked.push(sql.all(entitiesText, [...ids(others), ...columnsOf(others, [({ kind }) => kind])]));
  return asked;
}

async function gather(asked: readonly Promise<readonly EntityRow[]>[]): Promise<readonly EntityRow[]> {
  // Waits for all statements, so that no rejection stays unhandled.
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => {
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  });
}

/** Long rows are parsed in the order in which they were asked for, and in several turns. */
async function inOrder(
  rows: readonly EntityRow[],
  wants: readonly Want[],
  room?: LoadRoom,
): Promise<readonly Entity[]> {
  if (rows.every(({ body }) => body.length <= SHORT_ROW)) return rows.map(entityOf);
  const places = new Map(wants.map((want, at) => [keyText(want), at]));
  const placed = rows.map((row) => ({ row, key: keyOf(row), at: 0 }));
  for (const each of placed) each.at = places.get(keyText(each.key)) ?? 0;
  placed.sort((a, b) => a.at - b.at);
  const end = placed.findIndex(({ row, key }) => room?.admits(key, row.body.length) === false);
  const refused = placed[end];
  if (refused !== undefined) room?.refuse(wants.slice(refused.at + 1));
  const admitted = refused === undefined ? placed : placed.slice(0, end);
  return readInTurns(
    admitted.map(({ row }) => row),
    entityOf,
  );
}

export async function findEntity(sql: Sql, kind: string, id: string): Promise<Entity | undefined> {
  const found =
    kind === "hold"
      ? await sql.all<EntityRow>(FIND_HOLD, [pack(id)])
      : await sql.all<EntityRow>(FIND_ENTITY, [kind, pack(id)]);
  return found[0] === undefined ? undefined : entityOf(found[0]);
}

export async function queryEntities(sql: Sql, query: Query): Promise<readonly Entity[]> {
  const rows = query.kind === "hold" ? await listHolds(sql, query) : await listEntities(sql, query);
  return readInTurns(rows, entityOf);
}

function listEntities(sql: Sql, query: Query): Promise<readonly EntityRow[]> {
  const { workspace, kind, index, prefix, after, limit } = query;
  const [beyond, order] = query.newestFirst === true ? ["<", "DESC"] : [">", "ASC"];
  const values: unknown[] = [pack(workspace), kind, limit];
  const place = (value: string) => `$${values.push(pack(value))}`;
  if (index === undefined) {
    const from = after === undefined ? "" : `AND e.id ${beyond} ${place(after)}`;
    const within =
      prefix === undefined
        ? ""
        : `AND e.id >= ${place(prefix)} AND e.id < ${place(prefix + BEYOND_EVERY_ID)}`;
    const text = `SELECT ${ENTITY} FROM entity e
      WHERE e.workspace = $1 AND e.kind = $2 ${listedBy(kind)} ${from} ${within} ORDER BY e.id ${order} LIMIT $3`;
    return sql.all(text, values);
  }
  const where = `i.name = ${place(index.name)} AND i.value = ${place(index.value)}`;
  const from = after === undefined ? "" : `AND i.id ${beyond} ${place(after)}`;
  const text = `SELECT ${ENTITY} FROM
    (SELECT * FROM entity_index i
      WHERE i.workspace = $1 AND i.kind = $2 AND ${where} ${from} ORDER BY i.id ${order} LIMIT $3) AS w,
    LATERAL (${THE_ENTITY}) AS e ORDER BY e.id ${order}`;
  return sql.all(text, values);
}

/** The index of lists has no links. The planner uses it only for statements that say themselves that they want none. */
function listedBy(kind: string): string {
  return kind === "link" ? "" : "AND e.kind <> 'link'";
}

export function keyOf({ workspace, kind, id }: EntityRow): EntityKey {
  return { workspace: unpack(workspace), kind, id: unpack(id) };
}

export function entityOf(row: EntityRow): Entity {
  const { version, seq, head, kind } = row;
  return {
    workspace: unpack(row.workspace),
    kind,
    id: unpack(row.id),
    version,
    seq,
    head,
    body: JSON.parse(row.body),
  };
}
