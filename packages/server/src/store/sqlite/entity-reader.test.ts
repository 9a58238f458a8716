import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { openHarness } from "./harness.ts";

const wants = Array.from({ length: 100 }, (_, at) => ({ workspace: "default", kind: "roll", id: `r${at}` }));

/** During how many turns of the event loop the rows are loaded. */
async function turnsToLoad(characters: number): Promise<number> {
  await using harness = await openHarness(TABLE);
  const { store } = harness;
  const writing = await store.begin();
  const row = { expected: 0, version: 1, seq: 0, head: "", body: { ids: ["x".repeat(characters)] } };
  const puts = wants.map((key) => ({ key, ...row }));
  await writing.commit({ puts, events: [], timers: [], outbox: [] });
  let turns = 0;
  let isDone = false;
  const loading = store.load(wants).then((found) => {
    isDone = true;
    return found;
  });
  for (; !isDone; turns += 1) await nextTurn();
  expect(await loading).toHaveLength(wants.length);
  return turns;
}

test("G13: long rows, and many that are not short, are loaded in several turns, and short ones in one", async () => {
  expect(await turnsToLoad(100_000)).toBeGreaterThanOrEqual(90);
  expect(await turnsToLoad(60_000)).toBeGreaterThanOrEqual(10);
  expect(await turnsToLoad(1_000)).toBe(1);
});
