import { describe, expect, it } from "vitest";
import { isRefusal, isRetryableError, isTerminalError, RetryableError, TerminalError } from "./errors.ts";

const refused = new TerminalError({ code: "already_settled", status: 409, message: "too late", holdId: "h" });

describe("client errors", () => {
  it("say whether a retry can help", () => {
    const troubled = new RetryableError({ message: "busy", status: 503, retryAfterMs: 2_000 });
    expect([isTerminalError(refused), isRetryableError(refused)]).toEqual([true, false]);
    expect([isTerminalError(troubled), isRetryableError(troubled)]).toEqual([false, true]);
    expect(troubled).toMatchObject({ code: "unavailable", retryAfterMs: 2_000, isAskedFor: true });
    expect(new RetryableError({ message: "no reply" })).toMatchObject({
      retryAfterMs: 1_000,
      isAskedFor: false,
    });
  });

  it("are recognised by name, so that errors of another copy of the package count too", () => {
    const foreign = Object.assign(new Error("too late"), { name: "TerminalError", code: "already_settled" });
    expect(isRefusal(foreign, "already_settled")).toBe(true);
    expect(isRefusal(foreign, "not_found")).toBe(false);
    expect(isTerminalError({ name: "TerminalError" })).toBe(false);
  });

  it("keep code, status and message of the server's refusal", () => {
    expect(refused).toMatchObject({
      message: "too late",
      code: "already_settled",
      status: 409,
      holdId: "h",
      fields: [],
    });
  });
});
