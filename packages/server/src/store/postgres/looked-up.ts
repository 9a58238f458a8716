/**
 * Conditions that leave the planner no choice but to look rows up.
 *
 * A plan is kept for as long as its session. Made while a table was small, or while statistics said so, a join may go through
 * the whole table and ask of every row whether it is wanted; later, when the table is large, it still does. Where the wanted
 * values stand as arrays there is no join, only an index to go by.
 */

/** Rows of `table` whose `columns`, the leading ones of an index among them, have values that `wanted` has somewhere. */
export function lookedUp(table: string, columns: readonly string[], wanted: string): string {
  return columns.map((name) => `${table}.${name} = ANY(ARRAY(SELECT ${name} FROM ${wanted}))`).join(" AND ");
}

/** Rows of `table` whose `columns` are those of a row of `wanted`. */
export function among(table: string, columns: readonly string[], wanted: string): string {
  const names = columns.map((name) => `${table}.${name}`).join(", ");
  // NOT IN is looked up in a hash; IN would be made a join.
  const exactly = `NOT ((${names}) NOT IN (SELECT ${columns.join(", ")} FROM ${wanted}))`;
  return `${lookedUp(table, columns, wanted)} AND ${exactly}`;
}
