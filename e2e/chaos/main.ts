/**
 * `npm run chaos -- [--seconds 60] [--seed 1]`: three servers over one PostgreSQL under constant load, while they are killed
 * and paused, the database is restarted and connections are cut. Part of the load is asked and answered in a chat, by one bot for
 * all three. Then all is healed and everything that was ever acknowledged or pressed is looked for. Exit code 1 when anything is
 * missing, doubled or broken, or a message in the chat still has buttons a minute after its hold has ended.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect, parseArgs } from "node:util";
import { startChat } from "./chat.ts";
import { atRest, check } from "./check.ts";
import { load, newTally } from "./load.ts";
import { type Chaos, startChaos } from "./servers.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const WORKERS = 10;
const CHAT_WORKERS = 4;
/** Longer than any claim on a timer and than the database lets a session stand idle in a transaction. */
const PAUSE_MS = 7_000;

let state = Number(values.seed);
function random(): number {
  state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return state / 2 ** 32;
}

function say(what: unknown): void {
  process.stdout.write(`${typeof what === "string" ? what : inspect(what)}\n`);
}

const received = new Map<string, number>();
const receiver = createServer((request, response) => {
  const id = String(request.headers["webhook-id"]);
  received.set(id, (received.get(id) ?? 0) + 1);
  request.resume();
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", () => resolve()));
const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

const faults: Readonly<Record<string, (chaos: Chaos) => Promise<void>>> = {
  async "kill -9"({ servers }) {
    const server = servers[Math.floor(random() * servers.length)];
    await server?.kill();
    await server?.start();
  },
  async pause({ servers }) {
    const server = servers[Math.floor(random() * servers.length)];
    server?.signal("SIGSTOP");
    await sleep(PAUSE_MS);
    server?.signal("SIGCONT");
  },
  async "database restart"({ cluster }) {
    await cluster.stop("SIGINT");
    await cluster.start();
  },
  "cut listeners": (chaos) => chaos.cutConnections("LISTEN%"),
  "cut all connections": (chaos) => chaos.cutConnections("%"),
};

const chat = await startChat();
const chaos = await startChaos(3, chat);
let isOver = false;
const happened: Record<string, number> = {};
let exitCode = 1;
try {
  const tally = newTally();
  const options = { servers: chaos.servers, callbackUrl, random, isOver: () => isOver };
  await chat.link(options);
  const loading = Promise.all([
    load(options, WORKERS, tally),
    ...Array.from({ length: CHAT_WORKERS }, (_, worker) => chat.load(options, tally, worker)),
  ]);
  const endsAt = performance.now() + Number(values.seconds) * 1_000;
  const names = Object.keys(faults);
  for (let turn = 0; performance.now() < endsAt; turn += 1) {
    await sleep(1_000 + random() * 1_000);
    // Each in turn at first, so that a short run sees them all.
    const name = names[turn < names.length ? turn : Math.floor(random() * names.length)] ?? "";
    await faults[name]?.(chaos);
    happened[name] = (happened[name] ?? 0) + 1;
  }
  isOver = true;
  await loading;
  // A message that a killed server had claimed comes back when its claim runs out.
  const rested = await atRest(chaos.databaseUrl, 90_000);
  const inChat = await chat.check();
  const found = await check(chaos.databaseUrl, tally.promised, received);
  const problems = [
    ...found.problems,
    ...inChat.problems,
    ...tally.surprises,
    ...(rested ? [] : ["it did not come to rest"]),
  ];
  const twice = [...received.values()].filter((times) => times > 1).length;
  say(happened);
  say({
    acknowledged: tally.acknowledged,
    "failed requests": tally.failed,
    holds: found.holds,
    "heard across servers": tally.heard,
    events: found.events,
    checkpoints: found.checkpoints,
    messages: found.messages,
    "messages received twice": twice,
    "messages in the chat": inChat.messages,
    "copies that a press closed": inChat.copies,
  });
  for (const problem of problems.slice(0, 20)) say(`PROBLEM ${problem}`);
  say(problems.length === 0 ? "nothing lost, nothing doubled, chains intact" : `${problems.length} problems`);
  exitCode = problems.length === 0 ? 0 : 1;
} finally {
  isOver = true;
  await chaos[Symbol.asyncDispose]();
  await chat[Symbol.asyncDispose]();
  receiver.close();
}
process.exit(exitCode);
