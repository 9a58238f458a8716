/**
 * How much one batch loads. Rows that are loaded may all be written again in one commit, which is one turn of the event loop,
 * so a batch with long rows must be short (G13). Everything that its first command needs is always loaded.
 */

import { type EntityKey, keyText } from "../kernel/entity.ts";

/** The characters of long rows in one batch, besides those that its first command needs; and of what its commands add. */
export const CHARACTERS_MAX = 1024 * 1024;
/** Shorter rows do not count: the number of commands in a batch bounds them, and nearly all rows are shorter. */
export const SHORT_ROW = 4096;
/** A row as long as this takes several milliseconds to parse, so what its reader does with it has a turn of its own. */
export const LONG_ROW = 64 * 1024;

interface Wanted extends EntityKey {
  /** The batch is not cut where this row is left out: its command goes on without it. */
  readonly ifRoom?: true;
}

/** Many rows that are not long take as long together, so after so many characters their reader goes on in the next turn. */
const CHARACTERS_A_TURN = 256 * 1024;

/** Says after which rows of one load the reader waits for the next turn of the event loop (G13). Short rows bring about none. */
export class TurnMeter {
  #characters = 0;

  isOver(characters: number): boolean {
    this.#characters += characters;
    if (characters <= LONG_ROW && this.#characters <= CHARACTERS_A_TURN) return false;
    this.#characters = 0;
    return true;
  }
}

export class LoadRoom {
  #left: number;
  #refused: Wanted[] = [];
  #isCut = false;
  #free: readonly EntityKey[] = [];
  /** Made when the first long row comes, which most batches do not have. */
  #freeNames: ReadonlySet<string> | undefined;

  constructor(characters = CHARACTERS_MAX) {
    this.#left = characters;
  }

  /** What the first command of the batch needs, or the first timer that is due. */
  set free(keys: readonly EntityKey[]) {
    this.#free = keys;
    this.#freeNames = undefined;
  }

  /** Whether a row of this length may still be read. If not, the store leaves out everything that was asked for after it. */
  admits(key: Wanted, characters: number): boolean {
    if (characters <= SHORT_ROW || this.#isFree(key)) return true;
    if (characters <= this.#left) {
      this.#left -= characters;
      return true;
    }
    this.refuse([key]);
    return false;
  }

  #isFree(key: EntityKey): boolean {
    this.#freeNames ??= new Set(this.#free.map(keyText));
    return this.#freeNames.has(keyText(key));
  }

  refuse(keys: readonly Wanted[]): void {
    for (const key of keys) {
      this.#isCut ||= key.ifRoom !== true;
      this.#refused.push(key);
    }
  }

  /** Whether anything was left out without which its command does not go on. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What the last load left out. */
  takeRefused(): readonly Wanted[] {
    const refused = this.#refused;
    this.#refused = [];
    return refused;
  }
}
