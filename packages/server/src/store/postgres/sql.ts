/** Runs statements, on the pool or on the connection of a batch. */

import type { CustomTypesConfig } from "pg";
import pg from "pg";
import { arrayText, type Element } from "./array-text.ts";

export interface Sql {
  /** The statement is prepared once per connection. */
  all<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

const INT8 = 20;

/** Counts, versions and times fit a JavaScript number; the driver would return text. */
export const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text");
  },
};

const names = new Map<string, string>();

/** The same name for the same text on every connection of this process. */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `hp${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** The pool, or the connection of a batch. */
interface Queryable {
  query(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ readonly rows: readonly unknown[] }>;
}

export function sqlOver(connection: Queryable, rename: (fault: unknown) => unknown): Sql {
  return {
    async all<Row>(text: string, values: readonly unknown[] = []) {
      try {
        const found = await connection.query({ name: statementName(text), text, values: [...values] });
        return found.rows as readonly Row[];
      } catch (fault) {
        throw rename(fault);
      }
    },
  };
}

/** Formats the columns of many rows as the arrays that `unnest` takes. */
export function columnsOf<Row>(
  rows: readonly Row[],
  columns: readonly ((row: Row) => Element)[],
): readonly string[] {
  return columns.map((column) => arrayText(rows, column));
}
