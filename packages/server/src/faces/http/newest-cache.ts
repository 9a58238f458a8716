/** Keeps values that are made on first use. Only the newest `max` stay in memory; an older one is made again. */

export class NewestCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(key, made);
    const oldest = this.#values.keys().next().value;
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest);
    return made;
  }
}
