import * as fc from "fast-check";
import { expect, test } from "vitest";
import { moves, play } from "../../testing/containers.ts";

test.each(["strict", "soft"] as const)(
  "OI-134 thousands of random graphs with a %s gate",
  (gate) => {
    let words = 0;
    fc.assert(
      fc.property(moves, (all) => {
        words += play(all, gate).size;
      }),
      { seed: 2026, numRuns: 200 },
    );
    expect(words).toBeGreaterThan(0);
  },
  120_000,
);
