import { setImmediate } from "node:timers/promises";
import type { Card, CardQuestion } from "@holdpoint/protocol/chat";
import { expect, onTestFinished, test } from "vitest";
import { SlackFake } from "../../testing/chat/slack-fake.ts";
import type { SlackMessage } from "../../testing/chat/slack-shapes.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import type { ChatAnswer, ChatFailure, ChatReply, DirectText, Press } from "../chat/platform.ts";
import { slackPlatform } from "./slack.ts";

const CARD: Card = {
  title: "Approval needed",
  askedBy: "billing-agent",
  prompt: "Refund 40 EUR to <!channel> & *Bob*?",
  blocks: [{ label: "Call", style: "code", text: 'refund({ "amount": 40 })' }],
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
    { key: "reason", label: "Reason", kind: "text", isRequired: true, maxLength: 500 },
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

async function stage(more: { readonly appToken?: string; readonly token?: string } = {}) {
  const clock = new ManualClock();
  const fake = await SlackFake.start({ now: () => clock.now() });
  const ada = fake.addUser({ id: "U0ADA", name: "Ada", email: "ada@example.com" });
  const finance = fake.addChannel("C0FIN", "finance", [ada]);
  const slack = slackPlatform({
    name: "slack",
    clock,
    token: fake.botToken,
    appToken: fake.appToken,
    apiUrl: `${fake.origin}/api`,
    ...more,
  });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  return { clock, fake, ada, finance, slack };
}

type Stage = Awaited<ReturnType<typeof stage>>;

interface Handled {
  readonly presses: Press[];
  readonly replies: ChatReply[];
  readonly directs: DirectText[];
  readonly states: ("connected" | ChatFailure)[];
  answer: (to: Press | ChatReply | DirectText) => Promise<ChatAnswer>;
}

/** Listens until the test ends, with both sockets open. */
async function listening({ slack, fake, clock }: Stage): Promise<Handled & { stop: () => Promise<void> }> {
  const stop = new AbortController();
  const handled: Handled = {
    presses: [],
    replies: [],
    directs: [],
    states: [],
    answer: async () => ({ kind: "done" }),
  };
  const ended = slack.listen(
    {
      onPress: (press) => {
        handled.presses.push(press);
        return handled.answer(press);
      },
      onReply: (reply) => {
        handled.replies.push(reply);
        return handled.answer(reply);
      },
      onDirect: (text) => {
        handled.directs.push(text);
        return handled.answer(text);
      },
      onAsked: async () => undefined,
      onState: (state) => handled.states.push(state),
    },
    stop.signal,
  );
  await fake.until(() => fake.sockets.count === 1);
  await clock.advance(1000);
  await fake.until(() => fake.sockets.count === 2);
  const stopNow = async () => {
    stop.abort();
    await ended;
  };
  onTestFinished(stopNow);
  return Object.assign(handled, { stop: stopNow });
}

/** Moves the clock on in steps, so that sockets and timers take turns, until the condition holds. */
async function advanceUntil({ clock }: Stage, test: () => boolean): Promise<void> {
  while (!test()) {
    await clock.advance(250);
    await setImmediate();
  }
}

async function sent({ slack, fake, finance }: Stage, card = CARD): Promise<SlackMessage> {
  const result = await slack.send(card, { kind: "chat", chat: "#finance" }, { key: "k" });
  expect(result).toMatchObject({ kind: "ok", value: { chat: finance.id, tenant: fake.team } });
  return fake.in(finance).at(-1) as SlackMessage;
}

test("a card becomes blocks in which an agent's text cannot be markup or a mention (P6)", async () => {
  const all = await stage();
  const message = await sent(all);
  expect(message.text).toBe("Approval needed: Refund 40 EUR to &lt;!channel&gt; &amp; *Bob*?");
  const [, prompt, context] = message.blocks;
  expect(prompt).toMatchObject({ text: { type: "plain_text", text: CARD.prompt } });
  expect(context).toMatchObject({
    elements: [{}, { type: "rich_text_preformatted", elements: [{ text: 'refund({ "amount": 40 })' }] }],
  });
  const mrkdwn = JSON.stringify(message.blocks).match(/"type":"mrkdwn","text":"([^"]*)"/);
  expect(mrkdwn?.[1]).toMatch(/^Answer before <!date\^\d+\^/);
  expect(all.fake.callsOf("chat.postMessage")[0]?.params).toMatchObject({ unfurl_links: false });
});

