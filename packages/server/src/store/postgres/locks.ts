/** Advisory locks are pairs of numbers that a whole database shares: one for the schema, one for what is locked. */

import { createHash } from "node:crypto";

const NUMBERS = { migration: 1, position: 2, checkpoint: 3 } as const;

export type LockName = keyof typeof NUMBERS;

export function lockOf(schema: string, name: LockName): readonly [number, number] {
  return [createHash("sha256").update(`holdpoint ${schema}`).digest().readInt32BE(), NUMBERS[name]];
}
