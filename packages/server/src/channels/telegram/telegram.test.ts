import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { emptyMemory, type MemoryData } from "../../store/memory/data.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { GROUP, type TelegramStage, telegramStage } from "../../testing/chat/stage.ts";
import type { TelegramMessage } from "../../testing/chat/telegram-fake.ts";

const labelsOf = (message: TelegramMessage) =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text);

/** What the first button sends. */
function dataOf({ reply_markup: markup }: TelegramMessage): string {
  const [button] = markup?.inline_keyboard[0] ?? [];
  return button !== undefined && "callback_data" in button ? button.callback_data : "";
}

async function eventsOf(stage: TelegramStage, id: string) {
  const { body } = await stage.at.call("GET", `/v1/holds/${id}/events`, { key: stage.at.keys.operator });
  return body.events as readonly { readonly type: string; readonly data: Record<string, unknown> }[];
}

/** What the bot wrote to a person, once there are this many messages. */
async function direct(stage: TelegramStage, user: TelegramStage["ada"], count = 1) {
  const chat = stage.fake.privateChat(user);
  await stage.fake.until(() => stage.fake.fromBot(chat).length >= count);
  return stage.fake.fromBot(chat)[count - 1] as TelegramMessage;
}

describe("a press", () => {
  test("on Approve decides the hold in the presser's name, and the message closes", async () => {
    await using stage = await telegramStage();
    const id = await stage.place({ context: { order: "o-1" } });
    const message = await stage.nth(1);
    expect(message.text).toContain("Refund 40 EUR?");
    expect(message.text).toContain("order: o-1");
    expect(message.has_protected_content).toBe(true);
    expect(labelsOf(message)).toEqual([
      "Approve",
      "Request changes …",
      "Reject …",
      "Details",
      "Remind me in 1 h",
    ]);
    expect(await stage.press(stage.ada, message, "Approve")).toBe("Approved.");
    expect(await stage.closed(message)).toContain("✅ Approved by Ada Lovelace.");
    const by = { kind: "channel", id: `telegram/${GROUP}`, name: "ada" };
    expect(await stage.hold(id)).toMatchObject({
      status: "decided",
      outcome: { action: "approve", door: "channel", by },
    });
  });

  test("on Reject asks for the reason in a direct message, and the reply is the answer", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    expect(await stage.press(stage.ada, message, "Reject …")).toBe("I asked you in a direct message.");
    const question = await direct(stage, stage.ada);
    expect((await stage.hold(id))["status"]).toBe("open");
    stage.fake.write(stage.ada, stage.fake.privateChat(stage.ada), "too much", { replyTo: question });
    expect(await stage.closed(message)).toContain("⛔ Rejected by Ada Lovelace.");
    expect(await stage.hold(id)).toMatchObject({
      outcome: { action: "reject", data: { feedback: "too much" } },
    });
    expect((await direct(stage, stage.ada, 2)).text).toBe("Rejected.");
  });

  test("asks for the reason in the group where the bot cannot write to the person, and takes only their reply", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    stage.fake.block(stage.ada);
    expect(await stage.press(stage.ada, message, "Request changes …")).toBe("Please reply below.");
    const question = await stage.nth(2);
    stage.fake.write(stage.grace, stage.group, "mine", { replyTo: question });
    expect((await direct(stage, stage.grace)).text).toBe("This question was for somebody else.");
    stage.fake.write(stage.ada, stage.group, "make it 30", { replyTo: question });
    expect(await stage.closed(message)).toContain("Changes requested by Ada Lovelace.");
    expect(await stage.hold(id)).toMatchObject({
      outcome: { action: "edit", data: { feedback: "make it 30" } },
    });
  });

  test("on an option of a selection chooses it", async () => {
    await using stage = await telegramStage();
    const options = [
      { id: "eu", label: "Europe", description: "Frankfurt" },
      { id: "us", label: "America" },
    ];
    const id = await stage.place({ type: "selection", prompt: "Where?", options, select: { max: 1 } });
    const message = await stage.nth(1);
    expect(message.text).toContain("Europe: Frankfurt");
    await stage.press(stage.grace, message, "America");
    expect(await stage.closed(message)).toContain("Chosen by Grace Hopper.");
    expect(await stage.hold(id)).toMatchObject({ outcome: { data: { selected: ["us"] } } });
  });

  test("on Confirm confirms, and on Retry answers an escalation", async () => {
    await using stage = await telegramStage();
    const one = await stage.place({ type: "confirmation", prompt: "Send?" });
    await stage.press(stage.ada, await stage.nth(1), "Confirm");
    expect(await stage.hold(one)).toMatchObject({ outcome: { action: "confirm" } });
    const other = await stage.place({ type: "escalation", prompt: "It failed." });
    await stage.press(stage.ada, await stage.nth(2), "Retry");
    expect(await stage.hold(other)).toMatchObject({ outcome: { action: "retry" } });
  });

  test("on Details gives the presser a link of their own, in a direct message and never in the group", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    expect(await stage.press(stage.ada, message, "Details")).toBe("I sent you a direct message.");
    const { text } = await direct(stage, stage.ada);
    const [url = ""] = /http\S+/.exec(text) ?? [];
    expect(JSON.stringify(stage.shown())).not.toContain("token=");
    const page = await stage.at.call("GET", url.replace("http://localhost:4100", ""));
    expect([200, 302]).toContain(page.status);
    const links = await stage.at.call("GET", `/v1/holds/${id}/links`, { key: stage.at.keys.operator });
    expect(JSON.stringify(links.body)).toContain("ada");
  });

  test("on Details says what to do where the bot cannot write to the person", async () => {
    await using stage = await telegramStage();
    await stage.place();
    const message = await stage.nth(1);
    stage.fake.block(stage.ada);
    expect(await stage.press(stage.ada, message, "Details")).toContain("Open a chat with me");
  });

  test("on the snooze button reminds the same chat in the same thread an hour later", async () => {
    await using stage = await telegramStage();
    await stage.place({ timeout: "5h" });
    const first = await stage.nth(1);
    expect(await stage.press(stage.ada, first, "Remind me in 1 h")).toBe(
      "I will remind this chat at 11:00 UTC.",
    );
    await stage.at.clock.advance(3_600_000);
    const second = await stage.nth(2);
    expect(second.text).toContain("Reminder: approval needed");
    expect(second.reply_to_message?.message_id).toBe(first.message_id);
    await stage.press(stage.grace, second, "Approve");
    expect(await stage.closed(first)).toContain("Approved by Grace Hopper.");
    expect(await stage.closed(second)).toContain("Approved by Grace Hopper.");
  });

  test("is answered again, and counts once, if it is delivered twice", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    const query = stage.fake.press(stage.ada, message, "Approve");
    const [pressed] = stage.fake.updates.pending.slice(-1);
    await stage.fake.answered(query);
    await stage.closed(message);
    stage.fake.updates.add({ callback_query: pressed?.callback_query as never });
    await stage.fake.until(() => stage.fake.callsOf("answerCallbackQuery").length >= 2);
    const decided = (await eventsOf(stage, id)).filter(({ type }) => type === "hold.decided");
    expect(decided).toHaveLength(1);
  });

  test("that comes too late is refused privately and changes nothing", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    const data = dataOf(message);
    await stage.at.call("POST", `/v1/holds/${id}/answer`, {
      key: stage.at.keys.operator,
      body: { action: "reject", data: {} },
    });
    expect(await stage.closed(message)).toContain("Rejected by Ada Lovelace.");
    const late = await stage.fake.answered(stage.fake.pressData(stage.grace, message, data));
    expect(late).toMatchObject({ text: "Somebody has already answered this request.", show_alert: true });
    expect(await stage.hold(id)).toMatchObject({ outcome: { action: "reject" } });
  });

  test("of two in the wrong order counts as it came in: the first one decides", async () => {
    await using stage = await telegramStage();
    const id = await stage.place({ type: "confirmation", prompt: "Send?" });
    const message = await stage.nth(1);
    const release = stage.fake.updates.holdBack();
    stage.fake.press(stage.ada, message, "Confirm");
    const second = stage.fake.press(stage.grace, message, "Cancel");
    release((updates) => updates.toReversed());
    await stage.fake.answered(second);
    await stage.closed(message);
    expect(await stage.hold(id)).toMatchObject({ outcome: { action: "cancel", by: { name: "grace" } } });
  });
});