test("a long prompt is shown whole in several sections, and one that is too long does not fit (P5)", async () => {
  const all = await stage();
  const prompt = Array.from({ length: 700 }, (_, n) => `line ${n}`).join("\n");
  const { blocks } = await sent(all, { ...CARD, prompt });
  const shown = blocks
    .filter(({ type }) => type === "section")
    .map((block) => (block["text"] as { text: string }).text);
  expect(shown.join("")).toBe(prompt);
  const long = { ...CARD, prompt: "x".repeat(10_001) };
  expect(all.slack.fits(long)).toBe(false);
  expect(await all.slack.send(long, { kind: "chat", chat: "#finance" }, { key: "k" })).toMatchObject({
    error: "does_not_fit",
  });
});

test("closing replaces the whole message; a message that somebody deleted counts as closed", async () => {
  const all = await stage();
  const message = await sent(all);
  const ref = { chat: message.channel, message: message.ts };
  const closed: Card = {
    ...CARD,
    buttons: [],
    state: { kind: "closed", ending: "granted", text: "Approved by Ada" },
  };
  expect(await all.slack.edit(ref, closed)).toEqual({ kind: "ok", value: null });
  expect(JSON.stringify(message.blocks)).toContain("✅ Approved by Ada");
  expect(message.blocks.some(({ type }) => type === "actions")).toBe(false);
  expect(await all.slack.edit({ chat: message.channel, message: "1.1" }, closed)).toEqual({
    kind: "ok",
    value: null,
  });
});

test("a reminder goes into the thread of the first message and is shown in the channel too", async () => {
  const all = await stage();
  const first = await sent(all);
  const replyTo = { chat: first.channel, message: first.ts };
  await all.slack.send(CARD, { kind: "chat", chat: all.finance.id }, { key: "k2", replyTo });
  expect(all.fake.in(all.finance).at(-1)?.thread_ts).toBe(first.ts);
  expect(all.fake.callsOf("chat.postMessage").at(-1)?.params).toMatchObject({ reply_broadcast: true });
});

test("an account gets a direct message, and failures are codes (P1)", async () => {
  const { slack, fake, ada, clock } = await stage();
  const to = { kind: "account", userId: ada.id } as const;
  expect(await slack.send(CARD, to, { key: "k" })).toMatchObject({ kind: "ok", value: { chat: "D0ADA" } });
  expect(await slack.send(CARD, { kind: "chat", chat: "#none" }, { key: "k" })).toEqual({
    kind: "failed",
    error: "chat_not_found",
    retry: false,
    status: 200,
  });
  fake.fail("chat.postMessage", {
    kind: "reply",
    reply: { status: 429, headers: { "retry-after": "7" }, body: { ok: false, error: "ratelimited" } },
  });
  const limited = { kind: "failed", error: "rate_limited", retry: true, status: 429 };
  expect(await slack.send(CARD, to, { key: "k" })).toEqual({ ...limited, retryAfterMs: 7000 });
  const calls = fake.calls.length;
  expect(await slack.send(CARD, to, { key: "k" })).toEqual({ ...limited, retryAfterMs: 7000 });
  expect(fake.calls).toHaveLength(calls);
  await clock.advance(7000);
  expect(await slack.send(CARD, to, { key: "k" })).toMatchObject({ kind: "ok" });
  fake.fail("chat.postMessage", { kind: "drop", after: false });
  expect(await slack.send(CARD, to, { key: "k" })).toEqual({
    kind: "failed",
    error: "connection_lost",
    retry: true,
  });
  fake.botToken = "xoxb-other";
  expect(await slack.identify()).toMatchObject({ error: "bad_token", retry: false });
});

test("a press is acknowledged only after its handler has resolved (P2), and names message and presser", async () => {
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
  expect(press.ack).toBeUndefined();
  commit.resolve({ kind: "done" });
  await all.fake.acknowledged(press);
  expect(handled.presses).toMatchObject([
    {
      button: "m1:0",
      message: { chat: all.finance.id, message: message.ts, tenant: all.fake.team },
      by: { tenant: all.fake.team, userId: all.ada.id, name: "Ada", email: "ada@example.com" },
    },
  ]);
  expect(handled.presses[0]?.by).not.toHaveProperty("isGuest");
});

