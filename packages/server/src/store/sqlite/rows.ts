/** Rows as a statement selects them: what columns it names, and of which types, only its text knows. */

import type { SQLOutputValue } from "node:sqlite";

type Raw = Readonly<Record<string, SQLOutputValue>>;

export function rowsOf<Row extends object>(found: readonly Raw[]): readonly Row[];
export function rowsOf(found: readonly Raw[]): readonly Raw[] {
  return found;
}

export function rowOf<Row extends object>(found: Raw | undefined): Row | undefined {
  return found === undefined ? undefined : rowsOf<Row>([found])[0];
}
