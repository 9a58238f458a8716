/**
 * A cache of the rows committed last: an answer usually follows soon after its hold was placed, and waiters read in
 * between, so most reads are for rows just written. There is one writer and it updates the cache after the commit is
 * durable, so the cache equals the file. Two generations drop the oldest rows without tracking an order. The key is
 * the id alone, so of several entities with the same id only the last written one is cached: building a combined key
 * for every row costs more than reading the few others again.
 *
 * Rows that commands only read, such as the settings of the workspace, are cached as well, also that they do not exist:
 * every batch reads them again, and one such read takes as long as all the rest that placing one hold computes.
 */

import { type EntityKey, keyText } from "../../kernel/entity.ts";
import type { PreparedPut } from "./entity-writer.ts";
import type { HoldRow } from "./hold-lists.ts";

/** Few enough that on a busy server a row is dropped while it is still in the young generation of the heap. */
const ROWS_MAX = 256;
const CHARACTERS_MAX = 1_000_000;
const READ_ROWS_MAX = 64;
const READ_CHARACTERS_MAX = 16_384;

type RecentRow = HoldRow & Pick<EntityKey, "workspace" | "kind">;

export class RecentRows {
  #young = new Map<string, RecentRow>();
  #old = new Map<string, RecentRow>();
  #characters = 0;
  readonly #read = new Map<string, HoldRow | null>();

  /** `null`: there is no such row. `undefined`: it is not known here. */
  get(key: EntityKey): HoldRow | null | undefined {
    const row = this.#young.get(key.id) ?? this.#old.get(key.id);
    if (row?.kind === key.kind && row.workspace === key.workspace) return row;
    return this.#read.get(keyText(key));
  }

  /** Caches a row that was just read, or that it does not exist. */
  addRead(key: EntityKey, row: HoldRow | undefined): void {
    if (row !== undefined && row.body.length > READ_CHARACTERS_MAX) return;
    if (this.#read.size >= READ_ROWS_MAX) this.#read.clear();
    this.#read.set(keyText(key), row ?? null);
  }

  add({ put: { key, version, seq, head }, text: body }: PreparedPut): void {
    const { workspace, kind, id } = key;
    this.#read.delete(keyText(key));
    this.#old.delete(id);
    if (body === null) {
      this.#young.delete(id);
      return;
    }
    this.#young.set(id, { workspace, kind, id, version, seq, head, body });
    this.#characters += body.length;
    if (this.#young.size < ROWS_MAX && this.#characters < CHARACTERS_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#characters = 0;
  }
}
