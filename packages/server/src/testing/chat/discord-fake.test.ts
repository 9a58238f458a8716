/** discord.js' own clients run their normal calls against the fake, so that the fake cannot lie about Discord. */

import type { APIInteraction, RESTPostAPIChannelMessageJSONBody } from "@discordjs/core";
import {
  API,
  ButtonStyle,
  ComponentType,
  GatewayDispatchEvents,
  InteractionType,
  MessageFlags,
  TextInputStyle,
} from "@discordjs/core";
import { type DiscordAPIError, RateLimitError, REST } from "@discordjs/rest";
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import { expect, test } from "vitest";
import { DiscordFake } from "./discord-fake.ts";

async function stage() {
  let now = Date.UTC(2027, 0, 5);
  const fake = await DiscordFake.start({ now: () => now });
  const rest = new REST({ api: fake.apiUrl, version: "10", retries: 0, rejectOnRateLimit: ["/"] }).setToken(
    fake.token,
  );
  const ada = fake.know(fake.user("ada"));
  return {
    fake,
    rest,
    api: new API(rest),
    ada,
    channel: fake.addChannel("finance"),
    advance: (ms: number) => (now += ms),
  };
}

/** A Gateway client of discord.js', whose interactions the test answers. */
async function connected(
  fake: DiscordFake,
  rest: REST,
  onInteraction: (interaction: APIInteraction) => void,
) {
  let session: SessionInfo | null = null;
  const manager = new WebSocketManager({
    token: fake.token,
    intents: 1 << 12,
    rest,
    retrieveSessionInfo: () => session,
    updateSessionInfo: (_shard, info) => {
      session = info;
    },
    // A real one waits five seconds between two IDENTIFYs.
    buildIdentifyThrottler: () => ({ waitForIdentify: async () => undefined }),
  });
  manager.on(WebSocketShardEvents.Dispatch, (payload) => {
    if (payload.t === GatewayDispatchEvents.InteractionCreate) onInteraction(payload.d);
  });
  manager.on(WebSocketShardEvents.Error, () => undefined);
  manager.on(WebSocketShardEvents.SocketError, () => undefined);
  await manager.connect();
  return { manager, [Symbol.asyncDispose]: async () => void (await manager.destroy()) };
}

const MESSAGE: RESTPostAPIChannelMessageJSONBody = {
  embeds: [{ title: "Refund?", description: "40 EUR" }],
  components: [
    {
      type: ComponentType.ActionRow,
      components: [
        { type: ComponentType.Button, style: ButtonStyle.Success, label: "Approve", custom_id: "a" },
        { type: ComponentType.Button, style: ButtonStyle.Danger, label: "Reject", custom_id: "r" },
      ],
    },
  ],
  allowed_mentions: { parse: [] },
};

const MODAL = {
  title: "Reject",
  custom_id: "why",
  components: [
    {
      type: ComponentType.Label as const,
      label: "Reason",
      component: {
        type: ComponentType.TextInput as const,
        custom_id: "reason",
        style: TextInputStyle.Paragraph,
      },
    },
  ],
};

async function errorOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as DiscordAPIError,
  );
  return `${error?.status} ${error?.code} ${error?.message}`;
}

test("discord.js' REST client sends, edits, finds and writes to people", async () => {
  const { fake, api, channel, ada } = await stage();
  await using _ = fake;
  expect((await api.users.getCurrent()).id).toBe(fake.bot.id);
  const sent = await api.channels.createMessage(channel.id, { ...MESSAGE, nonce: "n1", enforce_nonce: true });
  const again = await api.channels.createMessage(channel.id, {
    ...MESSAGE,
    nonce: "n1",
    enforce_nonce: true,
  });
  expect(again.id).toBe(sent.id);
  await api.channels.editMessage(channel.id, sent.id, {
    content: "Approved by Ada",
    embeds: [],
    components: [],
  });
  expect(fake.in(channel)).toMatchObject([{ content: "Approved by Ada", components: [], edited: true }]);
  const direct = await api.users.createDM(ada.id);
  await api.channels.createMessage(direct.id, { content: "Only you" });
  expect(fake.in(fake.directMessages(ada))[0]?.content).toBe("Only you");
});

test("a press reaches the Gateway client and is answered once, within three seconds", async () => {
  const { fake, api, rest, channel, ada, advance } = await stage();
  await using _ = fake;
  const seen: APIInteraction[] = [];
  let come = Promise.withResolvers<APIInteraction>();
  await using _client = await connected(fake, rest, (interaction) => {
    seen.push(interaction);
    come.resolve(interaction);
  });
  await api.channels.createMessage(channel.id, MESSAGE);
  const message = fake.in(channel)[0];
  if (message === undefined) throw new Error("nothing was sent");
  const press = fake.press(ada, message, "Reject");
  const got = await come.promise;
  expect(got).toMatchObject({
    type: InteractionType.MessageComponent,
    data: { custom_id: "r" },
    message: { id: message.id },
    member: { user: { id: ada.id } },
  });
  await api.interactions.reply(got.id, got.token, { content: "Not yours", flags: MessageFlags.Ephemeral });
  expect((await fake.answered(press)).data["flags"]).toBe(64);
  expect(await errorOf(api.interactions.deferMessageUpdate(got.id, got.token))).toMatch(/^400 40060/);
  await api.interactions.followUp(fake.bot.id, got.token, { content: "More", flags: MessageFlags.Ephemeral });
  expect(press.followups).toHaveLength(1);
  come = Promise.withResolvers();
  fake.press(ada, message, "Approve");
  const late = await come.promise;
  advance(3001);
  expect(await errorOf(api.interactions.deferMessageUpdate(late.id, late.token))).toMatch(/^404 10062/);
});

