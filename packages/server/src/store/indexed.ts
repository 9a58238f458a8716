/** Checks that every implementation makes before it writes a put or runs a query. */

import type { IndexTable } from "../kernel/table.ts";
import type { Put, Query } from "./port.ts";

export function assertDeclared(query: Query, table: IndexTable): void {
  const name = query.index?.name;
  if (name !== undefined && !table.indexNames(query.kind).includes(name))
    throw new Error(`the kind ${query.kind} declares no index ${name}; add it to the kind's table`);
  if (query.prefix !== undefined && (name !== undefined || query.kind === "hold"))
    throw new Error("a query with a prefix cannot use an index and cannot list holds");
}

/** A version that does not increase would let two writers both succeed (S2). */
export function assertGrows(put: Put): void {
  if (put.body !== null && put.version <= put.expected) {
    throw new Error(
      `Invariant: ${put.key.kind} ${put.key.id} has version ${put.version}, which is not above the expected version ${put.expected}`,
    );
  }
}