test("the same press in another envelope has the same id (P3), and another press another one", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const press = await all.fake.acknowledged(all.fake.press(all.ada, message, "Approve"));
  await all.fake.acknowledged(all.fake.again(press));
  await all.fake.acknowledged(all.fake.press(all.ada, message, "Approve"));
  const [one, two, three] = handled.presses.map(({ id }) => id);
  expect(one).toBe(two);
  expect(three).not.toBe(one);
});

test("a handler that fails is not acknowledged, and the next press works", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const come = Promise.withResolvers<void>();
  handled.answer = () => {
    come.resolve();
    return Promise.reject(new Error("no database"));
  };
  const lost = all.fake.press(all.ada, message, "Approve");
  await come.promise;
  handled.answer = async () => ({ kind: "done" });
  await all.fake.acknowledged(all.fake.press(all.ada, message, "Approve"));
  expect(lost.ack).toBeUndefined();
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
  expect((await all.fake.acknowledged(press)).ack?.isLate).toBe(false);
  commit.resolve({ kind: "refused", text: "Somebody else has answered." });
  await all.fake.until(() => all.fake.in(all.finance).length === 2);
  expect(all.fake.in(all.finance)[1]).toMatchObject({
    ephemeralFor: all.ada.id,
    text: "Somebody else has answered.",
  });
});

test("a question opens as a modal; a refused submission stays in it; values come back by key", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  handled.answer = async (to) =>
    "button" in to ? { kind: "ask", question: QUESTION } : { kind: "refused", text: "Say more." };
  await all.fake.acknowledged(all.fake.press(all.ada, message, "Reject"));
  const view = all.fake.views[0];
  if (view === undefined) throw new Error("no modal is open");
  const wrong = await all.fake.acknowledged(all.fake.submit(all.ada, view, { reason: "no", kind: "fraud" }));
  expect(wrong.ack?.payload).toEqual({ response_action: "errors", errors: { reason: "Say more." } });
  handled.answer = async () => ({ kind: "done" });
  const right = await all.fake.acknowledged(all.fake.submit(all.ada, view, { reason: "It is fraud" }));
  expect(right.ack?.payload).toBeUndefined();
  expect(handled.replies).toMatchObject([
    { to: { question: "q1" }, values: { reason: "no", kind: "fraud" }, by: { userId: all.ada.id } },
    { to: { question: "q1" }, values: { reason: "It is fraud" } },
  ]);
  expect(handled.replies[0]?.id).not.toBe(handled.replies[1]?.id);
});

test("a modal that cannot be opened in time asks the person to press again", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  handled.answer = async () => ({ kind: "ask", question: QUESTION });
  all.fake.fail("views.open", {
    kind: "reply",
    reply: { status: 200, body: { ok: false, error: "expired_trigger_id" } },
  });
  await all.fake.acknowledged(all.fake.press(all.ada, message, "Reject"));
  expect(all.fake.in(all.finance).at(-1)).toMatchObject({ ephemeralFor: all.ada.id });
});

test("a private link is shown to the presser only, and pressing it is acknowledged and nothing else (P4)", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const link = { label: "Open", url: "https://hold.example.com/r/secret" };
  handled.answer = async () => ({ kind: "private", text: { text: "Only for you.", link } });
  await all.fake.acknowledged(all.fake.press(all.ada, message, "Approve"));
  const shown = all.fake.in(all.finance).at(-1) as SlackMessage;
  expect(shown.ephemeralFor).toBe(all.ada.id);
  expect(all.fake.in(all.finance).filter((each) => JSON.stringify(each).includes("secret"))).toEqual([shown]);
  await all.fake.acknowledged(all.fake.press(all.ada, shown, "Open"));
  expect(handled.presses).toHaveLength(1);
});

