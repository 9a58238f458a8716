/**
 * Keeps the rows of immutable kinds that were read last, parsed: a set of a thousand rules must not be read again for
 * every check.
 */

import { type Entity, keyText } from "../kernel/entity.ts";
import type { Table } from "../kernel/table.ts";
import type { Batch, LoadRoom, Want } from "../store/port.ts";

const KEPT_MAX = 32;

export class Immutables {
  readonly #table: Table;
  /** In order of use: the first one was not used for the longest time. */
  readonly #kept = new Map<string, Entity>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Loads from the batch what is not kept. */
  async load(wants: readonly Want[], open: Batch, room: LoadRoom): Promise<readonly Entity[]> {
    const found: Entity[] = [];
    const missing: Want[] = [];
    for (const want of wants) {
      const kept = this.#table.isImmutable(want.kind) ? this.#take(keyText(want)) : undefined;
      if (kept === undefined) missing.push(want);
      else found.push(kept);
    }
    if (missing.length === 0) return found;
    const loaded = await open.load(missing, room);
    for (const entity of loaded) if (this.#table.isImmutable(entity.kind)) this.#keep(entity);
    return [...found, ...loaded];
  }

  #take(name: string): Entity | undefined {
    const entity = this.#kept.get(name);
    if (entity !== undefined) {
      this.#kept.delete(name);
      this.#kept.set(name, entity);
    }
    return entity;
  }

  #keep(entity: Entity): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(keyText(entity), entity);
  }
}
