/** `npm run bench -- postgres`: one, two and four servers over one database, beside what the same database gives by hand. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import pg from "pg";
import { createCluster } from "../src/testing/postgres/cluster.ts";
import { type Child, discard, startChild } from "./child.ts";
import { drive, median, percentiles, type Sample, type Wire, wireTo } from "./load.ts";
import { cycle } from "./rates.ts";
import type { Result } from "./result.ts";

const CONNECTIONS = 16;

export async function measurePostgres(quick: boolean): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-postgres-"));
  await using cluster = await createCluster({ folder, isDurable: true });
  await cluster.createDatabase("bench");
  const url = cluster.url("bench");
  // Children inherit it.
  process.env["HOLDPOINT_DATABASE_URL"] = url;
  const floor = await startChild("floor-postgres");
  const servers: Child[] = [];
  const results: Result[] = [];
  try {
    for (const count of [1, 2, 4]) {
      while (servers.length < count) servers.push(await startChild("holdpoint"));
      results.push(await measureCycles(servers, floor, quick));
    }
    results.push(await measureRaw(url, quick), await measureTransactions(url, servers, quick));
    results.push(await measureCrossing(servers, quick), await measureDue(servers, quick));
    return results;
  } finally {
    for (const child of [...servers, floor]) {
      await child.stop();
      discard(child.folder);
    }
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Cycles go round the servers, and one cycle may touch several. */
function roundRobin(wires: readonly Wire[]): () => Promise<void> {
  let turn = 0;
  const next = () => {
    turn += 1;
    return wires[turn % wires.length] as Wire;
  };
  const any: Wire = { call: (...args) => next().call(...args), close: () => undefined };
  return () => cycle(any);
}

async function measureCycles(servers: readonly Child[], floor: Child, quick: boolean): Promise<Result> {
  const wires = servers.map(wireTo);
  const floorWire = wireTo(floor);
  const sides = { ours: roundRobin(wires), floor: () => cycle(floorWire) };
  const samples: Record<keyof typeof sides, Sample[]> = { ours: [], floor: [] };
  for (let round = -1; round < (quick ? 3 : 7); round += 1) {
    for (const side of ["ours", "floor"] as const) {
      const sample = await drive(CONNECTIONS, quick ? 1_000 : 3_000, sides[side]);
      // The first round only warms up.
      if (round >= 0) samples[side].push(sample);
    }
  }
  for (const wire of [...wires, floorWire]) wire.close();
  const rate = ({ perSecond }: Sample) => perSecond;
  const ratio = median(samples.ours.map((sample, at) => rate(sample) / (samples.floor[at]?.perSecond ?? 1)));
  return {
    name: `cycle at ${CONNECTIONS}, ${servers.length} server${servers.length === 1 ? "" : "s"}`,
    value: median(samples.ours.map(rate)),
    unit: "/s",
    p50: median(samples.ours.map(({ p50 }) => p50)),
    p99: median(samples.ours.map(({ p99 }) => p99)),
    floor: median(samples.floor.map(rate)),
    ratio,
    ...(servers.length === 1 ? { aim: "≥ 0.6 by hand", met: ratio >= 0.6 } : {}),
  };
}

/** Nothing but the database: an insert and an update, each its own transaction, many on one connection at a time. */
async function measureRaw(url: string, quick: boolean): Promise<Result> {
  const client = new pg.Client({ connectionString: url, pipeline: true });
  await client.connect();
  await client.query("CREATE TABLE public.floor_raw (id bigint PRIMARY KEY, body text)");
  let last = 0;
  const sample = await drive(CONNECTIONS, quick ? 1_000 : 5_000, async () => {
    last += 1;
    const id = last;
    const insert = { name: "i", text: "INSERT INTO public.floor_raw VALUES ($1, 'open')", values: [id] };
    const update = {
      name: "u",
      text: "UPDATE public.floor_raw SET body = 'done' WHERE id = $1",
      values: [id],
    };
    await Promise.all([client.query(insert), client.query(update)]);
  });
  await client.end();
  return { name: "raw pipelined insert + update", value: sample.perSecond, unit: "/s" };
}

/** A group commit is one transaction for many cycles. */
async function measureTransactions(url: string, servers: readonly Child[], quick: boolean): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const committed = async () => {
    await client.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await client.query<{ done: string }>(
      "SELECT xact_commit + xact_rollback AS done FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0]?.done);
  };
  const wire = wireTo(servers[0] as Child);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 2_000));
  await settled();
  const before = await committed();
  let cycles = 0;
  await drive(CONNECTIONS, quick ? 1_000 : 5_000, async () => {
    await cycle(wire);
    cycles += 1;
  });
  await settled();
  const after = await committed();
  wire.close();
  await client.end();
  return { name: `transactions a cycle at ${CONNECTIONS}`, value: (after - before) / cycles, unit: "" };
}

/** From the answer's acknowledgement on one server to the waiter's reply on another. */
async function measureCrossing(servers: readonly Child[], quick: boolean): Promise<Result> {
  const [a, b] = servers.map(wireTo) as [Wire, Wire];
  const times: number[] = [];
  for (let round = 0; round < (quick ? 50 : 300); round += 1) {
    const ask = { type: "approval", prompt: "Refund 40 EUR?", context: {}, timeout: "2h" };
    const { id } = JSON.parse(await a.call("POST", "/v1/holds", ask)) as { id: string };
    const waiting = b.call("GET", `/v1/holds/${id}?wait=30`).then(() => performance.now());
    await new Promise((resolve) => setTimeout(resolve, 20));
    await a.call("POST", `/v1/holds/${id}/answer`, { action: "approve", data: {} });
    const answeredAt = performance.now();
    times.push(Math.max(0, (await waiting) - answeredAt));
  }
  const { p50, p99 } = percentiles(times);
  return {
    name: "wake-up on another server",
    value: p50,
    unit: "ms",
    p50,
    p99,
    aim: "p50 < 5 ms",
    met: p50 < 5,
  };
}

async function measureDue(servers: readonly Child[], quick: boolean): Promise<Result> {
  const count = quick ? 2_000 : 10_000;
  await servers[0]?.order({ kind: "timers", count, spreadMs: 0 });
  let late: number[] = [];
  for (let waits = 0; waits < 200 && late.length < count; waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const told = await Promise.all(servers.map((server) => server.order({ kind: "lateness" })));
    late = told.flatMap((each) => each.late ?? []);
  }
  const worst = late.reduce((most, each) => Math.max(most, each), 0);
  return {
    name: `${late.length} of ${count} timers due at once, the last`,
    value: worst,
    unit: "ms late",
    aim: "< 1 s",
    met: worst < 1_000 && late.length === count,
  };
}
