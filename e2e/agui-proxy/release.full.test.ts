import { test } from "vitest";
import { releaseRounds } from "./rounds.ts";

test("a release is never sent twice and never forgotten, over many kills", { timeout: 600_000 }, async () => {
  await releaseRounds(40);
});
