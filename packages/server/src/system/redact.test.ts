import { describe, expect, it } from "vitest";
import { redactor, whyNotRedactable } from "./redact.ts";

describe("a redactor", () => {
  it("takes out every match of every pattern, in any case", async () => {
    const redact = redactor(["\\d{4}-\\d{4}", "secret"]);
    expect(await redact("SECRET 1234-5678 and 8765-4321, secrets")).toBe(
      "[redacted] [redacted] and [redacted], [redacted]s",
    );
  });

  it("without patterns leaves everything", async () => {
    expect(await redactor([])("secret")).toBe("secret");
    expect(await redactor([])("s".repeat(1_000_000))).toHaveLength(1_000_000);
  });

  it("takes out matches of nothing without looking for them forever", async () => {
    expect(await redactor(["x*"])("ab")).toBe("[redacted]a[redacted]b[redacted]");
  });

  it("Hardening 9: runs a pattern that makes other engines backtrack over 400,000 characters", async () => {
    const redact = redactor(["(a+)+$", "(\\w+\\s?)*!"]);
    const text = `${"a".repeat(399_000)}-`;
    expect(await redact(text)).toBe(text);
  });

  it("Hardening 9 (G9): leaves a text out as a whole when it takes too long to say what may stay", async () => {
    expect(await redactor(["secret"])(`${"x".repeat(60_000)} secret`)).toBe("[redacted]");
    expect(await redactor(["secret"])("x".repeat(400_001))).toBe("[redacted]");
    // Every search looks at all that is left, because an a may always be followed by a z.
    expect(await redactor(["a.*z|b"])("ab".repeat(5_000))).toBe("[redacted]");
  });

  it("Hardening 9 (G13): lets others have their turn while it looks at long texts", async () => {
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

  it("says why a pattern cannot be used", () => {
    expect(whyNotRedactable("\\d+")).toBeNull();
    expect(whyNotRedactable("(?=a)b")).toContain("is no RE2 pattern");
    expect(whyNotRedactable("(a)\\1")).toContain("is no RE2 pattern");
  });
});
