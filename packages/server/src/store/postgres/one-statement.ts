/**
 * Combines several writes into one statement, because each statement has a fixed cost. The writes share a snapshot
 * and do not see each other's changes, so no two of them may touch the same row.
 */

import { arrayText, type Element } from "./array-text.ts";
import type { Sql } from "./sql.ts";

export type Column<Row> = readonly [name: string, type: "text" | "bigint", of: (row: Row) => Element];

/** The texts of statements by the names of their parts: a text is long, and made only once. */
const texts = new Map<string, string>();

export class OneStatement {
  #names = "";
  readonly #values: string[] = [];
  readonly #parts: (() => string)[] = [];
  readonly #verdicts: (() => string)[] = [];

  /** Adds rows as a table that writes can refer to by its name. A name has the same columns each time. */
  addRows<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const first = this.#values.length + 1;
    for (const [, , of] of columns) this.#values.push(arrayText(rows, of));
    this.addWrite(name, () => {
      const arrays = columns.map(([, type], at) => `$${first + at}::${type}[]`);
      return `SELECT * FROM unnest(${arrays.join(", ")}) AS w (${namesOf(columns)})`;
    });
  }

  /** Adds a write under a name that stands for its text. */
  addWrite(name: string, text: () => string): void {
    this.#names += `${name} `;
    this.#parts.push(() => `${name} AS (${text()})`);
  }

  /** Adds a query, with one boolean per row, that runs after all writes. It belongs to the write that was added last. */
  ask(verdict: () => string): void {
    this.#verdicts.push(verdict);
  }

  /** Sends the statement; returns an empty list if nothing was added. */
  send(sql: Sql): readonly Promise<unknown>[] {
    if (this.#parts.length === 0) return [];
    let text = texts.get(this.#names);
    if (text === undefined) {
      text = this.#text();
      texts.set(this.#names, text);
    }
    return [sql.all(text, this.#values)];
  }

  #text(): string {
    const verdicts = this.#verdicts.map((verdict) => verdict());
    if (verdicts.length === 0) verdicts.push("SELECT true WHERE false");
    return `WITH ${this.#parts.map((part) => part()).join(", ")} ${verdicts.join(" UNION ALL ")}`;
  }
}

/** The names of the columns as a list, of the table `of` if there is one. */
export function namesOf(columns: readonly (readonly [name: string, ...unknown[]])[], of?: string): string {
  return columns.map(([name]) => (of === undefined ? name : `${of}.${name}`)).join(", ");
}