describe("a press is refused privately, changes nothing and is on record", () => {
  test("if the account is not linked", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    expect(await stage.press(stage.stranger, message, "Approve")).toContain("I do not know who you are yet");
    await stage.press(stage.stranger, message, "Approve");
    const refused = (await eventsOf(stage, id)).filter(({ type }) => type === "hold.press_refused");
    expect(refused.map(({ data }) => data)).toEqual([{ channel: "telegram", reason: "not_linked" }]);
    expect((await stage.hold(id))["status"]).toBe("open");
  });

  test("if a bot pressed, even one that is linked", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    const robot = stage.fake.user(1, "Robot", { is_bot: true });
    expect(await stage.press(robot, message, "Approve")).toBe("Bots cannot answer.");
    expect((await stage.hold(id))["status"]).toBe("open");
  });

  test("if the person is suspended", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    await stage.at.call("PATCH", "/v1/people/ada", {
      key: stage.at.keys.admin,
      body: { status: "suspended" },
    });
    expect(await stage.press(stage.ada, message, "Approve")).toContain("suspended");
    expect((await stage.hold(id))["status"]).toBe("open");
  });

  test("if the message is not the stored one: another chat, or a copy", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    const data = dataOf(message);
    const elsewhere = stage.fake.group(-77, "Elsewhere", [stage.ada]);
    const forged = { ...message, chat: elsewhere };
    const answer = await stage.fake.answered(stage.fake.pressData(stage.ada, forged, data));
    expect(answer.text).toContain("old or copied message");
    expect((await stage.hold(id))["status"]).toBe("open");
    expect((await eventsOf(stage, id)).map(({ type }) => type)).toContain("hold.press_refused");
  });

  test("if the rule does not name the person", async () => {
    await using stage = await telegramStage();
    const decision = { approve: [{ need: 1, from: ["person:grace"] }], strength: "account" };
    const id = await stage.place({ decision, ladder: [{ after: "0s", channel: "telegram" }] });
    const message = await stage.nth(1);
    expect(await stage.press(stage.ada, message, "Approve")).toBe("You may not decide this request.");
    expect(await stage.press(stage.grace, message, "Approve")).toBe("Approved.");
    expect(await stage.hold(id)).toMatchObject({
      status: "decided",
      votes: [{ person: "grace", strength: "account" }],
    });
  });

  test("if the button is unknown", async () => {
    await using stage = await telegramStage();
    await stage.place();
    const message = await stage.nth(1);
    const answer = await stage.fake.answered(stage.fake.pressData(stage.ada, message, `${"x".repeat(32)}.0`));
    expect(answer.text).toBe("I do not know this button any more.");
  });
});

