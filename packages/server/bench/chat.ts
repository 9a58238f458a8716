/**
 * Chats: how long a press takes until it is committed, and from then until every message about the hold is closed; and whether a
 * thousand holds for ten chats all arrive, in order, under Telegram's rate limits. The platform is the fake of the tests, in this
 * process; the server is a process of its own. The limits are measured with a clock that the bench moves: by a real one they
 * take five minutes.
 */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { telegramPlatform } from "../src/channels/telegram/platform.ts";
import { TelegramFake, type TelegramMessage } from "../src/testing/chat/telegram-fake.ts";
import { ManualClock } from "../src/testing/manual-clock.ts";
import { testServer } from "../src/testing/test-server.ts";
import { type Child, discard, startChild } from "./child.ts";
import { percentiles, type Wire, wireTo } from "./load.ts";
import type { Result } from "./result.ts";

const CHATS = 10;
const COPIES = 3;
const TOKEN_NAME = "HOLDPOINT_BENCH_BOT_TOKEN";
/** What Telegram lets a bot send. */
const LIMITS = { perSecond: 30, perChatPerSecond: 1, perGroupPerMinute: 20 } as const;

export async function measureChat(quick: boolean): Promise<readonly Result[]> {
  return [...(await measurePresses(quick ? 40 : 300)), await measureFlood(quick ? 200 : 1_000)];
}

async function measurePresses(count: number): Promise<readonly Result[]> {
  const fake = await TelegramFake.start();
  const groups = groupsOf(fake);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-chat-"));
  const channel = { kind: "telegram", token_env: TOKEN_NAME, api_url: fake.origin, to: groups, show: "full" };
  writeFileSync(join(folder, "holdpoint.yaml"), JSON.stringify({ channels: { telegram: channel } }));
  process.env[TOKEN_NAME] = fake.token;
  const child = await startChild("holdpoint", folder);
  const wire = wireTo(child);
  try {
    await linkAda(fake, child, wire);
    const committed: number[] = [];
    const closed: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const times = await pressOnce(fake, wire, n, groups);
      committed.push(times.committed);
      closed.push(times.closed);
    }
    const line = (name: string, values: readonly number[]): Result => {
      const { p50, p99 } = percentiles(values);
      return { name, value: p50, unit: "ms", p50, p99 };
    };
    return [
      line("chat, press to committed", committed),
      line(`chat, committed to ${COPIES} messages closed`, closed),
    ];
  } finally {
    wire.close();
    await child.stop();
    await fake[Symbol.asyncDispose]();
    discard(folder);
  }
}

function groupsOf(fake: TelegramFake): readonly string[] {
  const ada = fake.user(1, "Ada");
  return Array.from({ length: CHATS }, (_, n) => String(fake.supergroup(-1001 - n, `Group ${n}`, [ada]).id));
}

/** As `holdpoint connect` does it: a code for the person, sent to the bot. */
async function linkAda(fake: TelegramFake, child: Child, wire: Wire): Promise<void> {
  const made = JSON.parse(await wire.call("POST", "/v1/keys", { role: "operator", name: "ada" }));
  await wire.call("PATCH", "/v1/people/ada", { verified: true });
  const own = wireTo({ url: child.url, key: made.secret });
  const { code } = JSON.parse(await own.call("POST", "/v1/people/ada/account_codes"));
  own.close();
  const ada = fake.user(1, "Ada");
  const direct = fake.privateChat(ada);
  fake.write(ada, direct, code);
  await fake.until(() => fake.fromBot(direct).length > 0);
}

async function pressOnce(fake: TelegramFake, wire: Wire, n: number, groups: readonly string[]) {
  const prompt = `Refund order ${n}?`;
  const ladder = Array.from({ length: COPIES }, (_, copy) => ({
    ...{ after: "0s", channel: "telegram", to: groups[(n + copy) % CHATS] },
  }));
  const { id } = JSON.parse(await wire.call("POST", "/v1/holds", { type: "approval", prompt, ladder }));
  const shown = () => fake.fromBot().filter(({ text }) => text.includes(prompt));
  await fake.until(() => shown().length === COPIES);
  const waiting = wire.call("GET", `/v1/holds/${id}?wait=30`);
  // The press must not overtake the question that hears of it.
  await setImmediate();
  const pressedAt = performance.now();
  fake.press(fake.user(1, "Ada"), shown()[0] as TelegramMessage, "Approve");
  const hold = JSON.parse(await waiting);
  if (hold.status !== "decided") throw new Error(`the press did not count: ${JSON.stringify(hold)}`);
  const committedAt = performance.now();
  await fake.until(() => shown().every(({ reply_markup: buttons }) => buttons === undefined));
  return { committed: committedAt - pressedAt, closed: performance.now() - committedAt };
}

async function measureFlood(count: number): Promise<Result> {
  const clock = new ManualClock();
  const fake = await TelegramFake.start({ now: () => clock.now() });
  const groups = groupsOf(fake);
  fake.limits = LIMITS;
  const platform = telegramPlatform({ name: "telegram", token: fake.token, apiUrl: fake.origin, clock });
  const bot = { name: "telegram", platform, isFull: true, isAlways: false, isByEmail: false };
  const notify = { allow: [], channels: { telegram: groups }, kinds: { telegram: "telegram" } };
  const at = await testServer({ clock, chats: { telegram: bot }, platform: { notify } });
  const startedAt = clock.now();
  try {
    for (let n = 0; n < count; n += 1) {
      const ladder = [{ after: "0s", channel: "telegram", to: groups[n % CHATS] }];
      const body = { type: "approval", prompt: `Ask ${n}?`, ladder };
      await at.call("POST", "/v1/holds", { key: at.keys.agent, body });
      await clock.advance(1);
    }
    while (fake.fromBot().length < count) {
      await at.server.sender.idle();
      await clock.advance(250);
    }
    const seconds = (clock.now() - startedAt) / 1_000;
    const wrong = disorder(fake, count);
    return {
      ...{ name: `chat, ${count} holds to ${CHATS} chats under the limits (moved clock)`, value: seconds },
      ...{ unit: "s", aim: "none lost, doubled or reordered", met: wrong === 0 },
    };
  } finally {
    await at[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  }
}

/** Messages that are missing, came twice or stand after a later one in their chat. */
function disorder(fake: TelegramFake, count: number): number {
  const byChat = Map.groupBy(fake.fromBot(), ({ chat }) => chat.id);
  const numbers = [...byChat.values()].map((messages) =>
    messages.map(({ text }) => Number(/Ask (\d+)\?/.exec(text)?.[1])),
  );
  const reordered = numbers.flatMap((list) =>
    list.filter((n, at) => at > 0 && n <= (list[at - 1] ?? 0)),
  ).length;
  return reordered + Math.abs(count - new Set(numbers.flat()).size) + (fake.fromBot().length - count);
}
