import { test } from "vitest";
import { race } from "./races.suite.ts";
import { matrixSuite } from "./suite.ts";
import { postgresWorld, sqliteWorld } from "./world.ts";

matrixSuite("PostgreSQL, answered at another server than it was placed on", postgresWorld, true);

test("G1 every door at one hold at once, on two servers: one wins", { timeout: 600_000 }, async () => {
  await using world = await postgresWorld();
  await race(world, 350);
});

test("G1 every door at one hold at once, for hundreds of rounds: one wins", {
  timeout: 600_000,
}, async () => {
  await using world = await sqliteWorld();
  await race(world, 350);
  // Browsers and processes start too slowly to win, and must be told all the same.
  await race(world, 21, ["process", "browser"]);
});
