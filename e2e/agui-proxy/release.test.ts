import { test } from "vitest";
import { releaseRounds } from "./rounds.ts";

test("a release is sent exactly once, wherever the server is killed", {
  timeout: 120_000,
}, async () => {
  await releaseRounds(1, false);
});
