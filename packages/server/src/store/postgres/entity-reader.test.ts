import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type EntityRow, loadEntities, queryEntities } from "./entity-reader.ts";
import type { Sql } from "./sql.ts";

const rows = (count: number, characters: number): readonly EntityRow[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ workspace: "default", kind: "task", id: `t${at}`, version: 1, seq: 0, head: "" },
    body: JSON.stringify({ text: "x".repeat(characters) }),
  }));
/** A database that gives these rows for whatever it is asked. */
const giving = (found: readonly EntityRow[]): Sql => ({
  all: async <Row>() => found as readonly never[] as readonly Row[],
});

/** During how many turns of the event loop the work goes on. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await nextTurn();
  return turns;
}

test("G13: long rows, and many that are not short, are parsed in several turns, whether they are loaded or listed", async () => {
  const wants = rows(200, 0).map(({ id }) => ({ workspace: "default", kind: "task", id }));
  const query = { workspace: "default", kind: "task", limit: 200 };
  for (const found of [rows(10, 200_000), rows(200, 50_000)]) {
    expect(await turnsOf(loadEntities(giving(found), wants))).toBeGreaterThanOrEqual(10);
    expect(await turnsOf(queryEntities(giving(found), query))).toBeGreaterThanOrEqual(10);
  }
  const short = giving(rows(50, 1_000));
  expect(await turnsOf(loadEntities(short, wants))).toBe(1);
  expect(await turnsOf(queryEntities(short, query))).toBe(1);
});
