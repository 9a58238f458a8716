import { setImmediate } from "node:timers/promises";
import type { Card, CardQuestion } from "@holdpoint/protocol/chat";
import { expect, onTestFinished, test } from "vitest";
import { DiscordFake } from "../../testing/chat/discord-fake.ts";
import type { DiscordMessage } from "../../testing/chat/discord-shapes.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import type { ChatAnswer, ChatFailure, ChatReply, DirectText, Press } from "../chat/platform.ts";
import { discordPlatform } from "./discord.ts";

const CARD: Card = {
  title: "Approval needed",
  askedBy: "billing-agent",
  prompt: "Refund 40 EUR to @everyone and [Bob](https://evil.example)?",
  blocks: [{ label: "Change", style: "diff", text: "- 10\n+ 40 ```" }],
  notes: ["One value is not shown here."],
  expiresAt: Date.UTC(2027, 0, 1),
  state: { kind: "open" },
  buttons: [
    { id: "m1:0", label: "Approve", style: "primary" },
    { id: "m1:1", label: "Reject", style: "danger" },
  ],
};

const QUESTION: CardQuestion = {
  id: "q1",
  title: "Reject",
  text: "Why do you reject it?",
  fields: [
    { key: "reason", label: "Reason", kind: "text", isRequired: true },
    {
      key: "kind",
      label: "Kind",
      kind: "choice",
      isRequired: false,
      options: [{ id: "fraud", label: "Fraud" }],
    },
  ],
  submit: "Reject",
  buttons: [],
};

async function stage() {
  const clock = new ManualClock();
  const fake = await DiscordFake.start({ now: () => clock.now() });
  const ada = fake.know(fake.user("Ada"));
  const finance = fake.addChannel("finance");
  const discord = discordPlatform({ name: "discord", clock, token: fake.token, apiUrl: fake.apiUrl });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  return { clock, fake, ada, finance, discord };
}

type Stage = Awaited<ReturnType<typeof stage>>;

interface Handled {
  readonly presses: Press[];
  readonly replies: ChatReply[];
  readonly directs: DirectText[];
  readonly states: ("connected" | ChatFailure)[];
  answer: (to: Press | ChatReply | DirectText) => Promise<ChatAnswer>;
  readonly ended: Promise<void>;
  stop: () => Promise<void>;
}

/** Moves the clock on in steps, so that sockets and timers take turns, until the condition holds. */
async function advanceUntil({ clock }: Stage, test: () => boolean): Promise<void> {
  while (!test()) {
    await clock.advance(250);
    await setImmediate();
  }
}

function start({ discord }: Stage): Handled {
  const stop = new AbortController();
  const seen = { presses: [] as Press[], replies: [] as ChatReply[], directs: [] as DirectText[] };
  const states: Handled["states"] = [];
  const handled = { answer: async (): Promise<ChatAnswer> => ({ kind: "done" }) } as unknown as Handled;
  const handlers = {
    onPress: (press: Press) => {
      seen.presses.push(press);
      return handled.answer(press);
    },
    onReply: (reply: ChatReply) => {
      seen.replies.push(reply);
      return handled.answer(reply);
    },
    onDirect: (text: DirectText) => {
      seen.directs.push(text);
      return handled.answer(text);
    },
    onAsked: async () => undefined,
    onState: (state: "connected" | ChatFailure) => states.push(state),
  };
  const ended = discord.listen(handlers, stop.signal);
  const stopNow = async () => {
    stop.abort();
    await ended;
  };
  return Object.assign(handled, { ...seen, states, ended, stop: stopNow });
}

/** Listens until the test ends. */
async function listening(all: Stage): Promise<Handled> {
  const handled = start(all);
  onTestFinished(() => handled.stop());
  await advanceUntil(all, () => handled.states.includes("connected"));
  return handled;
}

async function sent({ discord, fake, finance }: Stage, card = CARD): Promise<DiscordMessage> {
  const result = await discord.send(
    card,
    { kind: "chat", chat: finance.id },
    { key: `key ${fake.messages.length}` },
  );
  expect(result).toMatchObject({ kind: "ok", value: { chat: finance.id } });
  return fake.in(finance).at(-1) as DiscordMessage;
}

