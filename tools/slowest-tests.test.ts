import { expect, test } from "vitest";
import { slowest, type TimedTest } from "./slowest-tests.ts";

const timed = (ms: number): TimedTest => ({ file: `e2e/${ms}.test.ts`, name: `takes ${ms} ms`, ms });

test("the slowest tests are listed with their files, the slowest first", () => {
  expect(slowest([timed(40), timed(61_250), timed(2_000)])).toBe(
    [
      "",
      " The 3 slowest tests",
      "   61.3 s  e2e/61250.test.ts  takes 61250 ms",
      "    2.0 s  e2e/2000.test.ts  takes 2000 ms",
      "    0.0 s  e2e/40.test.ts  takes 40 ms",
      "",
    ].join("\n"),
  );
});

test("only the twenty slowest of many tests are listed", () => {
  const said = slowest(Array.from({ length: 100 }, (_, at) => timed(at)));
  expect(said).toContain("The 20 slowest tests");
  expect(said).toContain("takes 80 ms");
  expect(said).not.toContain("takes 79 ms");
});
