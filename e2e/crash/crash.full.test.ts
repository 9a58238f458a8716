import { test } from "vitest";
import { crashRounds } from "./rounds.ts";

test("G2 G3 acknowledged work survives forty rounds of kill -9 under load", {
  timeout: 900_000,
}, async () => {
  await crashRounds(40, 2_500);
});
