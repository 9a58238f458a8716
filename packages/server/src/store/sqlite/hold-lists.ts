/**
 * Lists of holds. Each list reads one range of one index, in the order of the index and up to the limit, so its cost
 * does not grow with the number of holds.
 */

import { type FixedColumns, fixedColumns } from "../hold-columns.ts";
import type { Query } from "../port.ts";
import { BEYOND_EVERY_ID, compareText } from "../text-order.ts";
import { rowOf, rowsIn } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface HoldRow {
  readonly id: string;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: string;
}

const COLUMNS = "id, version, seq, head, body";
export const SELECT_HOLD = `SELECT ${COLUMNS} FROM hold WHERE id = ? AND workspace = ?`;

/** Reads a row when the caller asks for it. */
export function listHolds(statements: Statements, query: Query): Iterable<HoldRow> {
  const { index } = query;
  if (index === undefined) return listMerged(statements, query, {});
  if (index.name === "creator") return listMerged(statements, query, { creator: index.value });
  const fixed = fixedColumns(index);
  return readRange<HoldRow>(statements, COLUMNS, query, fixed);
}

function readRange<Row extends object>(
  statements: Statements,
  columns: string,
  query: Query,
  fixed: FixedColumns,
): Iterable<Row> {
  const [beyond, order, end] = query.newestFirst === true ? ["<", "DESC", BEYOND_EVERY_ID] : [">", "ASC", ""];
  const where = ["workspace = ?", ...Object.keys(fixed).map((column) => `${column} = ?`), `id ${beyond} ?`];
  const sql = `SELECT ${columns} FROM hold WHERE ${where.join(" AND ")} ORDER BY id ${order} LIMIT ?`;
  const values = [query.workspace, ...Object.values(fixed), query.after ?? end, query.limit];
  return rowsIn(statements.of(sql).iterate(...values));
}

/** Each status has its own index range; the first `limit` ids of all ranges contain the first `limit` ids overall. */
function listMerged(statements: Statements, query: Query, fixed: FixedColumns): Iterable<HoldRow> {
  const { workspace, limit } = query;
  const sign = query.newestFirst === true ? -1 : 1;
  const select = statements.of(SELECT_HOLD);
  return statusesOf(statements, workspace, fixed)
    .flatMap((status) => [...readRange<{ id: string }>(statements, "id", query, { ...fixed, status })])
    .sort((a, b) => sign * compareText(a.id, b.id))
    .slice(0, limit)
    .values()
    .flatMap(({ id }) => {
      const row = rowOf<HoldRow>(select.get(id, workspace));
      return row === undefined ? [] : [row];
    });
}

/** Jumps from one status to the next in the index instead of reading all of its entries. */
function statusesOf(statements: Statements, workspace: string, fixed: FixedColumns): readonly string[] {
  const where = ["workspace = ?", ...Object.keys(fixed).map((column) => `${column} = ?`), "status > ?"];
  const next = statements.of(`SELECT min(status) AS status FROM hold WHERE ${where.join(" AND ")}`);
  const statuses: string[] = [];
  let last: string | null = "";
  while (last !== null) {
    last = (next.get(workspace, ...Object.values(fixed), last) as { status: string | null }).status;
    if (last !== null) statuses.push(last);
  }
  return statuses;
}
