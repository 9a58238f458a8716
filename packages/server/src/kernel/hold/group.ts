/** Holds that end together for whoever waits: the interrupts of one run. Released when the last one is settled. */

export interface Group {
  readonly id: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly members: readonly string[];
  readonly threadId?: string;
  readonly runId?: string;
  readonly releasedAt?: number;
}
