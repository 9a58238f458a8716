/** What every implementation checks and derives before it writes a put. */

import { type Body, type IndexOf, type IndexValues, KINDS, type Kind } from "../core/entity.ts";
import type { Put, Query } from "./port.ts";

const NO_VALUES: IndexValues = {};

export function declaresIndexes(kind: Kind): boolean {
  return KINDS[kind].length > 0;
}

export function indexValues(indexOf: IndexOf, kind: Kind, body: Body): IndexValues {
  return declaresIndexes(kind) ? indexOf(kind, body) : NO_VALUES;
}

export function assertDeclared(query: Query): void {
  const name = query.index?.name;
  const declared: readonly string[] = KINDS[query.kind];
  if (name !== undefined && !declared.includes(name))
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
