/** A whole server with one bot at a fake platform, people with linked accounts, and a group. */

import type { User } from "grammy/types";
import type { ChatBot } from "../../channels/chat/bot.ts";
import { telegramPlatform } from "../../channels/telegram/platform.ts";
import type { Notify } from "../../kernel/platform.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { ManualClock } from "../manual-clock.ts";
import { type TestServer, type TestServerOptions, testServer } from "../test-server.ts";
import { TelegramFake, type TelegramMessage } from "./telegram-fake.ts";

export const GROUP = -1001;

export interface TelegramStageOptions extends TestServerOptions {
  readonly bot?: Partial<Pick<ChatBot, "isFull" | "isAlways">>;
  readonly notify?: Partial<Notify>;
  /** Another stage whose platform, people and clock this server shares. */
  readonly beside?: TelegramStage;
}

export interface TelegramStage extends AsyncDisposable {
  readonly at: TestServer;
  readonly fake: TelegramFake;
  readonly ada: User;
  readonly grace: User;
  readonly stranger: User;
  readonly group: ReturnType<TelegramFake["group"]>;
  /** Places a hold as the agent and returns its id. */
  place(body?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The messages of the bot in the group. */
  shown(): readonly TelegramMessage[];
  /** The newest message in the group, once there are this many. */
  nth(count: number): Promise<TelegramMessage>;
  /** Presses a button and waits for what the bot answers. */
  press(user: User, message: TelegramMessage, label: string): Promise<string>;
  /** Waits until the message has no buttons any more. */
  closed(message: TelegramMessage): Promise<string>;
  hold(id: string): Promise<Record<string, unknown>>;
}

const PERSON = { isVerified: true, source: "api", teams: ["finance"], role: "operator" } as const;

/** `ada` and `grace` are the operators of the test server; both are linked. */
export async function telegramStage(options: TelegramStageOptions = {}): Promise<TelegramStage> {
  const { bot = {}, notify = {}, beside, ...rest } = options;
  const clock = beside?.at.clock ?? new ManualClock({ startAt: Date.parse("2026-01-05T10:00:00Z") });
  const fake = beside?.fake ?? (await TelegramFake.start({ now: () => clock.now() }));
  const ada = beside?.ada ?? fake.user(1, "Ada");
  const grace = beside?.grace ?? fake.user(2, "Grace");
  const stranger = beside?.stranger ?? fake.user(3, "Mallory");
  const group = fake.supergroup(GROUP, "Finance", [ada, grace, stranger]);
  for (const user of [ada, grace]) fake.privateChat(user);
  const platform = telegramPlatform({ name: "telegram", token: fake.token, apiUrl: fake.origin, clock });
  const at = await testServer({
    ...rest,
    clock,
    chats: {
      telegram: { name: "telegram", platform, isFull: true, isAlways: false, isByEmail: false, ...bot },
    },
    platform: {
      agentLinks: "never",
      ...rest.platform,
      notify: {
        allow: [],
        channels: { telegram: [String(GROUP)] },
        kinds: { telegram: "telegram" },
        defaultChannel: "telegram",
        ...notify,
      },
    },
  });
  if (beside === undefined) await addPeople(at);
  const stage: TelegramStage = {
    ...{ at, fake, ada, grace, stranger, group },
    async place(body = {}) {
      const asked = { type: "approval", prompt: "Refund 40 EUR?", ...body };
      const placed = await at.call("POST", "/v1/holds", { key: at.keys.agent, body: asked });
      if (placed.status !== 201) throw new Error(`not placed: ${JSON.stringify(placed.body)}`);
      return String(placed.body.id);
    },
    shown: () => fake.fromBot(group),
    async nth(count) {
      await fake.until(() => fake.fromBot(group).length >= count);
      return fake.fromBot(group)[count - 1] as TelegramMessage;
    },
    async press(user, message, label) {
      const answer = await fake.answered(fake.press(user, message, label));
      return answer.text ?? "";
    },
    async closed({ chat, message_id: id }) {
      const now = () => fake.message(chat.id, id);
      await fake.until(() => now()?.reply_markup === undefined);
      return now()?.text ?? "";
    },
    async hold(id) {
      const { body } = await at.call("GET", `/v1/holds/${id}`, { key: at.keys.admin });
      return body as Record<string, unknown>;
    },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      if (beside === undefined) await fake[Symbol.asyncDispose]();
    },
  };
  return stage;
}

async function addPeople({ server: { engine } }: TestServer): Promise<void> {
  const base = { workspace: "default", by: SYSTEM } as const;
  await engine.run({
    ...base,
    kind: "add_team",
    team: { id: "finance", name: "Finance", members: [], source: "api" },
  });
  const people = [
    ["ada", "Ada Lovelace", "1"],
    ["grace", "Grace Hopper", "2"],
  ] as const;
  for (const [id, name, userId] of people) {
    await engine.run({ ...base, kind: "add_person", person: { ...PERSON, id, name } });
    // As a person does it: a code made while signed in, sent to the bot.
    const signedInAt = engine.clock.now();
    const by = { role: "operator", via: "session", id: `session_${id}`, name: id, signedInAt } as const;
    const hash = `code-${id}`;
    await engine.run({ workspace: "default", by, kind: "make_account_code", personId: id, hash });
    const account = { platform: "telegram", userId };
    await engine.run({ ...base, kind: "use_account_code", hash, account });
  }
}

export const labelsOf = (message: TelegramMessage) =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text);

/** What the first button sends. */
export function dataOf({ reply_markup: markup }: TelegramMessage): string {
  const [button] = markup?.inline_keyboard[0] ?? [];
  return button !== undefined && "callback_data" in button ? button.callback_data : "";
}

export async function eventsOf(stage: TelegramStage, id: string) {
  const { body } = await stage.at.call("GET", `/v1/holds/${id}/events`, { key: stage.at.keys.operator });
  return body.events as readonly { readonly type: string; readonly data: Record<string, unknown> }[];
}

/** What the bot wrote to a person, once there are this many messages. */
export async function direct(stage: TelegramStage, user: TelegramStage["ada"], count = 1) {
  const chat = stage.fake.privateChat(user);
  await stage.fake.until(() => stage.fake.fromBot(chat).length >= count);
  return stage.fake.fromBot(chat)[count - 1] as TelegramMessage;
}
