/** What can go wrong while an agent waits, and whether asking again can help. */

export type HitlErrorKind =
  /** The service does not know the case, or no longer. */
  | "not_found"
  /** The service wants other credentials for this address. */
  | "unauthorized"
  /** The service talks about another case, or in words the protocol does not have. */
  | "bad_reply"
  /** The service has not been heard of until well after the case should have ended. */
  | "unreachable";

const ERROR_NAME = "HitlError";

/** A case that cannot be followed; `kind` says why, `retryable` whether to try again. */
export class HitlError extends Error {
  readonly kind: HitlErrorKind;
  readonly caseId: string;
  readonly retryable: boolean;

  constructor(kind: HitlErrorKind, caseId: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = ERROR_NAME;
    this.kind = kind;
    this.caseId = caseId;
    this.retryable = kind === "unreachable";
  }
}

/** By name, so that it also works when two copies of the package are installed. */
export function isHitlError(value: unknown): value is HitlError {
  return value instanceof Error && value.name === ERROR_NAME;
}
