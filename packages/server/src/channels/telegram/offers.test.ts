import { describe, expect, test } from "vitest";
import { direct, labelsOf, telegramStage } from "../../testing/chat/stage.ts";

describe("a message has no deciding button", () => {
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

describe("a grant for similar calls", () => {
  test("is given only after the presser has read and confirmed the terms", async () => {
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

  test("is not given if the presser says no", async () => {
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
