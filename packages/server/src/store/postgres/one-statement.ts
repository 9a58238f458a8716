/**
 * Combines several writes into one statement, because each statement has a fixed cost. The writes share a snapshot
 * and do not see each other's changes, so no two of them may touch the same row.
 */

import { arrayText, type Element } from "./array-text.ts";
import type { Sql } from "./sql.ts";

/** Adds a column of the rows as a parameter and returns its placeholder. */
export type Place = <Row>(rows: readonly Row[], of: (row: Row) => Element, type: "text" | "bigint") => string;

export class OneStatement {
  readonly #values: string[] = [];
  readonly #parts: string[] = [];
  readonly #verdicts: string[] = [];

  /** Adds a write under `name`; other parts of the statement can refer to it. */
  add(name: string, write: (place: Place) => string): void {
    const text = write((rows, of, type) => `$${this.#values.push(arrayText(rows, of))}::${type}[]`);
    this.#parts.push(`${name} AS (${text})`);
  }

  /** Adds a query, with one boolean per row, that runs after all writes. */
  ask(verdict: string): void {
    this.#verdicts.push(verdict);
  }

  /** Sends the statement; returns an empty list if nothing was added. */
  send(sql: Sql): readonly Promise<unknown>[] {
    if (this.#parts.length === 0) return [];
    const verdicts = this.#verdicts.length === 0 ? ["SELECT true WHERE false"] : this.#verdicts;
    return [sql.all(`WITH ${this.#parts.join(", ")} ${verdicts.join(" UNION ALL ")}`, this.#values)];
  }
}
