/**
 * Lists of holds. Each list reads one range of one index, in the order of the index and up to the limit, so its cost
 * does not grow with the number of holds.
 */

import type { Query } from "../port.ts";
import { BEYOND_EVERY_ID, compareText } from "../text-order.ts";
import { rowOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

const COLUMN_OF_INDEX: Readonly<Record<string, string>> = {
  status: "status",
  thread: "thread",
  intent: "intent",
  group: "group_id",
  previous: "previous",
};

export interface HoldRow {
  readonly id: string;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: string;
}

const COLUMNS = "id, version, seq, head, body";
export const SELECT_HOLD = `SELECT ${COLUMNS} FROM hold WHERE id = ? AND workspace = ?`;

export function listHolds(statements: Statements, query: Query): readonly HoldRow[] {
  const { index } = query;
  if (index === undefined) return listMerged(statements, query, {});
  if (index.name === "creator") return listMerged(statements, query, { creator: index.value });
  const fixed =
    index.name === "creator_status"
      ? splitCreatorStatus(index.value)
      : { [COLUMN_OF_INDEX[index.name] as string]: index.value };
  return readRange(statements, COLUMNS, query, fixed) as readonly HoldRow[];
}

/** Columns and the values they must have: the leading columns of an index. */
type Fixed = Readonly<Record<string, string>>;

function readRange(statements: Statements, columns: string, query: Query, fixed: Fixed): unknown {
  const [beyond, order, end] = query.newestFirst === true ? ["<", "DESC", BEYOND_EVERY_ID] : [">", "ASC", ""];
  const where = ["workspace = ?", ...Object.keys(fixed).map((column) => `${column} = ?`), `id ${beyond} ?`];
  const sql = `SELECT ${columns} FROM hold WHERE ${where.join(" AND ")} ORDER BY id ${order} LIMIT ?`;
  const values = [query.workspace, ...Object.values(fixed), query.after ?? end, query.limit];
  return statements.of(sql).all(...values);
}

/** Each status has its own index range; the first `limit` ids of all ranges contain the first `limit` ids overall. */
function listMerged(statements: Statements, query: Query, fixed: Fixed): readonly HoldRow[] {
  const { workspace, limit } = query;
  const sign = query.newestFirst === true ? -1 : 1;
  const select = statements.of(SELECT_HOLD);
  return statusesOf(statements, workspace, fixed)
    .flatMap(
      (status) => readRange(statements, "id", query, { ...fixed, status }) as readonly { id: string }[],
    )
    .sort((a, b) => sign * compareText(a.id, b.id))
    .slice(0, limit)
    .flatMap(({ id }) => rowOf<HoldRow>(select.get(id, workspace)) ?? []);
}

/** Jumps from one status to the next in the index instead of reading all of its entries. */
function statusesOf(statements: Statements, workspace: string, fixed: Fixed): readonly string[] {
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

/** A status never contains the separator; a creator's name may contain anything. */
function splitCreatorStatus(value: string): Fixed {
  const at = value.lastIndexOf("\u0000");
  return { creator: value.slice(0, at), status: value.slice(at + 1) };
}
