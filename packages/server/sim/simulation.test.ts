import { beforeAll, describe, expect, inject, test } from "vitest";
import { runSeed } from "./run.ts";
import { SABOTAGES, type Sabotage } from "./sabotage.ts";
import { PAST_SEEDS } from "./seeds.ts";

const IS_FULL = inject("isFull");
const NEW_SEEDS = IS_FULL ? 24 : 0;
const SHORT = { steps: 60 };
const SEEDS = [...PAST_SEEDS, ...Array.from({ length: NEW_SEEDS }, (_, i) => i + 1)];

describe("the simulated world", () => {
  // As `npm run sim` does it, so that a seed that fails here fails there.
  beforeAll(async () => void (await runSeed(0, SHORT)), 60_000);

  test.each(SEEDS)("seed %i settles every hold and breaks no promise", { timeout: 60_000 }, async (seed) => {
    const { complaints, holds } = await runSeed(seed);
    expect(complaints, `replay with: npm run sim -- --seed ${seed}`).toEqual([]);
    expect(holds).toBeGreaterThan(0);
  });

  test.each(IS_FULL ? [1, 2, 3, 4, 5, 6, 7, 8] : [4])(
    "seed %i keeps every promise on three servers that share one store",
    { timeout: 60_000 },
    async (seed) => {
      const { complaints, servers } = await runSeed(seed, { servers: 3, ...(IS_FULL ? {} : SHORT) });
      expect(complaints, `replay with: npm run sim -- --servers 3 --seed ${seed}`).toEqual([]);
      expect(servers).toBe(3);
    },
  );

  test("each guarantee from G1 to G15 has a sabotage that breaks it", () => {
    const broken = new Set<string>(Object.values(SABOTAGES).map(({ breaks }) => breaks));
    const all = Array.from({ length: 15 }, (_, at) => `G${at + 1}`);
    expect(all.filter((name) => !broken.has(name))).toEqual([]);
  });

  const sabotages = Object.entries(SABOTAGES).map(
    ([name, { breaks, checker }]) => [breaks, name as Sabotage, checker] as const,
  );
  test.each(sabotages)(
    "%s a server that would %s is found out",
    { timeout: 120_000 },
    async (_breaks, sabotage, checker) => {
      for (let seed = 1; seed <= 30; seed += 1) {
        const { complaints } = await runSeed(seed, { sabotage, ...(IS_FULL ? {} : SHORT) });
        if (complaints.some((complaint) => complaint.startsWith(checker))) return;
      }
      expect.fail(`thirty seeds did not notice: ${sabotage}`);
    },
  );

  test.each(IS_FULL ? [1, 2, 3, 4, 5, 6] : [1])(
    "seed %i keeps every promise on a SQLite file, which each process opens again",
    { timeout: 120_000 },
    async (seed) => {
      const { complaints } = await runSeed(seed, { store: "sqlite", steps: IS_FULL ? 120 : 30 });
      expect(complaints, `replay with: npm run sim -- --store sqlite --seed ${seed}`).toEqual([]);
    },
  );

  test("a seed is a whole story: played again, it ends the same", { timeout: 60_000 }, async () => {
    const story = IS_FULL ? {} : SHORT;
    const { crashes, events, holds } = await runSeed(7, story);
    expect(await runSeed(7, story)).toMatchObject({ crashes, events, holds });
  });
});
