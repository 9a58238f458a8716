/** Lists, counts and groups of open holds. Each statement reads one range of one index, named in the statement. */

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
  type WaitingPlace,
  type WaitingQuery,
} from "../waiting.ts";
import { rowOf, rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Ids only: the rows are loaded in several event-loop turns (G13). */
export interface WaitingIds {
  readonly places: readonly WaitingPlace[];
  readonly next: WaitingPlace | null;
}

type Asked = Pick<WaitingQuery, "order" | "after" | "limit"> & WaitingFilter;

const PLACE = "ends_at AS endsAt, id";

function read(statements: Statements, query: Asked, columns: string, last: WaitingPlace | null, skip = 0) {
  const range = rangeOf(query, query.order);
  const values: (string | number)[] = [];
  const place = (value: string | number) => {
    values.push(value);
    return "?";
  };
  const where = [
    `workspace = ${place(query.workspace)}`,
    "status = 'open'",
    ...range.leading(place),
    ...(query.after === undefined ? [] : [range.beyond(query.after, place)]),
    ...(last === null ? [] : [range.upTo(last, place)]),
    // What only finds the last entry to read must count every entry.
    ...(skip > 0 ? [] : range.rest(place)),
  ];
  const sql = `SELECT ${columns} FROM hold INDEXED BY ${range.index} WHERE ${where.join(" AND ")}
    ORDER BY ${range.orderBy} LIMIT ${place(query.limit)} OFFSET ${place(skip)}`;
  return statements.of(sql).all(...values);
}

/** The last entry that this request may read; `null`: all of them. */
function lastToRead(statements: Statements, query: Asked): WaitingPlace | null {
  if (!rangeOf(query, query.order).isFiltered) return null;
  return rowsOf<WaitingPlace>(read(statements, { ...query, limit: 1 }, PLACE, null, SCAN_MAX - 1))[0] ?? null;
}

export function listWaiting(statements: Statements, query: WaitingQuery): WaitingIds {
  const last = lastToRead(statements, query);
  const places = rowsOf<WaitingPlace>(read(statements, query, PLACE, last));
  return { places, next: places.length < query.limit ? last : (places.at(-1) ?? null) };
}

export function countWaiting(statements: Statements, filter: WaitingFilter): WaitingCount {
  const query = { ...filter, order: "urgency", limit: COUNT_MAX + 1 } as const;
  const last = lastToRead(statements, query);
  return countOf(read(statements, query, "1", last).length, last !== null);
}

function groupFiltered(statements: Statements, filter: WaitingFilter, by: WaitingGrouping): WaitingGroups {
  const query = { ...filter, order: "urgency", limit: SCAN_MAX } as const;
  const last = lastToRead(statements, query);
  const { column } = GROUPINGS[by];
  const rows = rowsOf<{ value: string | null }>(read(statements, query, `${column} AS value`, last));
  const counts = [...Map.groupBy(rows, ({ value }) => value)].map(([value, of]) => ({
    value,
    count: of.length,
  }));
  return groupsIn(counts, last !== null || rows.length === SCAN_MAX);
}

export function groupWaiting(
  statements: Statements,
  filter: WaitingFilter,
  by: WaitingGrouping,
): WaitingGroups {
  if (!isWhole(filter)) return groupFiltered(statements, filter, by);
  const { workspace } = filter;
  const { column, index, isOpenOnly } = GROUPINGS[by];
  const open = isOpenOnly ? "AND status = 'open'" : "";
  const next = statements.of(
    `SELECT min(${column}) AS value FROM hold INDEXED BY ${index} WHERE workspace = ? ${open} AND ${column} > ?`,
  );
  const members = statements.of(
    `SELECT 1 FROM hold INDEXED BY ${index} WHERE workspace = ? AND ${column} = ? AND status = 'open' LIMIT ?`,
  );
  const found: { value: string; count: number }[] = [];
  let value: string | null = "";
  for (let step = 0; step <= GROUP_STEPS_MAX; step += 1) {
    value = rowOf<{ value: string | null }>(next.get(workspace, value))?.value ?? null;
    if (value === null) break;
    found.push({ value, count: members.all(workspace, value, COUNT_MAX + 1).length });
  }
  return groupsOf(found, value !== null);
}
