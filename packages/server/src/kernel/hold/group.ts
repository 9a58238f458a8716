/**
 * Holds that one caller waits for together: the interrupts of one run. The group is released when its last hold has
 * ended.
 */

import { type Principal, seesAll } from "../principal.ts";

export interface Group {
  readonly id: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly members: readonly string[];
  readonly threadId?: string;
  readonly runId?: string;
  readonly releasedAt?: number;
}

/** Another agent's group does not exist. */
export function seesGroup({ createdBy }: Group, by: Principal): boolean {
  return seesAll(by) || createdBy === by.name;
}
