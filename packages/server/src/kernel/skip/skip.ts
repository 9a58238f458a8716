/**
 * Work that ran without asking a person because its request chose so. Nobody decided anything, so it is not a hold,
 * but the log permanently records that it happened.
 */

export interface Skip {
  readonly id: string;
  /** What ran, in the words of the caller that recorded it. */
  readonly what: string;
  /** The agent that chose to skip, as named by the service that recorded it. */
  readonly agent?: string;
  readonly recordedBy: string;
  readonly recordedAt: number;
}

export interface SkipFact {
  readonly type: "skip.recorded";
  readonly skip: Skip;
}
