/** After any random history, a store answers like the reference implementation, before and after a restart. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { IndexTable } from "../../kernel/table.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { readAll, type StoreUnderTest } from "./fixture.ts";
import { play, steps } from "./steps.ts";

/** A fixed seed gives the same histories in every run; another seed gives others. */
const SEED = 1_729;
const RUNS = 10;

export function describeHistory({ open }: StoreUnderTest, indexes: IndexTable): void {
  it("a store agrees with the reference implementation on random histories", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const reference = new MemoryStore({ indexes });
        await using harness = await open(indexes);
        expect(await play(harness.store, history)).toEqual(await play(reference, history));
        const reopened = await harness.reopen();
        expect(await readAll(reopened, ["default", "acme"])).toEqual(
          await readAll(reference, ["default", "acme"]),
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
}
