/** Why there is no decision. Each is a different thing to do next, and none of them is a "no". */

import type { Actor, Default } from "@holdpoint/protocol/client";

export type NotDecidedKind = "expired" | "cancelled" | "pending";

/** Nobody decided: `kind` says whether the time was up, the question was withdrawn, or it is still open. */
export class NotDecidedError extends Error {
  override readonly name: string = "NotDecidedError";
  readonly kind: NotDecidedKind;
  readonly holdId: string;

  constructor(kind: NotDecidedKind, holdId: string, message: string) {
    super(message);
    this.kind = kind;
    this.holdId = holdId;
  }
}

/** Nobody answered in time. `default` is what the asker wanted to do in that case. */
export class ExpiredError extends NotDecidedError {
  override readonly name = "ExpiredError";
  readonly default: Default | undefined;

  constructor(holdId: string, fallback: Default | undefined) {
    super("expired", holdId, `nobody answered ${holdId} in time`);
    this.default = fallback;
  }
}

/** The question was withdrawn. */
export class CancelledError extends NotDecidedError {
  override readonly name = "CancelledError";
  readonly cancelledBy: Actor;
  readonly reason: string | undefined;

  constructor(holdId: string, cancelledBy: Actor, reason: string | undefined) {
    super(
      "cancelled",
      holdId,
      reason === undefined ? `${holdId} was withdrawn` : `${holdId} was withdrawn: ${reason}`,
    );
    this.cancelledBy = cancelledBy;
    this.reason = reason;
  }
}

/** It is still open; wait again. */
export class PendingError extends NotDecidedError {
  override readonly name = "PendingError";

  constructor(holdId: string) {
    super("pending", holdId, `nobody has answered ${holdId} yet`);
  }
}

const NAMES = new Set(["NotDecidedError", "ExpiredError", "CancelledError", "PendingError"]);

/** By name, so that it also holds for errors made by another copy of this package. */
export function isNotDecidedError(error: unknown): error is NotDecidedError {
  return error instanceof Error && NAMES.has(error.name);
}
