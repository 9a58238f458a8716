/** A map by kind and id of an entity. Two lookups are cheaper than building one combined key for each lookup. */

export class ByName<T> {
  readonly #kinds = new Map<string, Map<string, T>>();

  get(kind: string, id: string): T | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  set(kind: string, id: string, value: T): void {
    let ids = this.#kinds.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.#kinds.set(kind, ids);
    }
    ids.set(id, value);
  }

  copy(): ByName<T> {
    const copied = new ByName<T>();
    for (const [kind, ids] of this.#kinds) copied.#kinds.set(kind, new Map(ids));
    return copied;
  }

  forEach(visit: (value: T) => void): void {
    for (const ids of this.#kinds.values()) ids.forEach(visit);
  }
}
