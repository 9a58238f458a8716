import { expect, test } from "vitest";
import { createMeter } from "./meter.ts";

test("work within its budget of steps returns its result, and work beyond it returns null", () => {
  const meter = createMeter(10);
  const spending = (times: number) => () => {
    for (let at = 0; at < times; at++) meter.spend(1);
    return "done";
  };
  expect([meter.run(spending(10)), meter.run(spending(11)), meter.run(spending(10))]).toEqual([
    "done",
    null,
    "done",
  ]);
});

test("work that overflows the stack returns null", () => {
  const endless = (depth: number): number => endless(depth + 1) + 1;
  expect(createMeter(10).run(() => endless(0))).toBeNull();
});

test("an error inside the work is rethrown and not reported as too much work", () => {
  expect(() =>
    createMeter(10).run(() => {
      throw new TypeError("mistake");
    }),
  ).toThrow("mistake");
});
