/** A review link: one row per recipient and delivery. Only the SHA-256 of its token is kept (G9). */

export interface Link {
  readonly id: string;
  readonly holdId: string;
  /** Base64url SHA-256 of the token; also the row's id, so that finding it needs no second index. */
  readonly hash: string;
  /** `review` opens the page and answers; `submit` answers inline with one of `actions`, as a bearer only. */
  readonly purpose: "review" | "submit";
  readonly actions?: readonly string[];
  readonly recipient?: string;
  readonly channel?: string;
  readonly attempt?: number;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly revokedAt?: number;
}