test("a modal opens, its submission comes back with the values", async () => {
  const { fake, api, rest, channel, ada } = await stage();
  await using _ = fake;
  let come = Promise.withResolvers<APIInteraction>();
  await using _client = await connected(fake, rest, (interaction) => come.resolve(interaction));
  await api.channels.createMessage(channel.id, MESSAGE);
  const message = fake.in(channel)[0];
  if (message === undefined) throw new Error("nothing was sent");
  const press = fake.press(ada, message, "Reject");
  const got = await come.promise;
  await api.interactions.createModal(got.id, got.token, MODAL);
  come = Promise.withResolvers();
  const submitted = fake.submit(ada, press, { reason: "Too much" });
  const modal = await come.promise;
  expect(modal).toMatchObject({
    type: InteractionType.ModalSubmit,
    data: { custom_id: "why", components: [{ component: { custom_id: "reason", value: "Too much" } }] },
  });
  await api.interactions.deferMessageUpdate(modal.id, modal.token);
  expect((await fake.answered(submitted)).type).toBe(6);
});

test("a lost connection is resumed and what was missed is replayed; an invalid session is identified again", async () => {
  const { fake, api, rest, channel, ada } = await stage();
  await using _ = fake;
  let come = Promise.withResolvers<APIInteraction>();
  await using client = await connected(fake, rest, (interaction) => come.resolve(interaction));
  await api.channels.createMessage(channel.id, MESSAGE);
  const message = fake.in(channel)[0];
  if (message === undefined) throw new Error("nothing was sent");
  const resumed = new Promise((resolve) => client.manager.once(WebSocketShardEvents.Resumed, resolve));
  fake.gateway.askToReconnect();
  await fake.until(() => fake.gateway.count === 0);
  const missed = fake.press(ada, message, "Approve");
  expect((await come.promise).id).toBe(missed.id);
  await resumed;
  expect(fake.gateway.logins).toEqual(["identify", "resume"]);
  come = Promise.withResolvers();
  const ready = new Promise((resolve) => client.manager.once(WebSocketShardEvents.Ready, resolve));
  fake.gateway.invalidate(false);
  await ready;
  expect(fake.gateway.logins).toEqual(["identify", "resume", "identify"]);
});

test("limits are Discord's, and name the place", async () => {
  const { fake, api, channel } = await stage();
  await using _ = fake;
  const row = (...components: readonly object[]) => ({ components: [{ type: 1, components }] });
  const button = (more: object) => ({ type: 2, style: 1, label: "x", custom_id: "x", ...more });
  const post = (body: object) => errorOf(api.channels.createMessage(channel.id, { content: "x", ...body }));
  expect(await post({ content: "x".repeat(2001) })).toMatch(
    /^400 50035 Invalid Form Body\ncontent\[BASE_TYPE_MAX_LENGTH\]/,
  );
  expect(await post({ embeds: [{ description: "x".repeat(4097) }] })).toMatch(/embeds\[0\].description/);
  expect(await post(row(button({ custom_id: "x".repeat(101) })))).toMatch(
    /custom_id\[BASE_TYPE_MAX_LENGTH\]/,
  );
  expect(await post(row(button({ label: "x".repeat(81) })))).toMatch(/label\[BASE_TYPE_MAX_LENGTH\]/);
  expect(await post(row(button({}), button({})))).toMatch(/COMPONENT_CUSTOM_ID_DUPLICATED/);
  expect(await post(row(...[1, 2, 3, 4, 5, 6].map((n) => button({ custom_id: `${n}` }))))).toMatch(
    /between 1 and 5/,
  );
  const options = Array.from({ length: 26 }, (_none, n) => ({ label: "x", value: `${n}` }));
  expect(await post(row({ type: 3, custom_id: "s", options }))).toMatch(/between 1 and 25/);
  expect(await post({ content: "" })).toMatch(/^400 50006/);
  expect(await errorOf(api.channels.createMessage("123", { content: "x" }))).toMatch(
    /^404 10003 Unknown Channel/,
  );
  expect(await errorOf(api.channels.editMessage(channel.id, "123", { content: "x" }))).toMatch(/^404 10008/);
});

test("429 carries its delay, and a wrong token 401, as discord.js reads them", async () => {
  const { fake, api, channel } = await stage();
  await using _ = fake;
  fake.fail("POST /channels/:id/messages", {
    kind: "reply",
    reply: {
      status: 429,
      headers: {
        "retry-after": "2",
        "x-ratelimit-scope": "user",
        "x-ratelimit-reset-after": "1.5",
        "x-ratelimit-remaining": "0",
      },
      body: { message: "You are being rate limited.", retry_after: 1.5, global: false },
    },
  });
  const error = await api.channels
    .createMessage(channel.id, { content: "x" })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect((error as RateLimitError).retryAfter).toBeGreaterThanOrEqual(2000);
  const stranger = new API(new REST({ api: fake.apiUrl, retries: 0 }).setToken("wrong"));
  expect(await errorOf(stranger.users.getCurrent())).toMatch(/^401 0/);
});