test("a card becomes an embed in which an agent's text cannot be markup, a mention or a hidden link (P6)", async () => {
  const all = await stage();
  const message = await sent(all);
  const description = String(message.embeds[0]?.["description"]);
  expect(description).toContain("Refund 40 EUR to \\@everyone and \\[Bob\\]\\(https://evil.example\\)?");
  expect(description).toContain("```diff\n- 10\n+ 40 `\u200b`\u200b`\n```");
  expect(all.fake.callsOf("POST /channels/:id/messages")[0]?.params).toMatchObject({
    allowed_mentions: { parse: [] },
  });
});

test("a card that is too long for an embed does not fit, and nothing of it is sent (P5)", async () => {
  const { discord, finance, fake } = await stage();
  const long = { ...CARD, prompt: "x".repeat(4000) };
  expect(discord.fits(long)).toBe(false);
  expect(await discord.send(long, { kind: "chat", chat: finance.id }, { key: "k" })).toMatchObject({
    error: "does_not_fit",
  });
  expect(fake.messages).toEqual([]);
});

test("sending the same delivery again makes no second message", async () => {
  const { discord, finance, fake } = await stage();
  fake.fail("POST /channels/:id/messages", { kind: "drop", after: true });
  const target = { kind: "chat", chat: `<#${finance.id}>` } as const;
  expect(await discord.send(CARD, target, { key: "k" })).toMatchObject({ kind: "failed", retry: true });
  const again = await discord.send(CARD, target, { key: "k" });
  expect(fake.in(finance)).toHaveLength(1);
  expect(again).toMatchObject({ value: { message: fake.in(finance)[0]?.id } });
});

test("closing edits the message and takes its buttons; a deleted message counts as closed", async () => {
  const all = await stage();
  const message = await sent(all);
  const state = { kind: "closed", ending: "refused", text: "Rejected by Ada" } as const;
  const closed: Card = { ...CARD, buttons: [], state };
  expect(await all.discord.edit({ chat: all.finance.id, message: message.id }, closed)).toMatchObject({
    kind: "ok",
  });
  expect(message.components).toEqual([]);
  expect(String(message.embeds[0]?.["description"])).toContain("**⛔ Rejected by Ada**");
  expect(await all.discord.edit({ chat: all.finance.id, message: "123456" }, closed)).toMatchObject({
    kind: "ok",
  });
});

test("failures are codes, a limit is kept to, and a limit of the whole bot stops every call (P1)", async () => {
  const { discord, fake, finance, ada, clock } = await stage();
  const chat = { kind: "chat", chat: finance.id } as const;
  const person = { kind: "account", userId: ada.id } as const;
  const limit = (global: boolean) =>
    fake.fail("POST /channels/:id/messages", {
      kind: "reply",
      reply: { status: 429, body: { message: "You are being rate limited.", retry_after: 1.5, global } },
    });
  limit(false);
  const limited = { error: "rate_limited", retryAfterMs: 1500, retry: true };
  expect(await discord.send(CARD, chat, { key: "1" })).toMatchObject(limited);
  expect(await discord.send(CARD, chat, { key: "1" })).toMatchObject(limited);
  expect(fake.callsOf("POST /channels/:id/messages")).toHaveLength(1);
  expect(await discord.send(CARD, person, { key: "2" })).toMatchObject({ kind: "ok" });
  await clock.advance(1500);
  limit(true);
  expect(await discord.send(CARD, chat, { key: "1" })).toMatchObject(limited);
  expect(await discord.send(CARD, person, { key: "3" })).toMatchObject(limited);
  await clock.advance(1500);
  fake.closedDoors.add(ada.id);
  expect(await discord.send(CARD, person, { key: "4" })).toMatchObject({
    error: "bot_blocked",
    retry: false,
  });
  fake.forbidden.add(finance.id);
  expect(await discord.send(CARD, chat, { key: "5" })).toMatchObject({ error: "not_in_chat", retry: false });
  expect(await discord.send(CARD, { kind: "chat", chat: "#finance" }, { key: "6" })).toMatchObject({
    error: "chat_not_found",
  });
  fake.token = "another";
  expect(await discord.identify()).toMatchObject({ error: "bad_token", retry: false });
});

