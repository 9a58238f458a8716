/**
 * Advisory locks are pairs of numbers, shared by the whole database: one number for the schema, one for the purpose.
 */

import { createHash } from "node:crypto";

const NUMBERS = { migration: 1, position: 2, checkpoint: 3 } as const;

export type LockName = keyof typeof NUMBERS;

export function lockOf(schema: string, name: LockName): readonly [number, number] {
  return [createHash("sha256").update(`holdpoint ${schema}`).digest().readInt32BE(), NUMBERS[name]];
}
