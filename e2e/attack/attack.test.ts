import { expect, it } from "vitest";
import { ATTACKS, QUICK, verdictOf } from "./attacks.ts";

const quick = ATTACKS.filter(({ what }) => QUICK.has(what));

it.each(quick)("the attack “$what” by $who does not succeed", { timeout: 60_000 }, async ({ run }) => {
  const found = await run(performance.now() + 30_000);
  expect({ verdict: verdictOf(found), wrong: found.wrong }).toEqual({ verdict: "held", wrong: [] });
});

it("an attack without time is not said to have held", async () => {
  const races = ATTACKS.find(({ what }) => what.startsWith("race"));
  expect(verdictOf((await races?.run(0)) ?? { tried: 1, wrong: [] })).toBe("not tried");
  expect(verdictOf({ tried: 3, wrong: [], isCut: true })).toBe("incomplete");
  expect(verdictOf({ tried: 3, wrong: ["x"], isCut: true })).toBe("1 BROKEN");
});
