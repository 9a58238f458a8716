/**
 * A piece of work that went on without a person because its request chose so. Nobody decided anything, so it is no hold; that it
 * happened is on record, and stays so.
 */

export interface Skip {
  readonly id: string;
  /** What went on, in the words of whoever recorded it. */
  readonly what: string;
  /** Who chose so, as the recording service knows them. */
  readonly agent?: string;
  readonly recordedBy: string;
  readonly recordedAt: number;
}

export interface SkipFact {
  readonly type: "skip.recorded";
  readonly skip: Skip;
}
