/**
 * `npm run bench -- --against <checkout>`: this server beside the one of another checkout of this repository, loaded in turns.
 * Several pairs of processes are measured, because V8 compiles each process a little differently.
 */

import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createCluster } from "../src/testing/postgres/cluster.ts";
import { type Child, discard, startChild } from "./child.ts";
import { drive, median, type Sample, wireTo } from "./load.ts";
import { cycle, WORKS } from "./rates.ts";
import type { Result } from "./result.ts";
import { warmUp } from "./warm-up.ts";

export interface Against {
  readonly checkout: string;
  readonly names: readonly string[];
  /** On PostgreSQL: one cluster, a database for each server. */
  readonly isPostgres: boolean;
  readonly quick: boolean;
}

interface Round {
  readonly pair: number;
  readonly ours: Sample;
  readonly theirs: Sample;
}

type Environment = () => Promise<NodeJS.ProcessEnv>;

export async function measureAgainst(against: Against): Promise<readonly Result[]> {
  if (!against.isPostgres) return measurePairs(against, async () => ({}));
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-against-"));
  await using cluster = await createCluster({ folder, isDurable: true });
  let databases = 0;
  try {
    return await measurePairs(against, async () => {
      databases += 1;
      await cluster.createDatabase(`server_${databases}`);
      return { HOLDPOINT_DATABASE_URL: cluster.url(`server_${databases}`) };
    });
  } finally {
    await cluster.stop();
    discard(folder);
  }
}

async function measurePairs(against: Against, environment: Environment): Promise<readonly Result[]> {
  const theirs = serverIn(against.checkout);
  const rounds = new Map<string, Round[]>();
  for (let pair = 0; pair < (against.quick ? 2 : 3); pair += 1) {
    const children: Child[] = [];
    try {
      for (const name of ["holdpoint", theirs])
        children.push(await startChild(name, undefined, await environment()));
      await measurePair(pair, children, against, rounds);
    } finally {
      for (const child of children) {
        await child.stop();
        discard(child.folder);
      }
    }
  }
  return [...rounds].map(([name, measured]) => resultOf(name, measured));
}

/** The benched server of another checkout, as seen from this folder. */
function serverIn(checkout: string): string {
  const folder = resolve(checkout, "packages/server/bench");
  if (!existsSync(join(folder, "holdpoint.ts")))
    throw new Error(`${checkout} is no checkout of this repository: ${folder} has no holdpoint.ts.`);
  return join(relative(fileURLToPath(new URL(".", import.meta.url)), folder), "holdpoint");
}

async function measurePair(
  pair: number,
  children: readonly Child[],
  { names, isPostgres, quick }: Against,
  rounds: Map<string, Round[]>,
): Promise<void> {
  const wires = children.map(wireTo);
  await warmUp(
    wires.map((wire) => () => cycle(wire)),
    quick,
  );
  for (const work of WORKS.filter(({ name }) => names.includes(name))) {
    for (const concurrency of isPostgres ? [1, 16] : [1, 16, 64]) {
      const name = `${work.name} at ${concurrency}`;
      const measured = rounds.get(name) ?? [];
      rounds.set(name, measured);
      for (let round = 0; round < (quick ? 2 : 5); round += 1)
        measured.push({ pair, ...(await inTurns(wires.map(work.make), concurrency, round, quick)) });
    }
  }
  for (const wire of wires) wire.close();
}

/** Who is first changes with each round: the second of two finds the machine warmer. */
async function inTurns(
  [ours, theirs]: readonly (() => Promise<unknown>)[],
  concurrency: number,
  round: number,
  quick: boolean,
): Promise<Omit<Round, "pair">> {
  if (ours === undefined || theirs === undefined) throw new Error("Invariant: two servers are compared");
  const ms = quick ? 700 : 1_500;
  if (round % 2 === 0) {
    const first = await drive(concurrency, ms, ours);
    return { ours: first, theirs: await drive(concurrency, ms, theirs) };
  }
  const first = await drive(concurrency, ms, theirs);
  return { theirs: first, ours: await drive(concurrency, ms, ours) };
}

function resultOf(name: string, rounds: readonly Round[]): Result {
  const ratio = ({ ours, theirs }: Round) => ours.perSecond / theirs.perSecond;
  const ofPairs = [...Map.groupBy(rounds, ({ pair }) => pair).values()].map((same) =>
    median(same.map(ratio)),
  );
  return {
    name,
    value: median(rounds.map(({ ours }) => ours.perSecond)),
    unit: "/s",
    p50: median(rounds.map(({ ours }) => ours.p50)),
    p99: median(rounds.map(({ ours }) => ours.p99)),
    floor: median(rounds.map(({ theirs }) => theirs.perSecond)),
    ratio: median(rounds.map(ratio)),
    spread: [Math.min(...ofPairs), Math.max(...ofPairs)],
  };
}
