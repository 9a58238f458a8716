import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownTurn } from "./own-turn.ts";

test("G13: of many that wait for a turn of their own, one goes on in each turn, in the order of their calls", async () => {
  let turn = 0;
  const wentOn: (readonly [who: number, turn: number])[] = [];
  const steps = async (who: number) => {
    for (let step = 0; step < 2; step += 1) {
      await ownTurn();
      wentOn.push([who, turn]);
    }
  };
  const all = Promise.all([0, 1, 2].map(steps));
  while (wentOn.length < 6) {
    await nextTurn();
    turn += 1;
  }
  await all;
  expect(wentOn.map(([who]) => who)).toEqual([0, 1, 2, 0, 1, 2]);
  const turns = wentOn.map(([, at]) => at);
  expect(new Set(turns).size).toBe(6);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
});

test("a turn of one's own comes soon when nobody else waits", async () => {
  let turns = 0;
  let hasCome = false;
  void ownTurn().then(() => {
    hasCome = true;
  });
  for (; !hasCome && turns < 10; turns += 1) await nextTurn();
  expect(turns).toBeLessThan(3);
});