describe("a decision of two people", () => {
  test("shows each vote by name, and closes the messages of both chats when it is met", async () => {
    await using stage = await telegramStage();
    const decision = { approve: [{ need: 2, from: ["team:finance"] }], strength: "account" };
    const id = await stage.place({ decision });
    const adas = await direct(stage, stage.ada);
    const graces = await direct(stage, stage.grace);
    expect(await stage.press(stage.ada, adas, "Approve")).toBe(
      "Your vote was counted. More votes are needed.",
    );
    const text = () => stage.fake.message(graces.chat.id, graces.message_id)?.text ?? "";
    await stage.fake.until(() => text().includes("1 of 2 · Ada Lovelace: approved"));
    expect(await stage.press(stage.grace, graces, "Approve")).toBe("Approved.");
    expect(await stage.closed(adas)).toContain("Approved by Ada Lovelace and Grace Hopper.");
    expect(await stage.closed(graces)).toContain("Approved by Ada Lovelace and Grace Hopper.");
    expect(await stage.hold(id)).toMatchObject({ status: "decided" });
    const log = JSON.stringify(await eventsOf(stage, id));
    // A direct chat has the number of the account as its name, which stays out of the log (G9).
    expect(log).toContain('"id":"telegram"');
  });
});

describe("a message closes", () => {
  test("when the hold is settled through another door, with the name of who did", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    const answer = { action: "approve", data: {} };
    await stage.at.call("POST", `/v1/holds/${id}/answer`, { key: stage.at.keys.otherOperator, body: answer });
    expect(await stage.closed(message)).toContain("Approved by Grace Hopper.");
  });

  test("when the hold expires, and names nobody (G5)", async () => {
    await using stage = await telegramStage();
    await stage.place({ timeout: "10m", on_timeout: "reject" });
    const message = await stage.nth(1);
    await stage.at.clock.advance(600_000);
    const text = await stage.closed(message);
    expect(text).toContain("⌛ Expired: nobody answered in time. The agent goes on with “reject”.");
    expect(text).not.toMatch(/Ada|Grace/);
  });

  test("when the hold is cancelled", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    await stage.at.call("POST", `/v1/holds/${id}/cancel`, { key: stage.at.keys.agent, body: {} });
    expect(await stage.closed(message)).toContain("🚫 Withdrawn by refunder.");
  });

  test("when the hold ends while the message is on its way", async () => {
    await using stage = await telegramStage();
    const gate = Promise.withResolvers<void>();
    stage.fake.fail("sendMessage", { kind: "wait", until: gate.promise });
    const id = await stage.place();
    await stage.fake.until(() => stage.shown().length === 1);
    await stage.at.call("POST", `/v1/holds/${id}/cancel`, { key: stage.at.keys.agent, body: {} });
    gate.resolve();
    expect(await stage.closed(await stage.nth(1))).toContain("Withdrawn");
  });

  test("after a failure of the platform, by trying again", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    stage.fake.fail("editMessageText", { kind: "drop", after: false });
    await stage.at.call("POST", `/v1/holds/${id}/cancel`, { key: stage.at.keys.agent, body: {} });
    await stage.fake.until(() => stage.fake.callsOf("editMessageText").length === 1);
    await stage.at.server.sender.idle();
    await stage.at.clock.advance(10_000);
    expect(await stage.closed(message)).toContain("Withdrawn");
  });

  test("and forgets what it said when the content is erased", async () => {
    await using stage = await telegramStage();
    const id = await stage.place();
    const message = await stage.nth(1);
    await stage.press(stage.ada, message, "Approve");
    await stage.closed(message);
    await stage.at.server.sender.idle();
    await stage.at.call("POST", `/v1/holds/${id}/erase`, { key: stage.at.keys.admin });
    const text = () => stage.fake.message(GROUP, message.message_id)?.text ?? "";
    await stage.fake.until(() => text().includes("erased"));
    expect(text()).not.toContain("Refund");
  });
});

