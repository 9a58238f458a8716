/** An LRU cache with a limit on the total weight. */

export interface Cache<V> {
  get(key: string, make: () => V): V;
}

export function createCache<V>(weightMax: number, weightOf: (key: string, value: V) => number): Cache<V> {
  const kept = new Map<string, { readonly value: V; readonly weight: number }>();
  let total = 0;

  function drop(key: string): void {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  return {
    get(key, make) {
      const found = kept.get(key);
      const value = found === undefined ? make() : found.value;
      const weight = found === undefined ? weightOf(key, value) : found.weight;
      if (weight > weightMax) return value;
      // A Map keeps insertion order; deleting and setting the key makes it the newest.
      drop(key);
      kept.set(key, { value, weight });
      total += weight;
      for (const oldest of kept.keys()) {
        if (total <= weightMax) break;
        drop(oldest);
      }
      return value;
    },
  };
}
