/** Why there is no decision. Each is a different thing to do next, and none of them is a "no". */

import type { Actor, Default } from "@holdpoint/protocol/client";

export type NotDecidedKind = "expired" | "cancelled" | "pending";

/**
 * Nobody decided: `kind` says whether the time was up, the question was withdrawn, or it is still open.
 *
 * @example
 * ```ts
 * import { Holdpoint, NotDecidedError } from "@holdpoint/sdk";
 *
 * try {
 *   await new Holdpoint().approve("Deploy?", { timeout: "2h" });
 * } catch (error) {
 *   if (error instanceof NotDecidedError) console.error(`nobody decided: ${error.kind}`);
 * }
 * ```
 */
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

/**
 * Nobody answered in time. `default` is what the asker wanted to do in that case.
 *
 * @example
 * ```ts
 * import { ExpiredError, Holdpoint } from "@holdpoint/sdk";
 *
 * try {
 *   await new Holdpoint().approve("Deploy?", { timeout: "2h", onTimeout: "reject" });
 * } catch (error) {
 *   if (error instanceof ExpiredError) console.error("the default is", error.default?.action);
 * }
 * ```
 */
export class ExpiredError extends NotDecidedError {
  override readonly name = "ExpiredError";
  readonly default: Default | undefined;

  constructor(holdId: string, fallback: Default | undefined) {
    super("expired", holdId, `nobody answered ${holdId} in time`);
    this.default = fallback;
  }
}

/**
 * The question was withdrawn.
 *
 * @example
 * ```ts
 * import { CancelledError, Holdpoint } from "@holdpoint/sdk";
 *
 * try {
 *   await new Holdpoint().approve("Deploy?");
 * } catch (error) {
 *   if (error instanceof CancelledError) console.error("withdrawn:", error.reason);
 * }
 * ```
 */
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

/**
 * It is still open; wait again.
 *
 * @example
 * ```ts
 * import { Holdpoint, PendingError } from "@holdpoint/sdk";
 *
 * const soon = await new Holdpoint().ask({ type: "approval", prompt: "Deploy?" }, { waitMs: 10_000 });
 * try {
 *   console.error(soon.orThrow().action);
 * } catch (error) {
 *   if (error instanceof PendingError) console.error("still open:", soon.holdId);
 * }
 * ```
 */
export class PendingError extends NotDecidedError {
  override readonly name = "PendingError";

  constructor(holdId: string) {
    super("pending", holdId, `nobody has answered ${holdId} yet`);
  }
}

const NAMES = new Set(["NotDecidedError", "ExpiredError", "CancelledError", "PendingError"]);

/**
 * By name, so that it also holds for errors made by another copy of this package.
 *
 * @example
 * ```ts
 * import { isNotDecidedError } from "@holdpoint/sdk";
 *
 * export function wasSilence(error: unknown): boolean {
 *   return isNotDecidedError(error) && error.kind === "expired";
 * }
 * ```
 */
export function isNotDecidedError(error: unknown): error is NotDecidedError {
  return error instanceof Error && NAMES.has(error.name);
}