describe("no deciding button", () => {
  test("where the ask does not fit into a message; it is not cut, and the page shows all of it", async () => {
    await using stage = await telegramStage();
    await stage.place({ context: { report: "line\n".repeat(2_000) } });
    const message = await stage.nth(1);
    expect(labelsOf(message)).toEqual(["Open", "Remind me in 1 h"]);
    expect(message.text).toContain("too long for a chat");
  });

  test("where the channel does not show the context, unless the operator says `buttons: always`", async () => {
    await using stage = await telegramStage({ bot: { isFull: false } });
    await stage.place({ context: { order: "o-1" } });
    const message = await stage.nth(1);
    expect(labelsOf(message)).toEqual(["Open", "Remind me in 1 h"]);
    expect(message.text).not.toContain("o-1");
    await using always = await telegramStage({ bot: { isFull: false, isAlways: true } });
    await always.place({ context: { order: "o-1" } });
    const other = await always.nth(1);
    expect(labelsOf(other)).toContain("Approve");
    expect(other.text).toContain("Not everything is shown here.");
    expect(other.text).not.toContain("o-1");
  });

  test("where something was redacted, and what was redacted is in no message", async () => {
    await using stage = await telegramStage({ redact: ["SECRET-\\d+"] });
    await stage.place({ prompt: "Use SECRET-123?", context: { "SECRET-5": ["SECRET-77", 1] } });
    const message = await stage.nth(1);
    expect(labelsOf(message)).toEqual(["Open", "Remind me in 1 h"]);
    expect(JSON.stringify(stage.fake.calls.map(({ params }) => params))).not.toMatch(/SECRET-\d/);
  });

  test("where the rule wants more than a chat account, where the exact call is unknown, and for forms", async () => {
    await using stage = await telegramStage();
    const decision = { approve: [{ need: 1, from: ["team:finance"] }], strength: "session" };
    const ladder = [{ after: "0s", channel: "telegram" }];
    await stage.place({ decision, ladder });
    await stage.place({ context: { call_unknown: true } });
    const form = { fields: [{ key: "city", label: "City", type: "text" }] };
    await stage.place({ type: "input", prompt: "Where?", form });
    await stage.nth(3);
    expect(stage.shown().map(labelsOf)).toEqual(Array(3).fill(["Open", "Remind me in 1 h"]));
  });
});

