/**
 * A map by kind and id of an entity. A command has few entities, and to compare their names one by one costs less than to make
 * maps for them; a batch has many. Two lookups are cheaper than building one combined key for each lookup.
 */

interface Named<T> {
  readonly kind: string;
  readonly id: string;
  value: T;
}

const FEW = 8;

export class ByName<T> {
  #few: Named<T>[] = [];
  #kinds: Map<string, Map<string, T>> | undefined;

  get(kind: string, id: string): T | undefined {
    return this.#kinds === undefined ? this.#among(kind, id)?.value : this.#kinds.get(kind)?.get(id);
  }

  set(kind: string, id: string, value: T): void {
    if (this.#kinds === undefined) {
      const known = this.#among(kind, id);
      if (known !== undefined) {
        known.value = value;
        return;
      }
      if (this.#few.length < FEW) {
        this.#few.push({ kind, id, value });
        return;
      }
    }
    this.#idsOf(kind).set(id, value);
  }

  copy(): ByName<T> {
    const copied = new ByName<T>();
    copied.#few = this.#few.map((named) => ({ ...named }));
    copied.#kinds = this.#kinds && new Map([...this.#kinds].map(([kind, ids]) => [kind, new Map(ids)]));
    return copied;
  }

  forEach(visit: (value: T) => void): void {
    for (const { value } of this.#few) visit(value);
    for (const ids of this.#kinds?.values() ?? []) ids.forEach(visit);
  }

  #among(kind: string, id: string): Named<T> | undefined {
    for (const named of this.#few) if (named.id === id && named.kind === kind) return named;
    return undefined;
  }

  #idsOf(kind: string): Map<string, T> {
    if (this.#kinds === undefined) {
      this.#kinds = new Map();
      for (const named of this.#few) this.#idsOf(named.kind).set(named.id, named.value);
      this.#few = [];
    }
    let ids = this.#kinds.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.#kinds.set(kind, ids);
    }
    return ids;
  }
}
