import { expect, test } from "vitest";
import {
  ConflictError,
  errorFor,
  InputCancelledError,
  InputTimeoutError,
  isInputTimeoutError,
  isLeaseConflictError,
  OpenIntentError,
} from "./errors.ts";

test.each([
  [400, {}, "ValidationError"],
  [422, { detail: "no" }, "ValidationError"],
  [404, {}, "NotFoundError"],
  [409, { message: "stale", current_version: 3 }, "ConflictError"],
  [409, { existing_lease: {} }, "LeaseConflictError"],
  [405, {}, "UnsupportedError"],
  [403, { detail: { error: "x" } }, "OpenIntentError"],
])("a reply of %i with %j becomes a %s", (status, body, name) => {
  const error = errorFor(status, body);
  expect(error).toMatchObject({ name, statusCode: status });
  expect(error).toBeInstanceOf(OpenIntentError);
});

test("a version conflict has the current version", () => {
  expect((errorFor(409, { current_version: 3 }) as ConflictError).currentVersion).toBe(3);
  expect(new ConflictError("x").currentVersion).toBeUndefined();
  expect(isLeaseConflictError(errorFor(409, { existing_lease: {} }))).toBe(true);
});

test("OI-121 a timeout and a cancellation are OpenIntentErrors, and the timeout names its suspension", () => {
  const late = new InputTimeoutError("s1", "fail");
  expect(late).toBeInstanceOf(OpenIntentError);
  expect(late).toMatchObject({ suspensionId: "s1", fallbackPolicy: "fail", reason: "timeout" });
  expect(new InputCancelledError("s1", "changed my mind")).toBeInstanceOf(OpenIntentError);
  expect(isInputTimeoutError(Object.assign(new Error("copy"), { name: "InputTimeoutError" }))).toBe(true);
});
