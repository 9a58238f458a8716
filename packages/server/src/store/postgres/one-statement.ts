/**
 * Several writes as one statement, for what a statement costs however little it does. They share a snapshot and none sees
 * what another writes, so each must have rows of its own.
 */

import { arrayText, type Element } from "./array-text.ts";
import type { Sql } from "./sql.ts";

/** What a write's text refers to a column of its rows by. */
export type Place = <Row>(rows: readonly Row[], of: (row: Row) => Element, type: "text" | "bigint") => string;

export class OneStatement {
  readonly #values: string[] = [];
  readonly #parts: string[] = [];
  readonly #verdicts: string[] = [];

  /** `write` is named `name`; others of the statement can refer to it. */
  add(name: string, write: (place: Place) => string): void {
    const text = write((rows, of, type) => `$${this.#values.push(arrayText(rows, of))}::${type}[]`);
    this.#parts.push(`${name} AS (${text})`);
  }

  /** A query, of one truth value a row, that is asked when all is written. */
  ask(verdict: string): void {
    this.#verdicts.push(verdict);
  }

  /** Nothing, when nothing was added. */
  send(sql: Sql): readonly Promise<unknown>[] {
    if (this.#parts.length === 0) return [];
    const verdicts = this.#verdicts.length === 0 ? ["SELECT true WHERE false"] : this.#verdicts;
    return [sql.all(`WITH ${this.#parts.join(", ")} ${verdicts.join(" UNION ALL ")}`, this.#values)];
  }
}
