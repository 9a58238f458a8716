/** One entity as a batch knows it. */

import type { Body, EntityKey } from "../kernel/entity.ts";

export interface Row {
  readonly key: EntityKey;
  /** As loaded; 0 when it did not exist. */
  readonly stored: number;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: Body | null;
  /** Something was decided about it in this batch. */
  readonly isChanged: boolean;
}

export function absentRow(key: EntityKey): Row {
  return { key, stored: 0, version: 0, seq: 0, head: "", body: null, isChanged: false };
}
