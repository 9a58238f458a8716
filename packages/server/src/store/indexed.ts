/** What every implementation checks before it writes a put or answers a query. */

import type { IndexTable } from "../kernel/table.ts";
import type { Put, Query } from "./port.ts";

export function assertDeclared(query: Query, table: IndexTable): void {
  const name = query.index?.name;
  if (name !== undefined && !table.indexNames(query.kind).includes(name))
    throw new Error(`${query.kind} declares no index ${name}`);
  if (query.prefix !== undefined && (name !== undefined || query.kind === "hold"))
    throw new Error("a prefix goes with no index, and not with holds");
}

/** A version that stands still would let two writers both succeed (S2). */
export function assertGrows(put: Put): void {
  if (put.body !== null && put.version <= put.expected) {
    throw new Error(`${put.key.kind} ${put.key.id}: version ${put.version} does not follow ${put.expected}`);
  }
}
