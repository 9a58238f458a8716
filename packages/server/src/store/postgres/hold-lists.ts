/**
 * Lists of holds. Each list reads one range of one index, in the order of the index and up to the limit, so its cost
 * does not grow with the number of holds.
 */

import { type FixedColumns, fixedColumns } from "../hold-columns.ts";
import type { Query } from "../port.ts";
import type { EntityRow } from "./entity-reader.ts";
import { pack } from "./packed-text.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = "workspace, 'hold' AS kind, id, version, seq, head, body";

export function listHolds(sql: Sql, query: Query): Promise<readonly EntityRow[]> {
  const { index } = query;
  if (index === undefined) return listMerged(sql, query, {});
  if (index.name === "creator") return listMerged(sql, query, { creator: index.value });
  const fixed = fixedColumns(index);
  const range = rangeOf(query, fixed);
  return sql.all(
    `SELECT ${COLUMNS} FROM hold WHERE ${range.where} ${range.beyond} ${range.tail}`,
    range.values,
  );
}

function rangeOf(query: Query, fixed: FixedColumns) {
  const { workspace, after, limit } = query;
  const values: unknown[] = [pack(workspace), limit];
  const place = (value: string) => `$${values.push(pack(value))}`;
  const where = [
    "workspace = $1",
    ...Object.entries(fixed).map(([column, value]) => `${column} = ${place(value)}`),
  ].join(" AND ");
  const [sign, order] = query.newestFirst === true ? ["<", "DESC"] : [">", "ASC"];
  const beyond = after === undefined ? "" : `AND id ${sign} ${place(after)}`;
  return { where, beyond, tail: `ORDER BY id ${order} LIMIT $2`, values };
}

/**
 * Each status has its own index range; the first `limit` rows of all ranges contain the first `limit` rows overall. A
 * recursive query jumps from one status to the next in the index.
 */
function listMerged(sql: Sql, query: Query, fixed: FixedColumns): Promise<readonly EntityRow[]> {
  const { where, beyond, tail, values } = rangeOf(query, fixed);
  const text = `WITH RECURSIVE found AS (
      SELECT (SELECT min(status) FROM hold WHERE ${where}) AS status
      UNION ALL
      SELECT (SELECT min(status) FROM hold WHERE ${where} AND status > found.status)
        FROM found WHERE found.status IS NOT NULL
    )
    SELECT each.* FROM found CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM hold WHERE ${where} AND status = found.status ${beyond} ${tail}
    ) AS each WHERE found.status IS NOT NULL ${tail.replace("ORDER BY id", "ORDER BY each.id")}`;
  return sql.all(text, values);
}
