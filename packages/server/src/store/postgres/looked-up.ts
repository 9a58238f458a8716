/**
 * Conditions that leave the planner no choice but to look rows up.
 *
 * A plan is kept for a while (`fresh-plans.ts`). Made while a table was small, or while statistics say so, a join may go
 * through the whole table and ask of every row whether it is wanted; once the table is large, it still does. Where the
 * wanted values stand as arrays there is no join, only an index to go by.
 */

/** Rows of `table` whose `columns`, the leading ones of an index among them, have values that `wanted` has somewhere. */
export function lookedUp(table: string, columns: readonly string[], wanted: string): string {
  return columns.map((name) => `${table}.${name} = ANY(ARRAY(SELECT ${name} FROM ${wanted}))`).join(" AND ");
}

/** Rows of `table` whose `columns` are those of a row of `wanted`. */
export function among(table: string, columns: readonly string[], wanted: string): string {
  return `${lookedUp(table, columns, wanted)} AND ${exactly(table, columns, wanted)}`;
}

/** `columns` are those of a row of `wanted`, which may call them otherwise. NOT IN is looked up in a hash; IN would be a join. */
export function exactly(
  table: string,
  columns: readonly string[],
  wanted: string,
  names: readonly string[] = columns,
): string {
  const found = columns.map((name) => `${table}.${name}`).join(", ");
  return `NOT ((${found}) NOT IN (SELECT ${names.join(", ")} FROM ${wanted}))`;
}
