/**
 * `npm run bench -- peers`: a question to a person and its answer here and in other systems in which an agent waits durably. One
 * side is loaded at a time, in short turns whose order rotates, so that the machine's moods hit all alike.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createCluster } from "../src/testing/postgres/cluster.ts";
import { drive, median, type Sample } from "./load.ts";
import { installPeers, versions } from "./peers-install.ts";
import { type Side, type Store, startLibrary, startOurs, startRestate } from "./peers-sides.ts";
import type { Result } from "./result.ts";

/** How many times as fast as a peer we want to be at 64. */
const AIMS: Readonly<Record<string, number>> = { Restate: 5, DBOS: 7 };

interface Turn {
  readonly name: string;
  readonly side: Side;
  readonly isReported: boolean;
  readonly work: () => Promise<unknown>;
}

export async function measurePeers(quick: boolean): Promise<readonly Result[]> {
  installPeers();
  console.log(versions());
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-peers-"));
  await using cluster = await createCluster({ folder, isDurable: true });
  const sides: Side[] = [];
  try {
    await startSides(cluster, sides);
    for (const { name, durable } of sides) console.log(`${name}: ${durable}`);
    const turns = sides.flatMap(turnsOf);
    for (const { name, work } of turns) {
      console.log(`Warming up ${name} …`);
      await drive(64, quick ? 3_000 : 12_000, work);
    }
    const results: Result[] = [];
    for (const concurrency of [1, 64]) results.push(...(await compare(turns, concurrency, quick)));
    return results;
  } finally {
    for (const side of sides) await side.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A peer that does not run on this machine is left out, with its reason; without us there is nothing to compare. */
async function startSides(cluster: Cluster, sides: Side[]): Promise<void> {
  const database = async (name: string) => {
    await cluster.createDatabase(name);
    return cluster.url(name);
  };
  sides.push(await startOurs("SQLite"), await startOurs("PostgreSQL", await database("ours")));
  const peers: readonly [string, () => Promise<Side>][] = [
    ["Restate", startRestate],
    ["DBOS", async () => startLibrary("DBOS", "dbos", "PostgreSQL", await database("dbos"))],
    ["LangGraph on SQLite", () => startLibrary("LangGraph on SQLite", "langgraph", "SQLite")],
    [
      "LangGraph on PostgreSQL",
      async () =>
        startLibrary("LangGraph on PostgreSQL", "langgraph", "PostgreSQL", await database("langgraph")),
    ],
  ];
  for (const [name, start] of peers) {
    try {
      sides.push(await started(start));
    } catch (error) {
      console.log(`${name} is left out: ${(error as Error).message}. What it wrote itself stands above.`);
    }
  }
}

/** Started, and it has answered one cycle. */
async function started(start: () => Promise<Side>): Promise<Side> {
  const side = await start();
  try {
    await side.cycle();
    return side;
  } catch (error) {
    await side.stop();
    throw error;
  }
}

function turnsOf(side: Side): readonly Turn[] {
  const { name, cycle, reported } = side;
  const plain = { name, side, isReported: false, work: cycle };
  return reported === undefined
    ? [plain]
    : [plain, { name: `${name}, result reported`, side, isReported: true, work: reported }];
}

type Samples = ReadonlyMap<Turn, readonly Sample[]>;

async function compare(
  turns: readonly Turn[],
  concurrency: number,
  quick: boolean,
): Promise<readonly Result[]> {
  const rounds = quick ? 3 : 9;
  const samples = new Map<Turn, Sample[]>(turns.map((turn) => [turn, []]));
  for (let round = 0; round < rounds; round += 1) {
    console.log(`At ${concurrency}: round ${round + 1} of ${rounds}`);
    const order = turns.map((_turn, at) => turns[(at + round) % turns.length] as Turn);
    for (const turn of order)
      samples.get(turn)?.push(await drive(concurrency, quick ? 1_000 : 2_000, turn.work));
  }
  const ours = turns.filter(({ side }) => side.isOurs);
  const theirs = turns.filter(({ side }) => !side.isOurs);
  return [
    ...turns.map((turn) => rateOf(turn, samples, concurrency)),
    ...theirs.flatMap((peer) =>
      ours.filter((turn) => isShown(turn, peer)).map((turn) => beside(turn, peer, samples, concurrency)),
    ),
  ];
}

const ratesOf = (turn: Turn, samples: Samples) => (samples.get(turn) ?? []).map(({ perSecond }) => perSecond);

function rateOf(turn: Turn, samples: Samples, concurrency: number): Result {
  const of = samples.get(turn) ?? [];
  return {
    ...{ name: `${turn.name}: cycle at ${concurrency}`, value: median(ratesOf(turn, samples)), unit: "/s" },
    ...{ p50: median(of.map(({ p50 }) => p50)), p99: median(of.map(({ p99 }) => p99)) },
    durable: turn.side.durable,
  };
}

/** One ratio for each round, because turns that follow each other meet the same machine. */
function beside(turn: Turn, peer: Turn, samples: Samples, concurrency: number): Result {
  const [ours, theirs] = [ratesOf(turn, samples), ratesOf(peer, samples)];
  const ratios = ours.map((rate, round) => rate / (theirs[round] ?? 0));
  const ratio = median(ratios);
  const aim = concurrency === 64 && hasStoreOf(turn, peer) ? AIMS[peer.name] : undefined;
  return {
    ...{ name: `${turn.name}, beside ${peer.name} at ${concurrency}`, value: median(ours), unit: "/s" },
    ...{ floor: median(theirs), ratio, spread: [Math.min(...ratios), Math.max(...ratios)] },
    ...(aim === undefined ? {} : { aim: `≥ ${aim} x ${peer.name}`, met: ratio >= aim }),
  };
}

/** The like beside the like; and, because a small installation of ours needs no database server, our SQLite beside PostgreSQL. */
const isShown = (turn: Turn, peer: Turn) =>
  hasStoreOf(turn, peer) || (turn.side.store === "SQLite" && !turn.isReported);

/** Restate embeds its database, as we embed SQLite. */
function hasStoreOf(turn: Turn, peer: Turn): boolean {
  const alike: Store = peer.side.store === "RocksDB" ? "SQLite" : peer.side.store;
  return turn.side.store === alike;
}
