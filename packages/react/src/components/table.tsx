/** A list of objects with the same few members, to compare. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { labelOf } from "../headless/parts.ts";
import { Name, ValueView } from "./value-view.tsx";

const WORDS = {
  table: "Table",
  rows: (count: string | number) => `${count} rows`,
};

/** More than these do not fit a screen: how many there are is said. */
const ROWS_AT_A_GLANCE = 8;

export interface TableProps {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

export function Table({ name, columns, rows }: TableProps): ReactNode {
  const isLong = rows.length > ROWS_AT_A_GLANCE;
  const numeric = new Set(columns.filter((column) => rows.every((row) => typeof row[column] === "number")));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="hp-table" tabIndex={0} aria-label={labelOf(name) || WORDS.table}>
      <table>
        {isLong ? <caption>{WORDS.rows(rows.length)}</caption> : null}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={numeric.has(column) ? "hp-number" : undefined}>
                <Name of={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a shown table never changes its order.
            <tr key={at}>
              {columns.map((column) => (
                <td key={column} className={numeric.has(column) ? "hp-number" : undefined}>
                  {row[column] === undefined ? null : (
                    <ValueView name={column} value={row[column]} beside={row} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
