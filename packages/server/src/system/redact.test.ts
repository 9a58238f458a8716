import { describe, expect, it } from "vitest";
import { liveRedactor, redactor, whyNotPatterns } from "./redact.ts";

describe("the redactor", () => {
  it("the redactor removes every match of every pattern, ignoring case", async () => {
    const redact = redactor(["\\d{4}-\\d{4}", "secret"]);
    expect(await redact("SECRET 1234-5678 and 8765-4321, secrets")).toBe(
      "[redacted] [redacted] and [redacted], [redacted]s",
    );
  });

  it("a redactor without patterns changes nothing", async () => {
    expect(await redactor([])("secret")).toBe("secret");
    expect(await redactor([])("s".repeat(1_000_000))).toHaveLength(1_000_000);
  });

  it("a pattern that matches the empty text does not make the redactor loop", async () => {
    expect(await redactor(["x*"])("ab")).toBe("[redacted]a[redacted]b[redacted]");
  });

  it("attack 9: the redactor runs a pattern that makes other engines backtrack over 400,000 characters", async () => {
    const redact = redactor(["(a+)+$", "(\\w+\\s?)*!"]);
    const text = `${"a".repeat(399_000)}-`;
    expect(await redact(text)).toBe(text);
  });

  it("G9: the redactor removes a whole text if finding its matches takes too long", async () => {
    expect(await redactor(["secret"])(`${"x".repeat(60_000)} secret`)).toBe("[redacted]");
    expect(await redactor(["secret"])("x".repeat(400_001))).toBe("[redacted]");
    // Every search scans the rest of the text, because a later z could always complete the match.
    expect(await redactor(["a.*z|b"])("ab".repeat(5_000))).toBe("[redacted]");
  });

  it("G13: the redactor yields to the event loop while it scans long texts", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const redact = redactor(["secret"]);
    for (let text = 0; text < 20; text += 1) await redact("x".repeat(50_000));
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it("a redactor that follows its patterns uses the new ones for the next text, and is idle without any", async () => {
    let patterns: readonly string[] = [];
    const redact = liveRedactor(() => patterns);
    expect([redact.isIdle, await redact("a1 b2")]).toEqual([true, "a1 b2"]);
    patterns = ["a\\d"];
    expect([redact.isIdle, await redact("a1 b2")]).toEqual([false, "[redacted] b2"]);
    patterns = ["a\\d"];
    expect(await redact("a1 b2")).toBe("[redacted] b2");
    patterns = ["b\\d"];
    expect(await redact("a1 b2")).toBe("a1 [redacted]");
    patterns = [];
    expect(await redact("a1 b2")).toBe("a1 b2");
  });

  it("whyNotPatterns says which pattern cannot be used, and why", () => {
    const why = expect.stringContaining("is not an RE2 pattern");
    expect(whyNotPatterns(["\\d+"])).toEqual([]);
    expect(whyNotPatterns(["\\d+", "(?=a)b", "(a)\\1"])).toEqual([
      { index: 1, why },
      { index: 2, why },
    ]);
  });
});
