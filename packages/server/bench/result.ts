/** One line of the table. */

export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly p50?: number;
  readonly p99?: number;
  /** The floor's value, measured in the same rounds. */
  readonly floor?: number;
  readonly ratio?: number;
  /** The smallest and the largest ratio of a round. */
  readonly spread?: readonly [number, number];
  /** What the measured system syncs to disk before it answers. */
  readonly durable?: string;
  readonly aim?: string;
  readonly met?: boolean;
}
