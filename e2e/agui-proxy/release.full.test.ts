import { expect, test } from "vitest";
import { releaseRounds } from "./rounds.ts";

test("a release is sent exactly once, over many kills of the server", { timeout: 900_000 }, async () => {
  const ends = await releaseRounds(40, false);
  expect(ends["released"] ?? 0, JSON.stringify(ends)).toBeGreaterThan(0);
});

test("a release to an agent that accepts an answer twice ends by itself, over many kills of the server", {
  timeout: 600_000,
}, async () => {
  expect(await releaseRounds(15, true)).toEqual({ released: 15 });
});
