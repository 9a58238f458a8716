import * as fc from "fast-check";
import { expect, test } from "vitest";
import { moves, play } from "../../../testing/containers.ts";

test.each(["strict", "soft"] as const)(
  "OI-134 thousands of random graphs with a %s gate keep all container rules",
  (gate) => {
    const met = new Set<string>();
    fc.assert(
      fc.property(moves, (all) => {
        for (const word of play(all, gate).keys()) met.add(word);
      }),
      { seed: 2026, numRuns: 200 },
    );
    expect(met).toContain("resolve_checkpoint done");
  },
  120_000,
);
