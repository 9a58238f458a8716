/** Lists, counts and groups of open holds. Each statement reads one range of one index. */

import { typed } from "../typed.ts";
import {
  COUNT_MAX,
  countOf,
  GROUP_STEPS_MAX,
  GROUPINGS,
  groupsIn,
  groupsOf,
  isWhole,
  rangeOf,
  SCAN_MAX,
  type WaitingCount,
  type WaitingFilter,
  type WaitingGrouping,
  type WaitingGroups,
  type WaitingPage,
  type WaitingPlace,
  type WaitingQuery,
} from "../waiting.ts";
import { type EntityRow, entityOf } from "./entity-reader.ts";
import { pack, unpack } from "./packed-text.ts";
import { readInTurns } from "./rows-in-turns.ts";
import type { Sql } from "./sql.ts";

const PLACE = 'ends_at AS "endsAt", id';
const COLUMNS = `workspace, 'hold' AS kind, id, version, seq, head, body, ends_at AS "endsAt"`;

type Asked = Pick<WaitingQuery, "order" | "after" | "limit"> & WaitingFilter;

function statement(query: Asked, columns: string, last: WaitingPlace | null, skip = 0) {
  const range = rangeOf(query, query.order);
  const values: unknown[] = [];
  const place = (value: string | number) =>
    typeof value === "number" ? `$${values.push(value)}::bigint` : `$${values.push(pack(value))}::text`;
  const where = [
    `workspace = ${place(query.workspace)}`,
    "status = 'open'",
    ...range.leading(place),
    ...(query.after === undefined ? [] : [range.beyond(query.after, place)]),
    ...(last === null ? [] : [range.upTo(last, place)]),
    // What only finds the last entry to read must count every entry.
    ...(skip > 0 ? [] : range.rest(place)),
  ];
  const text = `SELECT ${columns} FROM hold WHERE ${where.join(" AND ")}
    ORDER BY ${range.orderBy} LIMIT ${place(query.limit)} OFFSET ${place(skip)}`;
  return { text, values };
}

/** The last entry that this request may read; `null`: all of them. */
async function lastToRead(sql: Sql, query: Asked): Promise<WaitingPlace | null> {
  if (!rangeOf(query, query.order).isFiltered) return null;
  const { text, values } = statement({ ...query, limit: 1 }, PLACE, null, SCAN_MAX - 1);
  const [found] = await sql.all<WaitingPlace>(text, values);
  return found === undefined ? null : placeOf(found);
}

function placeOf({ endsAt, id }: WaitingPlace): WaitingPlace {
  return { endsAt, id: unpack(id) };
}

export async function listWaiting(sql: Sql, query: WaitingQuery): Promise<WaitingPage> {
  const last = await lastToRead(sql, query);
  const { text, values } = statement(query, COLUMNS, last);
  const rows = await sql.all<EntityRow & WaitingPlace>(text, values);
  const end = rows.at(-1);
  return {
    holds: typed(await readInTurns(rows, entityOf)),
    next: rows.length < query.limit || end === undefined ? last : placeOf(end),
  };
}

export async function countWaiting(sql: Sql, filter: WaitingFilter): Promise<WaitingCount> {
  const query = { ...filter, order: "urgency", limit: COUNT_MAX + 1 } as const;
  const last = await lastToRead(sql, query);
  const { text, values } = statement(query, "1", last);
  const [found] = await sql.all<{ count: number }>(
    `SELECT count(*) AS count FROM (${text}) AS found`,
    values,
  );
  return countOf(found?.count ?? 0, last !== null);
}

async function groupFiltered(sql: Sql, filter: WaitingFilter, by: WaitingGrouping): Promise<WaitingGroups> {
  const query = { ...filter, order: "urgency", limit: SCAN_MAX } as const;
  const last = await lastToRead(sql, query);
  const { text, values } = statement(query, `${GROUPINGS[by].column} AS value`, last);
  const found = await sql.all<{ value: string | null; count: number }>(
    `SELECT value, count(*) AS count FROM (${text}) AS found GROUP BY value ORDER BY value`,
    values,
  );
  const read = found.reduce((sum, { count }) => sum + count, 0);
  const named = found.map(({ value, count }) => ({ value: value === null ? null : unpack(value), count }));
  return groupsIn(named, last !== null || read === SCAN_MAX);
}

export async function groupWaiting(
  sql: Sql,
  filter: WaitingFilter,
  by: WaitingGrouping,
): Promise<WaitingGroups> {
  if (!isWhole(filter)) return groupFiltered(sql, filter, by);
  const { workspace } = filter;
  const { column, isOpenOnly } = GROUPINGS[by];
  const open = isOpenOnly ? "AND status = 'open'" : "";
  const text = `WITH RECURSIVE found AS (
      SELECT (SELECT min(${column}) FROM hold WHERE workspace = $1 ${open}) AS value
      UNION ALL
      SELECT (SELECT min(${column}) FROM hold WHERE workspace = $1 ${open} AND ${column} > found.value)
        FROM found WHERE found.value IS NOT NULL
    )
    SELECT f.value, (SELECT count(*) FROM (
        SELECT 1 FROM hold h WHERE h.workspace = $1 AND h.${column} = f.value AND h.status = 'open' LIMIT $2
      ) AS counted) AS count
    FROM (SELECT value FROM found WHERE value IS NOT NULL LIMIT $3) AS f`;
  const found = await sql.all<{ value: string; count: number }>(text, [
    ...[pack(workspace), COUNT_MAX + 1, GROUP_STEPS_MAX + 1],
  ]);
  return groupsOf(
    found.map(({ value, count }) => ({ value: unpack(value), count })),
    found.length > GROUP_STEPS_MAX,
  );
}
