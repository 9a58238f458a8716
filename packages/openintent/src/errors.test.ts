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
])("an answer of %i with %j is a %s", (status, body, name) => {
  const error = errorFor(status, body);
  expect(error).toMatchObject({ name, statusCode: status });
  expect(error).toBeInstanceOf(OpenIntentError);
});

test("a conflict about a version says which one to start from", () => {
  expect((errorFor(409, { current_version: 3 }) as ConflictError).currentVersion).toBe(3);
  expect(new ConflictError("x").currentVersion).toBeUndefined();
  expect(isLeaseConflictError(errorFor(409, { existing_lease: {} }))).toBe(true);
});

test("OI-121 both endings without an answer are errors of one family and name their suspension", () => {
  const late = new InputTimeoutError("s1", "fail");
  expect(late).toBeInstanceOf(OpenIntentError);
  expect(late).toMatchObject({ suspensionId: "s1", fallbackPolicy: "fail", reason: "timeout" });
  expect(new InputCancelledError("s1", "changed my mind")).toBeInstanceOf(OpenIntentError);
  expect(isInputTimeoutError(Object.assign(new Error("copy"), { name: "InputTimeoutError" }))).toBe(true);
});