describe("similar calls", () => {
  test("are allowed only after the presser has read and confirmed the terms", async () => {
    await using stage = await telegramStage();
    const call = { tool: "refund", args: { amount: 40 } };
    const check = () => stage.at.call("POST", "/v1/checks", { key: stage.at.keys.agent, body: call });
    const asked = await check();
    expect(asked.body.verdict).toBe("ask");
    const message = await stage.nth(1);
    await stage.press(stage.ada, message, "Approve similar for 2 h …");
    const terms = await direct(stage, stage.ada);
    expect(terms.text).toBe(
      "This approves the call and lets refunder call refund again without asking, up to 20 times until 2026-01-05 12:00 UTC, if amount is 40. You can revoke it in the console at any time.",
    );
    expect((await stage.hold(asked.body.hold.id))["status"]).toBe("open");
    await stage.press(stage.ada, terms, "Approve and allow");
    await stage.closed(message);
    const grants = await stage.at.call("GET", "/v1/grants", { key: stage.at.keys.operator });
    expect(grants.body.grants).toMatchObject([{ tool: "refund", uses: 20 }]);
  });

  test("are not allowed if the presser says no", async () => {
    await using stage = await telegramStage();
    const body = { tool: "refund", args: { amount: 40 } };
    const asked = await stage.at.call("POST", "/v1/checks", { key: stage.at.keys.agent, body });
    await stage.press(stage.ada, await stage.nth(1), "Approve similar for 2 h …");
    const answer = await stage.press(stage.ada, await direct(stage, stage.ada), "No");
    expect(answer).toBe("Nothing was decided.");
    expect((await stage.hold(asked.body.hold.id))["status"]).toBe("open");
  });
});

describe("Telegram's limits", () => {
  test("a 429 costs no try: the message goes out after the delay that Telegram asks for", async () => {
    await using stage = await telegramStage();
    const body = {
      ok: false,
      error_code: 429,
      description: "Too Many Requests",
      parameters: { retry_after: 7 },
    };
    stage.fake.fail("sendMessage", { kind: "reply", reply: { status: 429, body } });
    const id = await stage.place();
    await stage.fake.until(() => stage.fake.callsOf("sendMessage").length === 1);
    await stage.at.server.sender.idle();
    await stage.at.clock.advance(6_999);
    expect(stage.shown()).toHaveLength(0);
    await stage.at.clock.advance(1);
    await stage.nth(1);
    await stage.at.server.sender.idle();
    const { body: list } = await stage.at.call("GET", `/v1/deliveries?hold_id=${id}`, {
      key: stage.at.keys.operator,
    });
    expect(list.deliveries[0]).toMatchObject({ state: "sent" });
    expect(list.deliveries[0].attempts).toHaveLength(1);
  });

  test("a second program that polls with the same token is reported, and polling goes on later", async () => {
    await using stage = await telegramStage();
    const body = {
      ok: false,
      error_code: 409,
      description: "Conflict: terminated by other getUpdates request",
    };
    await stage.fake.until(() => stage.fake.updates.isPolled);
    stage.fake.fail("getUpdates", { kind: "reply", reply: { status: 409, body } });
    stage.fake.updates.endPoll();
    await stage.fake.until(() => stage.fake.callsOf("getUpdates").some(({ status }) => status === 409));
    const state = () => stage.at.server.chats.states()[0]?.listener;
    await expect.poll(state).toMatchObject({ error: "other_poller" });
    await stage.at.clock.advance(30_000);
    await stage.fake.until(() => stage.fake.updates.isPolled);
  });
});

