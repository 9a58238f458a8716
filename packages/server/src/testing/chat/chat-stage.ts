/** A whole server with one bot at a platform's fake, two linked people, and two groups. */

import { setImmediate } from "node:timers/promises";
import type { ChatBot } from "../../channels/chat/bot.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { ManualClock } from "../manual-clock.ts";
import { type TestServer, type TestServerOptions, testServer } from "../test-server.ts";
import { type StoreUnderTest, storeUnderTest } from "../test-store.ts";
import type { ChatDriver, Linked, Shown, Where } from "./chat-driver.ts";

export interface ChatStageOptions extends TestServerOptions {
  readonly bot?: Partial<Pick<ChatBot, "isFull" | "isAlways">>;
  /** Another stage whose platform, clock and database this server shares. */
  readonly beside?: ChatStage;
}

export interface ChatStage extends AsyncDisposable {
  readonly at: TestServer;
  readonly chat: ChatDriver;
  readonly data: StoreUnderTest;
  /** Places a hold as the agent and returns its id. Without `to` it goes to the first group. */
  place(body?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The message number `count` in a chat, once it is there. */
  nth(where: Where, count: number): Promise<Shown>;
  /** Moves the clock on in small steps until the condition holds. */
  when(test: () => boolean): Promise<void>;
  /** How the message looks once it has no buttons any more. */
  closed(message: Shown): Promise<string>;
  now(message: Shown): Shown;
  hold(id: string): Promise<Record<string, unknown>>;
  events(id: string): Promise<readonly { readonly type: string; readonly data: Record<string, unknown> }[]>;
}

const START = Date.parse("2026-01-05T10:00:00Z");

export async function chatStage(
  driver: (now: () => number) => Promise<ChatDriver>,
  options: ChatStageOptions = {},
): Promise<ChatStage> {
  const { bot = {}, beside, ...rest } = options;
  const clock = beside?.at.clock ?? new ManualClock({ startAt: START });
  const chat = beside?.chat ?? (await driver(() => clock.now()));
  const data = await (beside === undefined ? storeUnderTest(clock) : beside.data.again());
  if (data.idle !== undefined) clock.waitFor(data.idle);
  const { kind } = chat;
  const platform = chat.platform(clock);
  const at = await testServer({
    ...rest,
    clock,
    store: data.store,
    chats: { [kind]: { name: kind, platform, isFull: true, isAlways: false, isByEmail: false, ...bot } },
    platform: {
      agentLinks: "never",
      ...rest.platform,
      notify: {
        allow: [chat.address("other")],
        channels: { [kind]: [chat.address("group")] },
        kinds: { [kind]: kind },
        defaultChannel: kind,
      },
    },
  });
  if (beside === undefined) await addPeople(at, chat);
  // Both people are told that their account was linked.
  await at.server.sender.idle();
  const stage = stageOf(at, chat, data);
  if (beside === undefined) await stage.when(() => chat.isListening());
  return stage;
}

function stageOf(at: TestServer, chat: ChatDriver, data: StoreUnderTest): ChatStage {
  const now = (message: Shown) => chat.shown().find(({ id }) => id === message.id) ?? message;
  const when = async (test: () => boolean) => {
    for (let turns = 0; !test(); turns += 1) {
      // Mostly the network has to answer; now and then something waits for the clock.
      if (turns % 20 === 19) await at.clock.advance(250);
      await setImmediate();
    }
  };
  return {
    ...{ at, chat, data, now, when },
    async place(body = {}) {
      const asked = { type: "approval", prompt: "Refund 40 EUR?", ...body };
      const placed = await at.call("POST", "/v1/holds", { key: at.keys.agent, body: asked });
      if (placed.status !== 201) throw new Error(`not placed: ${JSON.stringify(placed.body)}`);
      return String(placed.body.id);
    },
    async nth(where, count) {
      await when(() => chat.shown(where).length >= count);
      return chat.shown(where)[count - 1] as Shown;
    },
    async closed(message) {
      await when(() => now(message).buttons.length === 0);
      return now(message).text;
    },
    async hold(id) {
      const { body } = await at.call("GET", `/v1/holds/${id}`, { key: at.keys.operator });
      return body as Record<string, unknown>;
    },
    async events(id) {
      const { body } = await at.call("GET", `/v1/holds/${id}/events`, { key: at.keys.operator });
      return body.events;
    },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await chat[Symbol.asyncDispose]();
    },
  };
}

const NAMES: Readonly<Record<Linked, string>> = { ada: "Ada Lovelace", grace: "Grace Hopper" };

async function addPeople({ server: { engine } }: TestServer, { kind, accounts }: ChatDriver): Promise<void> {
  const base = { workspace: "default", by: SYSTEM } as const;
  const team = { id: "finance", name: "Finance", members: [], source: "api" } as const;
  await engine.run({ ...base, kind: "add_team", team });
  for (const id of ["ada", "grace"] as const) {
    const person = { isVerified: true, source: "api", teams: ["finance"], role: "operator" } as const;
    await engine.run({ ...base, kind: "add_person", person: { ...person, id, name: NAMES[id] } });
    const account = { platform: kind, ...accounts[id] };
    await engine.run({ ...base, kind: "link_account", personId: id, account });
  }
}
