import { describe, expect, it } from "vitest";
import { CODES, docsUrl, ERROR_CODES, isCode } from "./error-codes.ts";
import { nativeOperations } from "./operations.ts";
import { ProblemOut } from "./wire/problem.ts";

describe("the error table", () => {
  it.each(CODES)("has a status, a unique title and a remedy for %s", (code) => {
    const { status, title, cure } = ERROR_CODES[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).not.toBe("");
    expect(CODES.filter((other) => ERROR_CODES[other].title === title)).toEqual([code]);
    expect(cure).toMatch(/\.$/);
    expect(ProblemOut.parse({ type: docsUrl(code), title, status, code }).code).toBe(code);
  });

  it("recognises its codes, and no other word", () => {
    expect(isCode("already_settled")).toBe(true);
    expect(isCode("toString")).toBe(false);
  });

  it("gives each code a page, under whatever address the docs have", () => {
    expect(docsUrl("key_reused")).toBe("/docs/errors#key_reused");
    expect(docsUrl("key_reused", "https://hold.example")).toBe("https://hold.example/docs/errors#key_reused");
  });

  it("has only codes that some operation can answer", () => {
    const anywhere = ["rate_limited", "internal", "unavailable", "method_not_allowed", "already_exists"];
    const used = new Set<string>([...nativeOperations.flatMap((operation) => operation.errors), ...anywhere]);
    expect(CODES.filter((code) => !used.has(code))).toEqual([]);
  });
});
