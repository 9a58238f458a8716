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
  readonly aim?: string;
  readonly met?: boolean;
}