describe("several servers and restarts", () => {
  const memory = (data: MemoryData) => new MemoryStore({ indexes: TABLE, data });

  test("a press while no server runs is taken by the next one", async () => {
    const data = emptyMemory();
    const first = await telegramStage({ store: memory(data) });
    const id = await first.place();
    const message = await first.nth(1);
    await first.at.server.stop();
    const query = first.fake.press(first.ada, message, "Approve");
    await using second = await telegramStage({ store: memory(data), beside: first });
    expect((await second.fake.answered(query)).text).toBe("Approved.");
    expect(await second.closed(message)).toContain("Approved by Ada Lovelace.");
    expect(await second.hold(id)).toMatchObject({ status: "decided" });
    await first.fake[Symbol.asyncDispose]();
  });

  test("of two servers with one bot one listens, and the other takes over when its lease ends", async () => {
    const data = emptyMemory();
    const first = await telegramStage({ store: memory(data) });
    await first.fake.until(() => first.fake.updates.isPolled);
    await using second = await telegramStage({ store: memory(data), beside: first });
    await first.at.clock.advance(60_000);
    const states = () => [first, second].map(({ at }) => at.server.chats.states()[0]?.listener);
    await expect.poll(states).toEqual(["connected", "standby"]);
    await first.at.server.chats.stop();
    await first.at.clock.advance(5_000);
    await first.fake.until(() => first.fake.updates.isPolled);
    const id = await second.place();
    await second.press(second.ada, await second.nth(1), "Approve");
    expect(await second.hold(id)).toMatchObject({ status: "decided" });
    await first.at.server.stop();
    await first.fake[Symbol.asyncDispose]();
  });
});

describe("linking an account", () => {
  test("works with a one-time code that a person sends to the bot, once", async () => {
    await using stage = await telegramStage();
    const { at, fake, stranger } = stage;
    await at.call("POST", "/v1/people", {
      key: at.keys.admin,
      body: { id: "root", name: "Root", role: "admin" },
    });
    const made = await at.call("POST", "/v1/people/root/account_codes", { key: at.keys.admin, body: {} });
    expect(made.status).toBe(201);
    expect(made.body.links).toEqual([
      {
        channel: "telegram",
        platform: "telegram",
        url: `https://t.me/${fake.bot.username}?start=${made.body.code}`,
      },
    ]);
    fake.startBot(stranger, made.body.code);
    expect((await direct(stage, stranger)).text).toContain("You are linked as Root.");
    fake.startBot(stage.grace, made.body.code);
    expect((await direct(stage, stage.grace)).text).toContain("unknown, used or older");
    await stage.place();
    expect(await stage.press(stranger, await stage.nth(1), "Approve")).toBe("Approved.");
  });

  test("anything else gets a short explanation", async () => {
    await using stage = await telegramStage();
    stage.fake.startBot(stage.stranger);
    expect((await direct(stage, stage.stranger)).text).toContain("link this account");
  });
});

describe("people who cannot be reached", () => {
  test("a rung whose every delivery failed advances at once, and the hold says that nobody has been reached", async () => {
    await using stage = await telegramStage();
    const ladder = [
      { after: "0s", channel: "telegram", to: "person:grace" },
      { after: "2h", channel: "telegram" },
    ];
    stage.fake.block(stage.grace);
    const id = await stage.place({ ladder });
    const message = await stage.nth(1);
    expect(labelsOf(message)).toContain("Approve");
    const types = (await eventsOf(stage, id)).map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(["hold.placed", "hold.delivery_failed", "hold.escalated"]);
  });

  test("the native API says so until somebody is reached", async () => {
    await using stage = await telegramStage();
    stage.fake.block(stage.grace);
    const id = await stage.place({ ladder: [{ after: "0s", channel: "telegram", to: "person:grace" }] });
    await stage.fake.until(() => stage.fake.callsOf("sendMessage").length === 1);
    await stage.at.server.sender.idle();
    expect(await stage.hold(id)).toMatchObject({ nobody_reached_since: "2026-01-05T10:00:00.000Z" });
  });
});
