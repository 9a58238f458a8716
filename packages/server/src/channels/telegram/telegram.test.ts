import { describe, expect, test } from "vitest";
import { dataOf, direct, eventsOf, GROUP, labelsOf, telegramStage } from "../../testing/chat/stage.ts";

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
