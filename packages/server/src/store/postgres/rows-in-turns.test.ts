import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type EntityRow, loadEntities, queryEntities } from "./entity-reader.ts";
import { searchHolds } from "./hold-search.ts";
import type { Sql } from "./sql.ts";
import { listWaiting } from "./waiting.ts";

const workspace = "default";
const row = (at: number): EntityRow => ({
  ...{ workspace, kind: "intent", id: `i${at}`, version: 1, seq: 1, head: "" },
  body: JSON.stringify({ ask: { type: "input", prompt: "?" }, createdAt: 0, text: "x".repeat(60_000) }),
});
const sql: Sql = { all: async <Row>() => Array.from({ length: 50 }, (_, at) => row(at)) as Row[] };
const intents = { workspace, kind: "intent", limit: 50 } as const;
const waiting = { workspace, order: "newest", limit: 50 } as const;
const search = { workspace, limit: 50, text: "nothing" };

test.each([
  ["lists", () => queryEntities(sql, intents)],
  [
    "loads",
    () =>
      loadEntities(
        sql,
        Array.from({ length: 50 }, (_, at) => ({ ...intents, id: `i${at}` })),
      ),
  ],
  ["lists of open holds", () => listWaiting(sql, waiting)],
  ["searches", () => searchHolds(sql, search, () => true)],
] as const)("G13 %s read three megabytes of content in several turns", async (_, read) => {
  let turns = 0;
  let isOver = false;
  const reading = read().then(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  await reading;
  expect(turns).toBeGreaterThan(8);
});
