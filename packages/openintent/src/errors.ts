/** What can go wrong, by name: guards compare names, so that two copies of this package in one program understand each other. */

import type { JsonObject } from "@holdpoint/protocol/rules";

/** What the client throws when the server refuses; `statusCode` and `body` are its reply. */
export class OpenIntentError extends Error {
  override readonly name: string = "OpenIntentError";
  /** HTTP status; 0 when there was none. */
  readonly statusCode: number;
  readonly body: JsonObject;

  constructor(message: string, statusCode = 0, body: JsonObject = {}) {
    super(message);
    this.statusCode = statusCode;
    this.body = body;
  }
}

/** There is no such thing, or this agent may not see it. */
export class NotFoundError extends OpenIntentError {
  override readonly name = "NotFoundError";
}

/** Somebody else changed it meanwhile, or its state does not allow this. */
export class ConflictError extends OpenIntentError {
  override readonly name: string = "ConflictError";

  /** The version to start from, when the conflict was about one. */
  get currentVersion(): number | undefined {
    const version = this.body["current_version"];
    return typeof version === "number" ? version : undefined;
  }
}

/** Somebody else holds the lease on that scope. */
export class LeaseConflictError extends ConflictError {
  override readonly name = "LeaseConflictError";
}

/** The server refuses what was sent as invalid. */
export class ValidationError extends OpenIntentError {
  override readonly name = "ValidationError";
}

/** The server does not know this part of the protocol. */
export class UnsupportedError extends OpenIntentError {
  override readonly name = "UnsupportedError";
}

/** Nobody answered in time and the policy is to fail. */
export class InputTimeoutError extends OpenIntentError {
  override readonly name = "InputTimeoutError";
  readonly suspensionId: string;
  readonly fallbackPolicy: string;
  readonly reason: string;

  constructor(suspensionId: string, fallbackPolicy: string, reason = "timeout") {
    super(`nobody answered suspension ${suspensionId} in time (${reason})`);
    this.suspensionId = suspensionId;
    this.fallbackPolicy = fallbackPolicy;
    this.reason = reason;
  }
}

/** The question was withdrawn; nobody decided. */
export class InputCancelledError extends OpenIntentError {
  override readonly name = "InputCancelledError";
  readonly suspensionId: string;

  constructor(suspensionId: string, reason?: string) {
    super(`suspension ${suspensionId} was cancelled${reason === undefined ? "" : `: ${reason}`}`);
    this.suspensionId = suspensionId;
  }
}

function named(name: string) {
  return (error: unknown): boolean => error instanceof Error && error.name === name;
}

/** Whether nobody answered in time. Guards go by name, so that they also work when two copies of the package are installed. */
export const isInputTimeoutError = named("InputTimeoutError") as (
  error: unknown,
) => error is InputTimeoutError;
/** Whether the question was withdrawn. */
export const isInputCancelledError = named("InputCancelledError") as (
  error: unknown,
) => error is InputCancelledError;
/** Whether another agent holds the lease. */
export const isLeaseConflictError = named("LeaseConflictError") as (
  error: unknown,
) => error is LeaseConflictError;
/** Whether the server does not know this part of the protocol. */
export const isUnsupportedError = named("UnsupportedError") as (error: unknown) => error is UnsupportedError;

/** The error an HTTP answer stands for. */
export function errorFor(status: number, body: JsonObject): OpenIntentError {
  const message = messageOf(body) ?? `the server answered ${status}`;
  switch (status) {
    case 400:
    case 422:
      return new ValidationError(message, status, body);
    case 404:
      return new NotFoundError(message, status, body);
    case 409:
      return "existing_lease" in body
        ? new LeaseConflictError(message, status, body)
        : new ConflictError(message, status, body);
    case 405:
    case 501:
      return new UnsupportedError(message, status, body);
    default:
      return new OpenIntentError(message, status, body);
  }
}

function messageOf(body: JsonObject): string | undefined {
  for (const candidate of [body["message"], body["detail"]])
    if (typeof candidate === "string") return candidate;
  return undefined;
}
