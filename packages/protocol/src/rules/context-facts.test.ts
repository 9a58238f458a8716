import { describe, expect, test } from "vitest";
import { amountIn, toolIn } from "./context-facts.ts";

describe("what a context says", () => {
  test("a tool is a text in the member of that name", () => {
    expect(toolIn({ tool: "refund" })).toBe("refund");
    for (const context of [undefined, null, "refund", {}, { tool: 7 }, { tool: "" }])
      expect(toolIn(context)).toBeUndefined();
  });

  test("an amount is found in the context or in the arguments, with its currency if there is one", () => {
    expect(amountIn({ amount: 80, currency: "EUR" })).toBe("80.00 EUR");
    expect(amountIn({ tool: "refund", args: { order: "7", amount: "80.50", currency: "EUR" } })).toBe(
      "80.50 EUR",
    );
    expect(amountIn({ amount: 79.9, currency: "EUR" })).toBe("79.90 EUR");
    expect(amountIn({ amount: 0.125, currency: "BTC" })).toBe("0.125 BTC");
    expect(amountIn({ amount: "79.9", currency: "EUR" })).toBe("79.9 EUR");
    expect(amountIn({ amount: 0, currency: "EUR" })).toBe("0.00 EUR");
    expect(amountIn({ amount: 3 })).toBe("3");
    expect(amountIn({ amount: "3" })).toBe("3");
    expect(amountIn({ amount: 1204, currency: "points" })).toBe("1,204 points");
    expect(amountIn({ amount: 0.12345678, currency: "BTC" })).toBe("0.12345678 BTC");
    expect(amountIn({ amount: 3, currency: "a very long name" })).toBe("3");
  });

  test("what is too long, too deep or no amount is not taken for one", () => {
    expect(amountIn({ amount: "9".repeat(21) })).toBeUndefined();
    expect(amountIn({ a: { b: { c: { amount: 1 } } } })).toBeUndefined();
    expect(amountIn({ amount: { value: 1 }, list: [null] })).toBeUndefined();
    expect(amountIn(null)).toBeUndefined();
  });
});
