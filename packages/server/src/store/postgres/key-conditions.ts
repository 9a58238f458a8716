/**
 * SQL conditions that make the planner look rows up by an index.
 *
 * Plans are cached for a while (`fresh-plans.ts`). A join that was planned while a table was small, or while the
 * statistics say so, may scan the whole table and compare every row; it still does so once the table is large. With
 * the wanted values as arrays there is no join, only an index lookup.
 */

/**
 * Rows of `table` whose `columns`, which begin with the leading ones of an index, have values that occur in `wanted`.
 */
export function columnsIn(table: string, columns: readonly string[], wanted: string): string {
  return columns.map((name) => `${table}.${name} = ANY(ARRAY(SELECT ${name} FROM ${wanted}))`).join(" AND ");
}

/** Rows of `table` whose `columns` equal those of a row of `wanted`. */
export function rowIn(table: string, columns: readonly string[], wanted: string): string {
  return `${columnsIn(table, columns, wanted)} AND ${sameRowIn(table, columns, wanted)}`;
}

/**
 * `columns` equal those of a row of `wanted`, where they may have other `names`. NOT IN uses a hashed lookup; IN
 * would become a join.
 */
export function sameRowIn(
  table: string,
  columns: readonly string[],
  wanted: string,
  names: readonly string[] = columns,
): string {
  const found = columns.map((name) => `${table}.${name}`).join(", ");
  return `NOT ((${found}) NOT IN (SELECT ${names.join(", ")} FROM ${wanted}))`;
}
