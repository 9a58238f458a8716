import { expect, test } from "vitest";
import { chooseVersion, isTerminal, submitChannel } from "./vocabulary.ts";

test.each([
  [undefined, "0.7"],
  [null, "0.7"],
  ["", "0.7"],
  ["banana", "0.7"],
  ["0.5", "0.7"],
  ["0.7", "0.7"],
  ["0.8", "0.8"],
  ["0.9", "0.8"],
  ["1.0", "0.8"],
  ["0.10", "0.8"],
  ["0.8.1", "0.7"],
  ["99999.1", "0.7"],
])("HP-009 a client that asks for %j is served %s", (asked, served) => {
  expect(chooseVersion(asked)).toBe(served);
});

test("HP-132 a bare platform name stands for that platform's button", () => {
  expect(submitChannel("telegram")).toBe("telegram_inline_button");
  expect(submitChannel("teams")).toBe("teams_adaptive_card");
  expect(submitChannel("telegram_inline_button")).toBe("telegram_inline_button");
  expect(submitChannel("x-pager")).toBe("x-pager");
});

test("HP-108 completed, expired and cancelled are final, the other three are not", () => {
  expect(["completed", "expired", "cancelled"].every(isTerminal)).toBe(true);
  expect(["pending", "opened", "in_progress", "unknown"].some(isTerminal)).toBe(false);
});
