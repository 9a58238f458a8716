import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { holdBody, indexes, key, put } from "../suite/fixture.ts";
import { inParts, preparePuts } from "./entity-writer.ts";

const putsOf = (count: number, characters: number) =>
  Array.from({ length: count }, (_, at) =>
    put(key(`h${at.toString().padStart(3, "0")}`), 0, holdBody({ text: "x".repeat(characters) })),
  );

test("G13: long rows are written as text in several turns of the event loop, and short ones in one", async () => {
  const turnsFor = async (count: number, characters: number) => {
    let turns = 0;
    let isDone = false;
    const preparing = preparePuts(putsOf(count, characters), indexes).then((prepared) => {
      isDone = true;
      return prepared;
    });
    for (; !isDone; turns += 1) await nextTurn();
    expect(await preparing).toHaveLength(count);
    return turns;
  };
  expect(await turnsFor(10, 200_000)).toBeGreaterThanOrEqual(10);
  expect(await turnsFor(100, 60_000)).toBeGreaterThanOrEqual(10);
  expect(await turnsFor(100, 1_000)).toBe(1);
});

test("G13: no statement has much more than 2 MiB of rows, however many there are, and a longer row is alone", async () => {
  const sizes = async (count: number, characters: number) =>
    inParts(await preparePuts(putsOf(count, characters), indexes)).map((part) => part.length);
  expect(await sizes(0, 0)).toEqual([0]);
  expect(await sizes(500, 1_000)).toEqual([500]);
  expect(await sizes(5, 900_000)).toEqual([2, 2, 1]);
  expect(await sizes(2, 3_000_000)).toEqual([1, 1]);
});