test("a press is answered after its handler has resolved (P2), and names message and presser", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const commit = Promise.withResolvers<ChatAnswer>();
  const come = Promise.withResolvers<void>();
  handled.answer = () => {
    come.resolve();
    return commit.promise;
  };
  const press = all.fake.press(all.ada, message, "Approve");
  await come.promise;
  expect(press.callback).toBeUndefined();
  commit.resolve({ kind: "done" });
  expect(await all.fake.answered(press)).toMatchObject({ type: 6 });
  const ref = { chat: all.finance.id, message: message.id };
  expect(handled.presses).toEqual([
    { id: press.id, button: "m1:0", message: ref, by: { userId: all.ada.id, name: "Ada" } },
  ]);
});

test("the same press again has the same id (P3), in a direct chat too, and a bot is marked", async () => {
  const all = await stage();
  await all.discord.send(CARD, { kind: "account", userId: all.ada.id }, { key: "k" });
  const message = all.fake.in(all.fake.directMessages(all.ada))[0] as DiscordMessage;
  const handled = await listening(all);
  const press = all.fake.press(all.ada, message, "Approve");
  all.fake.again(press);
  await all.fake.answered(press);
  const robot = all.fake.press(all.fake.user("robot", { bot: true }), message, "Approve");
  await all.fake.answered(robot);
  const ids = handled.presses.map(({ id }) => id);
  expect(ids).toEqual([press.id, press.id, robot.id]);
  expect(handled.presses[2]?.by.isBot).toBe(true);
});

test("refusals and private links are seen by the presser only (P4)", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  handled.answer = async () => ({ kind: "refused", text: "This is not yours to answer." });
  const refused = await all.fake.answered(all.fake.press(all.ada, message, "Approve"));
  expect(refused).toMatchObject({ type: 4, data: { flags: 64, content: "This is not yours to answer." } });
  const link = { label: "Open", url: "https://hold.example.com/r/secret" };
  handled.answer = async () => ({ kind: "private", text: { text: "Only for you.", link } });
  const given = await all.fake.answered(all.fake.press(all.ada, message, "Approve"));
  expect(given).toMatchObject({
    type: 4,
    data: { flags: 64, components: [{ components: [{ style: 5, url: link.url }] }] },
  });
  expect(JSON.stringify(all.fake.messages)).not.toContain("secret");
});

test("a field of a modal may be named like a member of every object", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const field = { key: "__proto__", label: "Reason", kind: "text", isRequired: true } as const;
  const question = { ...QUESTION, fields: [field] };
  handled.answer = async (to) => ("button" in to ? { kind: "ask", question } : { kind: "done" });
  const press = all.fake.press(all.ada, message, "Reject");
  await all.fake.answered(press);
  const values = Object.fromEntries([["__proto__", "Too much"]]);
  await all.fake.answered(all.fake.submit(all.ada, press, values));
  expect(Object.entries(handled.replies[0]?.values ?? {})).toEqual([["__proto__", "Too much"]]);
});

test("a question opens as a modal, and its values come back by key", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  handled.answer = async (to) => ("button" in to ? { kind: "ask", question: QUESTION } : { kind: "done" });
  const press = all.fake.press(all.ada, message, "Reject");
  expect(await all.fake.answered(press)).toMatchObject({ type: 9, data: { title: "Reject" } });
  const submission = all.fake.submit(all.ada, press, { reason: "Too much", kind: "fraud" });
  expect(await all.fake.answered(submission)).toMatchObject({ type: 6 });
  expect(handled.replies).toEqual([
    {
      id: submission.id,
      to: { question: "q1" },
      values: { reason: "Too much", kind: "fraud" },
      by: { userId: all.ada.id, name: "Ada" },
    },
  ]);
});

test("a question without fields is a private message with buttons, which the next answer replaces", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const buttons = [{ id: "q2:0", label: "Yes", style: "primary" } as const];
  handled.answer = async () => ({ kind: "ask", question: { ...QUESTION, fields: [], buttons } });
  const asked = await all.fake.answered(all.fake.press(all.ada, message, "Approve"));
  expect(asked).toMatchObject({
    type: 4,
    data: { flags: 64, components: [{ components: [{ custom_id: "q2:0" }] }] },
  });
  handled.answer = async () => ({ kind: "done", text: "Allowed for a day." });
  const shown = { ...message, id: "1400000000000000000", flags: 64, components: [] };
  const yes = await all.fake.answered(all.fake.pressId(all.ada, shown, "q2:0"));
  expect(yes).toMatchObject({ type: 7, data: { content: "Allowed for a day.", components: [] } });
});

