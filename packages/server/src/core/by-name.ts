/** Values by the kind and id of an entity. Two look-ups cost less than making one text of two for each of them. */

import type { Kind } from "./entity.ts";

export class ByName<T> {
  readonly #kinds = new Map<Kind, Map<string, T>>();

  get(kind: Kind, id: string): T | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  set(kind: Kind, id: string, value: T): void {
    let ids = this.#kinds.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.#kinds.set(kind, ids);
    }
    ids.set(id, value);
  }

  forEach(visit: (value: T) => void): void {
    for (const ids of this.#kinds.values()) ids.forEach(visit);
  }
}
