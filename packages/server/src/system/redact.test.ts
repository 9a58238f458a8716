import { describe, expect, it } from "vitest";
import { redactor } from "./redact.ts";

describe("a redactor", () => {
  it("takes out every match of every pattern, in any case", () => {
    const redact = redactor(["\\d{4}-\\d{4}", "secret"]);
    expect(redact("SECRET 1234-5678 and 8765-4321, secrets")).toBe(
      "[redacted] [redacted] and [redacted], [redacted]s",
    );
  });

  it("without patterns leaves everything", () => {
    expect(redactor([])("secret")).toBe("secret");
  });
});
