import { test } from "vitest";
import { race } from "./races.suite.ts";
import { sqliteWorld } from "./world.ts";

test("G1 every door at one hold at once: one wins", { timeout: 240_000 }, async () => {
  await using world = await sqliteWorld();
  await race(world, 70);
});
