import { expect, test } from "vitest";
import { amountText, isCurrencyCode } from "./amount-text.ts";

test("money has two digits after the point at least, and nothing is rounded", () => {
  expect(amountText(42, "EUR")).toBe("42.00 EUR");
  expect(amountText(1204.5, "EUR")).toBe("1,204.50 EUR");
  expect(amountText(0.12345678, "BTC")).toBe("0.12345678 BTC");
  expect(amountText(1204)).toBe("1,204");
  expect(amountText(12.5)).toBe("12.50");
  expect(amountText(3, "points")).toBe("3 points");
});

test("a currency is three capital letters", () => {
  expect(["EUR", "eur", "EURO", "", 7, null].map(isCurrencyCode)).toEqual([
    ...[true, false, false, false, false, false],
  ]);
});