test("guests, outsiders and bots are marked, and somebody whom Slack does not describe has no more rights than a guest", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const people = [
    all.fake.addUser({ id: "U0GUEST", name: "guest", is_ultra_restricted: true, email: "g@example.com" }),
    all.fake.addUser({ id: "U0OUT", name: "outsider", team_id: "T0OTHER", email: "o@example.com" }),
    all.fake.addUser({ id: "U0ROBOT", name: "robot", is_bot: true }),
  ];
  for (const user of people) await all.fake.acknowledged(all.fake.press(user, message, "Approve"));
  all.fake.fail("users.info", {
    kind: "reply",
    reply: { status: 200, body: { ok: false, error: "missing_scope" } },
  });
  const unknown = all.fake.addUser({ id: "U0NEW", name: "new" });
  await all.fake.acknowledged(all.fake.press(unknown, message, "Approve"));
  expect(handled.presses.map(({ by }) => by)).toMatchObject([
    { userId: "U0GUEST", isGuest: true },
    { userId: "U0OUT", tenant: "T0OTHER", isForeign: true },
    { userId: "U0ROBOT", isBot: true },
    { userId: "U0NEW", isGuest: true },
  ]);
  expect(handled.presses[1]?.by).not.toHaveProperty("email");
});

test("an address that Slack has not checked stands for nobody", async () => {
  const all = await stage();
  const message = await sent(all);
  const handled = await listening(all);
  const user = { id: "U0MAL", name: "mal", email: "ada@example.com", is_email_confirmed: false };
  await all.fake.acknowledged(all.fake.press(all.fake.addUser(user), message, "Approve"));
  expect(handled.presses[0]?.by).toMatchObject({ userId: "U0MAL" });
  expect(handled.presses[0]?.by).not.toHaveProperty("email");
});

test("a direct message reaches the handler, and its answer comes back there", async () => {
  const all = await stage();
  const handled = await listening(all);
  handled.answer = async () => ({ kind: "done", text: "Your account is linked." });
  await all.fake.acknowledged(all.fake.write(all.ada, "482913"));
  expect(handled.directs).toMatchObject([
    { text: "482913", by: { userId: all.ada.id, tenant: all.fake.team } },
  ]);
  expect(all.fake.in(all.fake.directMessages(all.ada)).at(-1)?.text).toBe("Your account is linked.");
});

test("a socket that is announced to go is replaced first, and a press that it brought is still acknowledged", async () => {
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
  all.fake.sockets.announce("refresh_requested", press.socket);
  await all.fake.until(() => all.fake.sockets.count === 3);
  expect(press.isLost).toBe(false);
  commit.resolve({ kind: "done" });
  await all.fake.acknowledged(press);
  all.fake.sockets.close(press.socket);
  await all.fake.until(() => all.fake.sockets.count === 2);
  await all.fake.acknowledged(all.fake.press(all.ada, message, "Reject"));
});

test("a socket that breaks is replaced, and failed attempts wait longer and longer", async () => {
  const all = await stage();
  const handled = await listening(all);
  all.fake.fail("apps.connections.open", { kind: "reply", reply: { status: 503 } }, 2);
  const startedAt = all.clock.now();
  all.fake.sockets.cut(1);
  await all.fake.until(() => all.fake.sockets.count === 1);
  await advanceUntil(all, () => all.fake.sockets.count === 2);
  expect(handled.states.filter((state) => state !== "connected")).toHaveLength(2);
  // Half of one second and half of two are the least that two failures wait.
  expect(all.clock.now() - startedAt).toBeGreaterThanOrEqual(1500);
});

test("a socket that has fallen silent is cut and replaced", async () => {
  const all = await stage();
  await listening(all);
  all.fake.sockets.freeze(1);
  await advanceUntil(all, () => all.fake.callsOf("apps.connections.open").length > 2);
});

test("stopping closes both sockets after the presses that are being committed are acknowledged", async () => {
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
  const stopped = handled.stop();
  commit.resolve({ kind: "done" });
  await stopped;
  await all.fake.until(() => all.fake.sockets.count === 0);
  expect(press.ack).toBeDefined();
});

test("a refused app-level token ends listening with a clear error", async () => {
  const { slack } = await stage({ appToken: "xapp-wrong" });
  const states: unknown[] = [];
  const never = async (): Promise<ChatAnswer> => ({ kind: "done" });
  const handlers = {
    onPress: never,
    onReply: never,
    onDirect: never,
    onAsked: async () => undefined,
    onState: (state: unknown) => states.push(state),
  };
  await expect(slack.listen(handlers, new AbortController().signal)).rejects.toThrow(
    /app-level token: bad_token/,
  );
  expect(states).toMatchObject([{ error: "bad_token" }]);
});
