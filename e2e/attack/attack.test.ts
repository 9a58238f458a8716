import { expect, it } from "vitest";
import { ATTACKS, QUICK } from "./attacks.ts";

const quick = ATTACKS.filter(({ what }) => QUICK.has(what));

it.each(quick)("the attack “$what” by $who does not succeed", { timeout: 60_000 }, async ({ run }) => {
  const { tried, wrong } = await run(performance.now() + 30_000);
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(0);
});
