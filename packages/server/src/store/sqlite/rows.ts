/** Gives selected rows their type: only the text of the statement says which columns it selects. */

import type { SQLOutputValue } from "node:sqlite";

type Raw = Readonly<Record<string, SQLOutputValue>>;

export function rowsOf<Row extends object>(found: readonly Raw[]): readonly Row[];
export function rowsOf(found: readonly Raw[]): readonly Raw[] {
  return found;
}

export function rowOf<Row extends object>(found: Raw | undefined): Row | undefined {
  return found === undefined ? undefined : rowsOf<Row>([found])[0];
}

export function rowsIn<Row extends object>(found: Iterable<Raw>): Iterable<Row>;
export function rowsIn(found: Iterable<Raw>): Iterable<Raw> {
  return found;
}
