/**
 * `npm run soak -- [--minutes 60] [--streams 1000] [--everything 10] [--holds 10000] [--rate n]`: a server process under steady load, at
 * half of the throughput that it reaches with the same streams and open holds. Memory and p99 must stay flat, holds must expire on time,
 * and every stream must be sent what it follows; exits with 1 otherwise. `--everything` of the streams follow all events, as consoles
 * do; each of the others follows one open hold, as an agent that waits does.
 */

import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { KEYS, SoakServer } from "./soak/server.ts";
import { allOpen, Expiries, follow, type Stream } from "./soak/streams.ts";
import { faultsOf, type Part } from "./soak/verdict.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    streams: { type: "string", default: "1000" },
    everything: { type: "string", default: "10" },
    holds: { type: "string", default: "10000" },
    rate: { type: "string" },
  },
});
const ASK = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } };
/** Holds that expire: this many a second, each after so long. */
const EXPIRING = { perSecond: 5, timeout: "5s" };
const PART_MAX_MS = 60_000;
/** Longer than a hold takes to expire. */
const SETTLE_MS = 8_000;

let failures = 0;
const failed = (fault: unknown) => {
  failures += 1;
  if (failures <= 3) console.log(`  ${(fault as Error).message}`);
};

/** One hold from its placing to its answer; milliseconds since it was due. */
async function cycle(server: SoakServer, due: number): Promise<number> {
  const placed = await server.call("POST", "/v1/holds", KEYS.agent, { ...ASK, timeout: "1h" });
  if (placed.status !== 201) throw new Error(`place: ${placed.status} ${placed.text}`);
  const { id } = JSON.parse(placed.text) as { readonly id: string };
  const path = `/v1/holds/${id}/answer`;
  const answered = await server.call("POST", path, KEYS.operator, { action: "approve" });
  if (answered.status !== 200) throw new Error(`answer: ${answered.status} ${answered.text}`);
  return performance.now() - due;
}

async function throughput(server: SoakServer, ms: number): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const worker = async () => {
    for (; performance.now() - begun < ms; done += 1) await cycle(server, 0);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return (done * 1_000) / (performance.now() - begun);
}

async function placeOpen(server: SoakServer, count: number): Promise<readonly string[]> {
  const place = async () => {
    const { status, text } = await server.call("POST", "/v1/holds", KEYS.agent, ASK);
    if (status !== 201) throw new Error(`place: ${status} ${text}`);
    return (JSON.parse(text) as { readonly id: string }).id;
  };
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(64, count - ids.length) }, place))));
  return ids;
}

/** Decides every hold that a stream follows, and gives the streams that were not sent everything. */
async function shortStreams(server: SoakServer, streams: readonly Stream[]): Promise<number> {
  for (const { holdId } of streams)
    if (holdId !== undefined)
      await server.call("POST", `/v1/holds/${holdId}/answer`, KEYS.operator, { action: "approve" });
  await pause(SETTLE_MS);
  const most = Math.max(...streams.map((stream) => stream.bytes()));
  const isShort = (stream: Stream) =>
    stream.holdId === undefined ? stream.bytes() < 0.99 * most : !stream.hasDecision();
  return streams.filter((stream) => stream.isOpen() && isShort(stream)).length;
}

/** Starts what is due, whether or not what was started before has ended. */
async function atRate(rate: number, ms: number, start: (due: number) => Promise<unknown>): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const begun = performance.now();
  for (let n = 0; n < (rate * ms) / 1_000; n += 1) {
    const due = begun + (n * 1_000) / rate;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    const one: Promise<unknown> = start(due).then(undefined, failed);
    running.add(one);
    void one.finally(() => running.delete(one));
  }
  await Promise.all(running);
}

async function steady(server: SoakServer, expiries: Expiries, rate: number, ms: number): Promise<Part> {
  const times: number[] = [];
  await Promise.all([
    atRate(rate, ms, async (due) => times.push(await cycle(server, due))),
    atRate(EXPIRING.perSecond, ms, () => expiries.place(ASK, EXPIRING.timeout)),
  ]);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const late = expiries.taken();
  return {
    ...{ cycles: times.length, p50: at(0.5), p99: at(0.99), memoryMiB: server.memoryMiB() },
    ...{ expired: late.length, latestMs: Math.max(0, ...late) },
  };
}

function row(part: number, parts: number, seen: Part): string {
  const { cycles, p50, p99, memoryMiB, expired, latestMs } = seen;
  const cells = [cycles, p50.toFixed(1), p99.toFixed(1), Math.round(memoryMiB), expired, latestMs];
  return `| ${part} of ${parts} | ${cells.join(" | ")} |`;
}

async function openHolds(server: SoakServer): Promise<number> {
  const { text } = await server.call("GET", "/metrics");
  return Number(/^holdpoint_holds\{[^}]*status="open"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0);
}

async function soak(server: SoakServer, streams: Stream[]): Promise<readonly string[]> {
  const [minutes, wantedHolds] = [Number(values.minutes), Number(values.holds)];
  console.log(`Placing ${wantedHolds} holds and opening ${values.streams} streams …`);
  const ids = await placeOpen(server, wantedHolds);
  const [all, everything] = [Number(values.streams), Number(values.everything)];
  for (let n = 0; n < all; n += 1)
    streams.push(follow(server, n < everything ? undefined : ids[n % ids.length]));
  await allOpen(streams);
  const expiries = new Expiries(server);
  console.log("Measuring the throughput …");
  // A server that has just started is slower than it will be.
  await throughput(server, 15_000);
  const rate = values.rate === undefined ? (await throughput(server, 5_000)) / 2 : Number(values.rate);
  const parts = Math.max(12, Math.ceil((minutes * 60_000) / PART_MAX_MS));
  const partMs = (minutes * 60_000) / parts;
  console.log(`${Math.round(rate)} cycles a second for ${minutes} minutes.\n`);
  console.log("| part | cycles | p50 ms | p99 ms | memory MiB | expired | the latest, ms |");
  console.log("|---|---|---|---|---|---|---|");
  const seen: Part[] = [];
  for (let part = 1; part <= parts; part += 1) {
    seen.push(await steady(server, expiries, rate, partMs));
    console.log(row(part, parts, seen.at(-1) as Part));
  }
  await pause(SETTLE_MS);
  const ending = {
    ...{ failures, missing: expiries.missing(), openHolds: await openHolds(server), wantedHolds },
    lostStreams: streams.filter((stream) => !stream.isOpen()).length,
    shortStreams: await shortStreams(server, streams),
  };
  expiries.close();
  return faultsOf(seen, ending, Math.floor((rate * partMs) / 1_000) * parts);
}

const streams: Stream[] = [];
let faults: readonly string[];
try {
  await using server = await SoakServer.start();
  try {
    faults = await soak(server, streams);
  } finally {
    for (const stream of streams) stream.close();
  }
} catch (fault) {
  faults = [String((fault as Error).stack ?? fault)];
}
console.log(
  faults.length === 0
    ? "\nheld: memory flat, p99 flat, nothing late, every stream was sent what it follows"
    : `\nFAILED: ${faults.join("; ")}`,
);
process.exit(faults.length === 0 ? 0 : 1);
