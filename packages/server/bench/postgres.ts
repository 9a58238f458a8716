/** `npm run bench -- postgres`: one, two and four servers over one database, beside what the same database gives by hand. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import pg from "pg";
import { createCluster } from "../src/testing/postgres/cluster.ts";
import type { Asked } from "./asked.ts";
import { type Child, discard, startChild } from "./child.ts";
import { drive, median, percentiles, type Sample, type Wire, wireTo } from "./load.ts";
import { cycle } from "./rates.ts";
import type { Result } from "./result.ts";
import { warmUp } from "./warm-up.ts";

const CONNECTIONS = 16;
/** The least of what the same database gives by hand, by the number of servers. */
const CYCLE_AIMS = new Map([
  [1, 0.68],
  [4, 0.4],
]);
/** How late the last of the timers may be, by the number of servers. */
const LAST_TIMER_MS = new Map([
  [2, 1_000],
  [4, 600],
]);

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
    await warm(floor, quick);
    for (const count of [1, 2, 4]) {
      while (servers.length < count) {
        const server = await startChild("holdpoint");
        servers.push(server);
        await warm(server, quick);
      }
      results.push(await measureCycles(servers, floor, quick));
      if (count > 1) results.push(await measureDue(servers, quick));
    }
    const [first] = servers;
    if (first === undefined) throw new Error("there is no server");
    results.push(await measureRaw(url, quick), ...(await measureAsked(first, quick)));
    results.push(await measureCrossing(servers, quick), await measureSize(url, first, quick));
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

async function warm(server: Child, quick: boolean): Promise<void> {
  const wire = wireTo(server);
  await warmUp([() => cycle(wire)], quick);
  wire.close();
}

/** Cycles go round the servers, and one cycle may touch several. */
function roundRobin(wires: readonly Wire[]): () => Promise<unknown> {
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
  const aim = CYCLE_AIMS.get(servers.length);
  return {
    name: `cycle at ${CONNECTIONS}, ${servers.length} server${servers.length === 1 ? "" : "s"}`,
    value: median(samples.ours.map(rate)),
    unit: "/s",
    p50: median(samples.ours.map(({ p50 }) => p50)),
    p99: median(samples.ours.map(({ p99 }) => p99)),
    floor: median(samples.floor.map(rate)),
    ratio,
    ...(aim === undefined ? {} : { aim: `≥ ${aim} by hand`, met: ratio >= aim }),
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

/** What one server asks of the database for a cycle: a group commit is one transaction for many of them. */
async function measureAsked(server: Child, quick: boolean): Promise<readonly Result[]> {
  const wire = wireTo(server);
  const results: Result[] = [];
  for (const connections of [1, CONNECTIONS]) {
    const before = (await server.order({ kind: "asked" })).asked;
    let cycles = 0;
    await drive(connections, quick ? 1_000 : 5_000, async () => {
      await cycle(wire);
      cycles += 1;
    });
    const after = (await server.order({ kind: "asked" })).asked;
    if (before === undefined || after === undefined) throw new Error("the server counts nothing");
    const per = (of: (asked: Asked) => number) => (of(after) - of(before)) / cycles;
    results.push(
      { name: `statements a cycle at ${connections}`, value: per(({ statements }) => statements), unit: "" },
      { name: `round trips a cycle at ${connections}`, value: per(({ roundTrips }) => roundTrips), unit: "" },
    );
  }
  wire.close();
  return results;
}

/** Open holds, made by the database itself: the road there is not what is measured. */
async function fillHolds(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(FILL, [count]);
  await client.query("ANALYZE holdpoint.hold");
  await client.end();
}

const FILL = `INSERT INTO holdpoint.hold (workspace, id, version, seq, head, status, creator, created_at, body)
  SELECT 'default', 'hold_' || lpad(n::text, 26, '0'), 1, 0, '', 'open', 'filler', 0,
    json_build_object('id', 'hold_' || lpad(n::text, 26, '0'), 'digest', 'sha256:0', 'salt', '0', 'status', 'open',
      'createdBy', 'filler', 'creatorKey', 'none', 'createdAt', 0, 'rungs', '[]'::json, 'attempt', 1, 'links', 'server',
      'ask', json_build_object('type', 'approval', 'prompt', 'Refund 40 EUR to a customer?',
        'context', json_build_object('order', n, 'amount', 40)))::text
  FROM generate_series(1, $1::bigint) AS n ON CONFLICT DO NOTHING`;

/** The same cycles with few and with many holds open, in turns that cannot be taken: the few come first. */
async function measureSize(url: string, server: Child, quick: boolean): Promise<Result> {
  const [few, many] = quick ? [1_000, 100_000] : [1_000, 1_000_000];
  const wire = wireTo(server);
  const rate = async () => {
    const rounds: number[] = [];
    for (let round = 0; round < (quick ? 3 : 5); round += 1) {
      rounds.push((await drive(CONNECTIONS, quick ? 1_000 : 3_000, () => cycle(wire))).perSecond);
    }
    return median(rounds);
  };
  await fillHolds(url, few);
  const before = await rate();
  await fillHolds(url, many);
  const after = await rate();
  wire.close();
  return {
    name: `cost of a cycle at ${many} open holds, of that at ${few}`,
    value: before / after,
    unit: "times",
    floor: before,
  };
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
  const rounds: (readonly number[])[] = [];
  // The first round only warms up.
  for (let round = -1; round < (quick ? 1 : 3); round += 1) {
    const late = await dueAtOnce(servers, count);
    if (round >= 0) rounds.push(late);
  }
  const last = rounds.map((late) => late.reduce((most, each) => Math.max(most, each), 0));
  const worst = median(last);
  const fewest = Math.min(...rounds.map((late) => late.length));
  const aimMs = LAST_TIMER_MS.get(servers.length) ?? 1_000;
  return {
    name: `${fewest} of ${count} timers due at once, ${servers.length} servers, the last`,
    value: worst,
    unit: `ms late (${last.map((each) => each.toFixed(0)).join(", ")})`,
    aim: `< ${aimMs} ms`,
    met: worst < aimMs && fewest === count,
  };
}

/** How late each was. */
async function dueAtOnce(servers: readonly Child[], count: number): Promise<readonly number[]> {
  const told = (kind: string) => Promise.all(servers.map((server) => server.order({ kind })));
  const before = (await told("fired")).map((each) => each.fired ?? 0);
  await servers[0]?.order({ kind: "timers", count, spreadMs: 0 });
  for (let waits = 0, fired = 0; waits < 200 && fired < count; waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    fired = (await told("fired")).reduce((sum, each, at) => sum + (each.fired ?? 0) - (before[at] ?? 0), 0);
  }
  return (await told("lateness")).flatMap((each, at) => (each.late ?? []).slice(before[at]));
}
