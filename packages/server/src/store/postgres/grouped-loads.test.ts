import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Entity } from "../../kernel/entity.ts";
import type { Want } from "../port.ts";
import { key } from "../suite/fixture.ts";
import { GroupedLoads } from "./grouped-loads.ts";

const entity = (id: string): Entity => ({ ...key(id), version: 1, seq: 0, head: "", body: {} });

function loads(known: readonly string[]) {
  const asked: string[][] = [];
  const grouped = new GroupedLoads(async (wants: readonly Want[]) => {
    asked.push(wants.map(({ id }) => id));
    if (wants.some(({ id }) => id === "broken")) throw new Error("the database is not available");
    return known.filter((id) => wants.some((want) => want.id === id)).map(entity);
  });
  const ids = async (...wanted: string[]) =>
    (await grouped.load(wanted.map((id) => key(id)))).map((found) => found.id);
  return { asked, ids };
}

test("loads of the same event-loop turn are one statement, and each caller gets what it asked for", async () => {
  const { asked, ids } = loads(["a", "b"]);
  expect(await Promise.all([ids("a"), ids("b", "a"), ids("gone"), ids()])).toEqual([
    ["a"],
    ["b", "a"],
    [],
    [],
  ]);
  expect(asked).toEqual([["a", "b", "gone"]]);
});

test("a load in a later turn is a statement of its own", async () => {
  const { asked, ids } = loads(["a"]);
  const first = ids("a");
  await turn();
  await Promise.all([first, ids("a")]);
  expect(asked).toEqual([["a"], ["a"]]);
});

test("a failed statement fails all loads of its group and no others", async () => {
  const { ids } = loads(["a"]);
  const [one, other] = await Promise.allSettled([ids("a"), ids("broken")]);
  expect([one?.status, other?.status]).toEqual(["rejected", "rejected"]);
  expect(await ids("a")).toEqual(["a"]);
});
