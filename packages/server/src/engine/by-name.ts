/** Values by the kind and id of an entity. Two look-ups cost less than making one text of two for each of them. */

import type { Kind } from "../core/entity.ts";

export class ByName<T> {
  readonly #kinds = new Map<Kind, Map<string, T>>();

  get(kind: Kind, id: string): T | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  set(kind: Kind, id: string, value: T): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, new Map([[id, value]]));
    else known.set(id, value);
  }

  *values(): Generator<T> {
    for (const ids of this.#kinds.values()) yield* ids.values();
  }
}
