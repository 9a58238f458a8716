/** Budgets that all servers share. */

import type { Spending, Spent } from "../port.ts";
import { pack, unpack } from "./packed-text.ts";
import { columnsOf, type Sql } from "./sql.ts";

/** Rows are written in order of name, so that two servers cannot deadlock. */
const SPEND = `INSERT INTO spending AS s (name, spent, ends_at)
  SELECT name, count, $1::bigint + window_ms FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS w (name, count, window_ms)
  ORDER BY name
  ON CONFLICT (name) DO UPDATE SET
    spent = excluded.spent + CASE WHEN s.ends_at <= $1 THEN 0 ELSE s.spent END,
    ends_at = CASE WHEN s.ends_at <= $1 THEN excluded.ends_at ELSE s.ends_at END
  RETURNING name, spent, ends_at AS "endsAt"`;
const FORGET = `DELETE FROM spending WHERE name = ANY (ARRAY(
  SELECT name FROM spending WHERE ends_at <= $1 LIMIT 1000 FOR UPDATE SKIP LOCKED))`;

export async function spend(
  sql: Sql,
  spendings: readonly Spending[],
  now: number,
): Promise<readonly Spent[]> {
  await sql.all(FORGET, [now]);
  const columns = columnsOf(spendings, [
    ({ name }) => pack(name),
    ({ count }) => count,
    ({ windowMs }) => windowMs,
  ]);
  const totals = await sql.all<Spent>(SPEND, [now, ...columns]);
  return totals.map((total) => ({ ...total, name: unpack(total.name) }));
}
