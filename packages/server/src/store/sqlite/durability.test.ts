import { join } from "node:path";
import { expect, it } from "vitest";
import { indexes, key } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { startChild } from "./child.ts";
import { openSqliteStore } from "./open.ts";

it("S1 every commit that a killed process acknowledged is stored, and no commit is stored in part", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  await using child = startChild("./durability.child.ts", path);
  let acknowledged = 0;
  while (acknowledged < 50) acknowledged = Number((await child.lines.next()).value);
  await child.kill();
  for (let line = await child.lines.next(); line.done !== true; line = await child.lines.next())
    acknowledged = Number(line.value);

  await using store = openSqliteStore({ path, indexes });
  const holds = await store.query({ workspace: "default", kind: "hold", limit: 1_000_000 });
  const numbers = holds.map(({ id }) => Number(id.slice(1))).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  expect(numbers.length).toBeGreaterThanOrEqual(acknowledged);
  const count = numbers.length;
  expect(await store.load(holds.map(({ id }) => key(id, "group")))).toHaveLength(count);
  expect(await store.lastPosition()).toBe(2 * count);
  expect(await store.dueTimers(Number.MAX_SAFE_INTEGER, 1_000_000)).toHaveLength(count);
  expect(await store.outbox({ workspace: "default", limit: 1_000_000 })).toHaveLength(count);
});
