/** One entity in a batch. */

import type { Body, EntityKey } from "../kernel/entity.ts";

export interface Row {
  readonly key: EntityKey;
  /** Version when it was loaded; 0 if it did not exist. */
  readonly stored: number;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: Body | null;
  /** Whether a command of this batch changed it. */
  readonly isChanged: boolean;
}

export function absentRow(key: EntityKey): Row {
  return { key, stored: 0, version: 0, seq: 0, head: "", body: null, isChanged: false };
}
