import { expect, test } from "vitest";
import { createMeter } from "./meter.ts";

test("work within its steps gives its result, more of it gives nothing", () => {
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

test("work that runs out of stack gives nothing", () => {
  const endless = (depth: number): number => endless(depth + 1) + 1;
  expect(createMeter(10).run(() => endless(0))).toBeNull();
});

test("a mistake in the work is not taken for too much of it", () => {
  expect(() =>
    createMeter(10).run(() => {
      throw new TypeError("mistake");
    }),
  ).toThrow("mistake");
});
