/**
 * `npm run soak -- [--minutes 60] [--streams 1000] [--holds 10000] [--rate n]`: a server process under steady load, at half of the
 * throughput that it reaches at the beginning. Memory and p99 must stay flat and no timer may be late; exits with 1 otherwise.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    streams: { type: "string", default: "1000" },
    holds: { type: "string", default: "10000" },
    rate: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const MAIN = fileURLToPath(new URL("../packages/server/src/cli/main.ts", import.meta.url));
const KEYS = { agent: "soak-agent-key", operator: "soak-operator-key" };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const home = mkdtempSync(join(tmpdir(), "holdpoint-soak-"));
const port = await freePort();
const server: ChildProcess = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "start"], {
  cwd: home,
  stdio: "ignore",
  env: {
    ...process.env,
    HOLDPOINT_PORT: String(port),
    HOLDPOINT_HOME: home,
    HOLDPOINT_API_KEYS: `${KEYS.agent}=agent:soak,${KEYS.operator}=operator:ada`,
  },
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

function call(method: string, path: string, key?: string, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const ASK = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } };

/** One hold from its placing to its answer. */
async function cycle(): Promise<number> {
  const begun = performance.now();
  const placed = await call("POST", "/v1/holds", KEYS.agent, { ...ASK, timeout: "1h" });
  const { id } = JSON.parse(placed.text);
  const answered = await call("POST", `/v1/holds/${id}/answer`, KEYS.operator, { action: "approve" });
  if (placed.status !== 201 || answered.status !== 200)
    throw new Error(`${placed.status} ${answered.status} ${answered.text}`);
  return performance.now() - begun;
}

async function throughput(ms: number): Promise<number> {
  const until = performance.now() + ms;
  let done = 0;
  const worker = async () => {
    for (; performance.now() < until; done += 1) await cycle();
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return (done * 1_000) / ms;
}

/** Kept open until the end; each must still be alive then. */
function follow(): { readonly isOpen: () => boolean; close(): void } {
  let isOpen = false;
  const headers = { authorization: `Bearer ${KEYS.operator}` };
  const sent = request({ host: "127.0.0.1", port, path: "/v1/events", headers }, (reply) => {
    isOpen = reply.statusCode === 200;
    reply.resume().on("close", () => {
      isOpen = false;
    });
  });
  sent.on("error", () => {
    isOpen = false;
  });
  sent.end();
  return { isOpen: () => isOpen, close: () => sent.destroy() };
}

function memoryMiB(): number {
  const pages = Number(readFileSync(`/proc/${server.pid}/statm`, "utf8").split(" ")[1]);
  return (pages * 4_096) / 1024 ** 2;
}

interface Minute {
  readonly cycles: number;
  readonly p50: number;
  readonly p99: number;
  readonly memory: number;
  readonly lateSeconds: number;
}

async function steady(rate: number, ms: number): Promise<Minute> {
  const times: number[] = [];
  const running = new Set<Promise<unknown>>();
  const begun = performance.now();
  for (let n = 0; performance.now() - begun < ms; n += 1) {
    const due = begun + (n * 1_000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
    const one: Promise<unknown> = cycle()
      .then(
        (time) => times.push(time),
        () => failures++,
      )
      .finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const { text } = await call("GET", "/metrics");
  const lateSeconds = Number(/^holdpoint_timers_overdue_seconds (\S+)/m.exec(text)?.[1] ?? 0);
  return { cycles: times.length, p50: at(0.5), p99: at(0.99), memory: memoryMiB(), lateSeconds };
}

let failures = 0;
const wrong: string[] = [];
try {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await call("GET", "/readyz").catch(() => undefined))?.status === 200) break;
    await pause(100);
  }
  const open = Number(values.holds);
  for (let placed = 0; placed < open; placed += 64)
    await Promise.all(
      Array.from({ length: Math.min(64, open - placed) }, () => call("POST", "/v1/holds", KEYS.agent, ASK)),
    );
  const streams = Array.from({ length: Number(values.streams) }, follow);
  await pause(2_000);
  const rate = values.rate === undefined ? (await throughput(5_000)) / 2 : Number(values.rate);
  console.log(
    `${open} open holds, ${streams.length} streams, ${Math.round(rate)} cycles a second for ${minutes} minutes.\n`,
  );
  console.log("| part | cycles | p50 ms | p99 ms | memory MiB | timers late s |\n|---|---|---|---|---|---|");
  const parts = Math.max(4, Math.round(minutes));
  const seen: Minute[] = [];
  for (let part = 1; part <= parts; part += 1) {
    const now = await steady(rate, (minutes * 60_000) / parts);
    seen.push(now);
    const cells = [
      now.cycles,
      now.p50.toFixed(1),
      now.p99.toFixed(1),
      Math.round(now.memory),
      now.lateSeconds,
    ];
    console.log(`| ${part} of ${parts} | ${cells.join(" | ")} |`);
  }
  const quarter = Math.max(1, Math.floor(parts / 4));
  const mean = (of: readonly Minute[], what: "p99" | "memory") =>
    of.reduce((sum, each) => sum + each[what], 0) / of.length;
  // The first part warms up.
  const [early, late] = [seen.slice(1, 1 + quarter), seen.slice(-quarter)];
  if (mean(late, "memory") > 1.25 * mean(early, "memory") + 32) wrong.push("memory grows");
  if (mean(late, "p99") > 2 * mean(early, "p99") + 20) wrong.push("p99 grows");
  if (seen.some(({ lateSeconds }) => lateSeconds > 1)) wrong.push("timers are late");
  if (failures > 0) wrong.push(`${failures} cycles failed`);
  const lost = streams.filter((stream) => !stream.isOpen()).length;
  if (lost > 0) wrong.push(`${lost} streams were lost`);
  for (const stream of streams) stream.close();
} catch (fault) {
  wrong.push(String((fault as Error).stack ?? fault));
} finally {
  agent.destroy();
  server.kill("SIGTERM");
  await Promise.race([new Promise((resolve) => server.once("exit", resolve)), pause(10_000)]);
  rmSync(home, { recursive: true, force: true });
}
console.log(
  wrong.length === 0
    ? "\nheld: memory flat, p99 flat, nothing late, no stream lost"
    : `\nFAILED: ${wrong.join("; ")}`,
);
process.exit(wrong.length === 0 ? 0 : 1);
