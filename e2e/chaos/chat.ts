/**
 * One bot in front of all servers: a Telegram that nobody kills. Every hold of this load is asked in a group, and answered there
 * by a person who presses once; Telegram delivers the press again until a server has confirmed it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { TelegramFake, type TelegramMessage } from "../../packages/server/src/testing/chat/telegram-fake.ts";
import { call, insist, type LoadOptions, type Promised, type Tally } from "./load.ts";
import { ADMIN, AGENT, OPERATOR } from "./servers.ts";

type User = ReturnType<TelegramFake["user"]>;

const GROUP = -1001;
/** How long a message may keep its buttons after its hold has ended. */
const CLOSE_MS = 60_000;

export interface ChaosChat extends AsyncDisposable {
  /** What the servers need to know of the bot: configuration, and the token under the name that it mentions. */
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  /** Links the person who presses. */
  link(options: LoadOptions): Promise<void>;
  /** Asks in the group and presses, until it is over. */
  load(options: LoadOptions, tally: Tally, worker: number): Promise<void>;
  /** What was pressed and is missing, and messages that still have buttons. */
  check(): Promise<{
    readonly problems: readonly string[];
    readonly messages: number;
    readonly copies: number;
  }>;
}

export async function startChat(): Promise<ChaosChat> {
  const fake = await TelegramFake.start();
  const ada = fake.user(1, "Ada");
  const group = fake.supergroup(GROUP, "Chaos", [ada]);
  const direct = fake.privateChat(ada);
  const asked = new Map<string, Promised>();
  const messagesAbout = (key: string) => fake.fromBot(group).filter(({ text }) => text.includes(`[${key}]`));
  return {
    config: JSON.stringify({
      channels: {
        telegram: {
          ...{ kind: "telegram", token_env: "CHAOS_BOT_TOKEN", api_url: fake.origin },
          ...{ to: [String(GROUP)], show: "full" },
        },
      },
    }),
    env: { CHAOS_BOT_TOKEN: fake.token },
    async link({ servers }) {
      const url = servers[0]?.url() ?? "";
      const send = (method: string, path: string, key: string, body: object) =>
        call(url, path, key, { method, body: JSON.stringify(body) });
      await send("POST", "/v1/people", ADMIN, { id: "ada", name: "Ada" });
      await send("PATCH", "/v1/people/ada", ADMIN, { verified: true });
      const { body } = await send("POST", "/v1/people/ada/account_codes", OPERATOR, {});
      const before = fake.fromBot(direct).length;
      fake.write(ada, direct, String(body["code"]));
      await fake.until(() => fake.fromBot(direct).length > before);
    },
    async load(options, tally, worker) {
      for (let turn = 0; !options.isOver(); turn += 1) {
        const key = `c${worker}:${turn}`;
        const placed = await insist(options, tally, "/v1/holds", AGENT, {
          ...{
            type: "approval",
            prompt: `Ask [${key}] in the group?`,
            key,
            callback_url: options.callbackUrl,
          },
          ladder: [{ after: "0s", channel: "telegram" }],
        });
        const promised: Promised = { id: String(placed.body["id"]), key, action: "approve" };
        tally.promised.push(promised);
        asked.set(key, promised);
        const isDecided = await pressed(fake, ada, () => messagesAbout(key), promised.id, options);
        if (!isDecided) tally.surprises.push(`${promised.id}: a press was lost`);
      }
    },
    async check() {
      const isOpen = (message: TelegramMessage) => message.reply_markup !== undefined;
      await within(CLOSE_MS, () => fake.fromBot(group).filter(isOpen).length === 0);
      // A copy whose reference died with its server is unknown until somebody presses it; the press must close it.
      const copies = fake.fromBot(group).filter(isOpen);
      for (const copy of copies) press(fake, ada, copy);
      await within(CLOSE_MS, () => fake.fromBot(group).filter(isOpen).length === 0);
      const problems = fake
        .fromBot(group)
        .filter(isOpen)
        .map(({ text }) => `a message still has buttons: ${text}`);
      for (const [key, { id }] of asked)
        if (messagesAbout(key).length === 0) problems.push(`${id}: nobody was asked in the group`);
      return { problems, messages: fake.fromBot(group).length, copies: copies.length };
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

/** Presses once. If the message has been closed meanwhile, there is nothing to press. */
function press(fake: TelegramFake, ada: User, message: TelegramMessage): void {
  const [button] = message.reply_markup?.inline_keyboard[0] ?? [];
  if (button !== undefined && "callback_data" in button) fake.pressData(ada, message, button.callback_data);
}

/** When everything is healed, a press must count within this time. */
const PATIENCE_MS = 90_000;

/**
 * Presses every copy of the message once, until the hold is decided: a server may die after it has sent a copy whose reference it
 * could not store, and then only the next one counts.
 */
async function pressed(
  fake: TelegramFake,
  ada: User,
  find: () => readonly TelegramMessage[],
  id: string,
  { servers, random, isOver }: LoadOptions,
): Promise<boolean> {
  const done = new Set<number>();
  let endsAt = Number.POSITIVE_INFINITY;
  while (performance.now() < endsAt) {
    if (isOver()) endsAt = Math.min(endsAt, performance.now() + PATIENCE_MS);
    for (const message of find().filter(({ message_id: copy }) => !done.has(copy))) {
      done.add(message.message_id);
      press(fake, ada, message);
    }
    const url = servers[Math.floor(random() * servers.length)]?.url() ?? "";
    const hold = await call(url, `/v1/holds/${id}?wait=1`, AGENT, {}).catch(() => undefined);
    if (hold?.body["status"] === "decided") return true;
    await sleep(20);
  }
  return false;
}

async function within(ms: number, test: () => boolean): Promise<void> {
  for (const endsAt = performance.now() + ms; !test() && performance.now() < endsAt; ) await sleep(100);
}
