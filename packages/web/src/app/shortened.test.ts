import { expect, test } from "vitest";
import { shortened } from "./shortened.ts";

test("a question of ordinary length is shown whole", () => {
  expect(shortened("Refund order 1042?")).toBe("Refund order 1042?");
});

test("a very long question is cut between characters, not inside one", () => {
  expect(shortened("😀".repeat(10_000))).toBe(`${"😀".repeat(160)} …`);
  expect(shortened(`${"word ".repeat(2_000)}`)).toHaveLength(161);
});
