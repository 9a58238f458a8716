/** Seeded chance: everything a simulated world leaves to luck comes from here, so that a seed is a whole story. */

export interface Random {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** From `min` up to and including `max`. */
  int(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  bytes(count: number): Uint8Array;
}

/** mulberry32: small, fast, good enough to be unlucky with. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] as never,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)),
  };
}
