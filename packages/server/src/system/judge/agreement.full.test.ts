import { expect, test } from "vitest";
import { judgesAgree } from "./agreement.suite.ts";

test.each([1, 2, 3, 4])(
  "server and pages agree on tens of thousands of generated schemas (seed %i)",
  (seed) => {
    const runs = 10_000;
    expect(judgesAgree(runs, seed)).toBeGreaterThan(runs / 2);
  },
  300_000,
);
