/** Holds that end together for whoever waits: the interrupts of one run. Released when the last one is settled. */

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
