/**
 * How much one batch loads. Rows that are loaded may all be written again in one commit, which is one turn of the event loop,
 * so a batch with long rows must be short (G13). Everything that its first command needs is always loaded.
 */

import type { EntityKey } from "../kernel/entity.ts";

/** The characters of long rows in one batch, besides those that its first command needs. */
const CHARACTERS_MAX = 1024 * 1024;
/** Shorter rows do not count: the number of commands in a batch bounds them, and nearly all rows are shorter. */
export const SHORT_ROW = 4096;
/** A row as long as this takes several milliseconds to parse, so what its reader does with it has a turn of its own. */
export const LONG_ROW = 64 * 1024;

export class LoadRoom {
  #left: number;
  #refused: EntityKey[] = [];
  #isCut = false;
  /** What the first command of the batch needs, or the first timer that is due. */
  free: readonly EntityKey[] = [];

  constructor(characters = CHARACTERS_MAX) {
    this.#left = characters;
  }

  /** Whether a row of this length may still be read. If not, the store leaves out everything that was asked for after it. */
  admits(key: EntityKey, characters: number): boolean {
    if (characters <= SHORT_ROW || isAmong(this.free, key)) return true;
    if (characters <= this.#left) {
      this.#left -= characters;
      return true;
    }
    this.refuse([key]);
    return false;
  }

  refuse(keys: readonly EntityKey[]): void {
    this.#isCut = true;
    for (const key of keys) this.#refused.push(key);
  }

  /** Whether anything of the batch was left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What the last load left out. */
  takeRefused(): readonly EntityKey[] {
    const refused = this.#refused;
    this.#refused = [];
    return refused;
  }
}

function isAmong(keys: readonly EntityKey[], { workspace, kind, id }: EntityKey): boolean {
  return keys.some((key) => key.id === id && key.kind === kind && key.workspace === workspace);
}
