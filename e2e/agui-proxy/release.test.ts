import { test } from "vitest";
import { releaseRounds } from "./rounds.ts";

test("a release is never sent twice and never forgotten, wherever the server is killed", {
  timeout: 120_000,
}, async () => {
  await releaseRounds(1, false);
});