test("a slow commit is acknowledged in time, and its answer follows privately", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const commit = Promise.withResolvers<ChatAnswer>();
  const come = Promise.withResolvers<void>();
  handled.answer = () => {
    come.resolve();
    return commit.promise;
  };
  const press = all.fake.press(all.ada, message, "Approve");
  await come.promise;
  await all.clock.advance(2000);
  expect(await all.fake.answered(press)).toMatchObject({ type: 6 });
  commit.resolve({ kind: "refused", text: "Somebody else has answered." });
  await all.fake.until(() => press.followups.length === 1);
  expect(press.followups[0]).toMatchObject({ content: "Somebody else has answered.", flags: 64 });
});

test("a direct message reaches the handler, and its answer comes back there", async () => {
  const all = await stage();
  const handled = await listening(all);
  handled.answer = async () => ({ kind: "done", text: "Your account is linked." });
  all.fake.write(all.ada, "482913");
  await all.fake.until(() => all.fake.in(all.fake.directMessages(all.ada)).length === 2);
  expect(handled.directs).toMatchObject([{ text: "482913", by: { userId: all.ada.id } }]);
  expect(all.fake.in(all.fake.directMessages(all.ada))[1]?.content).toBe("Your account is linked.");
});

test("a lost connection is resumed, a press in between is replayed, and no IDENTIFY is spent (D1)", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  for (const lose of [() => all.fake.gateway.askToReconnect(), () => all.fake.gateway.cut()]) {
    lose();
    await all.fake.until(() => all.fake.gateway.count === 0);
    const press = all.fake.press(all.ada, message, "Approve");
    await advanceUntil(all, () => press.callback !== undefined);
  }
  expect(all.fake.gateway.logins).toEqual(["identify", "resume", "resume"]);
  expect(handled.presses).toHaveLength(2);
});

test("an invalid session is identified again, not before five seconds have passed (D2)", async () => {
  const all = await stage();
  const startedAt = all.clock.now();
  await listening(all);
  all.fake.gateway.invalidate(false);
  await advanceUntil(all, () => all.fake.gateway.logins.length === 2);
  expect(all.fake.gateway.logins).toEqual(["identify", "identify"]);
  expect(all.clock.now() - startedAt).toBeGreaterThanOrEqual(5000);
});

test("no IDENTIFY is sent while Discord says that none is left (D2)", async () => {
  const all = await stage();
  all.fake.gateway.sessionsLeft = 0;
  const handled = start(all);
  onTestFinished(() => handled.stop());
  await advanceUntil(all, () => handled.states.length > 0);
  expect(handled.states).toMatchObject([{ error: "no_identify_left" }]);
  await all.clock.advance(3_600_000);
  expect(all.fake.gateway.logins).toEqual([]);
});

test("a connection whose heartbeats are not acknowledged is cut and resumed (D3)", async () => {
  const all = await stage();
  await listening(all);
  all.fake.gateway.isDeaf = true;
  await advanceUntil(all, () => all.fake.gateway.logins.length === 2);
  expect(all.fake.gateway.logins).toEqual(["identify", "resume"]);
});

test("a refused token ends listening with a clear error, at the address and at the Gateway (D4)", async () => {
  const all = await stage();
  all.fake.token = "another";
  await expect(start(all).ended).rejects.toThrow(/Discord refused the bot: bad_token/);
  const other = await stage();
  await listening(other).then(async (handled) => {
    other.fake.token = "another";
    other.fake.gateway.cut();
    const refused = expect(handled.ended).rejects.toThrow(/bad_token/);
    await advanceUntil(other, () => handled.states.some((state) => state !== "connected"));
    await refused;
    handled.stop = async () => undefined;
  });
});

test("a bot that is started again after a refusal by the Gateway waits a quarter of an hour before the next IDENTIFY (D4)", async () => {
  const all = await stage();
  all.fake.gateway.refuses = 4013;
  const first = start(all);
  await expect(first.ended).rejects.toThrow(/gateway_refused/);
  const again = start(all);
  await all.clock.advance(14 * 60_000);
  expect(all.fake.gateway.logins).toEqual(["identify"]);
  all.fake.gateway.refuses = undefined;
  await advanceUntil(all, () => again.states.includes("connected"));
  await again.stop();
});
