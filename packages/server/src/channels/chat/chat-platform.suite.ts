/** What every chat platform must show, from the press to the closed messages, over its realistic fake. */

import { describe, expect, test } from "vitest";
import type { ChatDriver, Shown, Who } from "../../testing/chat/chat-driver.ts";
import { type ChatStage, type ChatStageOptions, chatStage } from "../../testing/chat/chat-stage.ts";

const TWO = { approve: [{ need: 2, from: ["team:finance"] }], strength: "account" };

export function chatPlatformSuite(name: string, driver: (now: () => number) => Promise<ChatDriver>): void {
  const stage = (options?: ChatStageOptions) => chatStage(driver, options);

  describe(`${name}: a press`, () => {
    test("decides the hold in the presser's name, and all its messages close in both chats", async () => {
      await using at = await stage();
      const { kind } = at.chat;
      const ladder = [
        { after: "0s", channel: kind },
        { after: "0s", channel: kind, to: at.chat.address("other") },
      ];
      const id = await at.place({ context: { order: "o-1" }, ladder });
      const message = await at.nth("group", 1);
      const other = await at.nth("other", 1);
      for (const text of ["Refund 40 EUR?", "o-1", "refunder"]) expect(message.text).toContain(text);
      expect(message.buttons).toEqual([
        "Approve",
        "Request changes …",
        "Reject …",
        "Details",
        "Remind me in 1 h",
      ]);
      expect(await at.chat.press("ada", message, "Approve").told).toBe("Approved.");
      for (const each of [message, other])
        expect(await at.closed(each)).toContain("✅ Approved by Ada Lovelace.");
      expect(await at.hold(id)).toMatchObject({
        status: "decided",
        outcome: { action: "approve", door: "channel", by: { kind: "channel", name: "ada" } },
      });
    });

    test("on Reject asks for the reason, and only the answer to that decides", async () => {
      await using at = await stage();
      const id = await at.place();
      const message = await at.nth("group", 1);
      await at.chat.press("ada", message, "Reject …").told;
      expect(await at.hold(id)).toMatchObject({ status: "open" });
      await at.chat.reply("ada", { text: "too much" }).told;
      expect(await at.closed(message)).toContain("⛔ Rejected by Ada Lovelace.");
      expect(await at.hold(id)).toMatchObject({
        outcome: { action: "reject", data: { feedback: "too much" } },
      });
    });

    test("on an option chooses it, and on Confirm confirms", async () => {
      await using at = await stage();
      const options = [
        { id: "eu", label: "Europe", description: "Frankfurt" },
        { id: "us", label: "America" },
      ];
      const chosen = await at.place({ type: "selection", prompt: "Where?", options, select: { max: 1 } });
      const first = await at.nth("group", 1);
      expect(first.text).toContain("Frankfurt");
      await at.chat.press("grace", first, "America").told;
      expect(await at.hold(chosen)).toMatchObject({
        outcome: { data: { selected: ["us"] }, by: { name: "grace" } },
      });
      const confirmed = await at.place({ type: "confirmation", prompt: "Send?" });
      await at.chat.press("ada", await at.nth("group", 2), "Confirm").told;
      expect(await at.hold(confirmed)).toMatchObject({ outcome: { action: "confirm" } });
    });

    test("on a short form opens a dialog where there is one, whose mistakes are told and lose nothing", async () => {
      await using at = await stage();
      const fields = [
        { key: "city", label: "City", type: "text", required: true },
        { key: "days", label: "Days", type: "number", required: true },
      ];
      const id = await at.place({ type: "input", prompt: "Where to?", form: { fields } });
      const message = await at.nth("group", 1);
      if (!at.chat.hasDialogs) {
        expect(message.buttons).toEqual(["Open", "Remind me in 1 h"]);
        return;
      }
      const label = message.buttons[0] ?? "";
      await at.chat.press("ada", message, label).told;
      expect(await at.chat.reply("ada", { city: "Oslo", days: "many" }).told).not.toBe("");
      expect(await at.hold(id)).toMatchObject({ status: "open" });
      await at.chat.press("ada", message, label).told;
      await at.chat.reply("ada", { city: "Oslo", days: "3" }).told;
      await at.closed(message);
      expect(await at.hold(id)).toMatchObject({ outcome: { data: { city: "Oslo", days: 3 } } });
    });

    test("on Details gives the presser a link of their own that no other message shows", async () => {
      await using at = await stage();
      await at.place();
      const message = await at.nth("group", 1);
      await at.chat.press("ada", message, "Details").told;
      await at.when(() => at.chat.left().includes("/review/"));
      const shown = at.chat.shown().map(({ text }) => text);
      expect(shown.join("\n")).not.toContain("/review/");
    });

    test("on the snooze button reminds the same chat in the same thread an hour later", async () => {
      await using at = await stage();
      await at.place({ timeout: "5h" });
      const first = await at.nth("group", 1);
      await at.chat.press("ada", first, "Remind me in 1 h").told;
      await at.at.clock.advance(3_600_000);
      const second = await at.nth("group", 2);
      expect(second.text).toContain("Reminder: approval needed");
      expect(second.threadOf).toBe(first.id);
      await at.when(() => at.chat.isListening());
      await act(at, () => at.chat.press("grace", second, "Approve"));
      for (const each of [first, second])
        expect(await at.closed(each)).toContain("Approved by Grace Hopper.");
    });

    test("on similar calls shows the terms in plain words, and only agreeing to them makes the grant", async () => {
      await using at = await stage();
      const call = { tool: "refund", args: { amount: 40 } };
      const check = () => at.at.call("POST", "/v1/checks", { key: at.at.keys.agent, body: call });
      const { body } = await check();
      const message = await at.nth("group", 1);
      await at.chat.press("ada", message, "Approve similar for 2 h …").told;
      const grants = async () =>
        (await at.at.call("GET", "/v1/grants", { key: at.at.keys.operator })).body.grants;
      expect(await grants()).toEqual([]);
      expect(await at.hold(body.hold.id)).toMatchObject({ status: "open" });
      const { terms, told } = at.chat.agree("ada");
      expect(terms).toContain(
        "lets refunder call refund again without asking, up to 20 times until 2026-01-05 12:00 UTC, if amount is 40.",
      );
      await told;
      expect(await at.closed(message)).toContain("Approved by Ada Lovelace.");
      expect(await grants()).toMatchObject([{ tool: "refund", uses: 20 }]);
      expect((await check()).body.verdict).toBe("allow");
    });

    test("that is delivered twice counts once and gets the same answer", async () => {
      await using at = await stage();
      const id = await at.place();
      const message = await at.nth("group", 1);
      const press = at.chat.press("ada", message, "Approve");
      await press.told;
      await press.again();
      await at.closed(message);
      const decided = (await at.events(id)).filter(({ type }) => type === "hold.decided");
      expect(decided).toHaveLength(1);
      expect((await at.events(id)).map(({ type }) => type)).not.toContain("hold.press_refused");
    });

    test("that comes too late is refused privately and changes nothing", async () => {
      await using at = await stage();
      const id = await at.place();
      const message = await at.nth("group", 1);
      const gone = at.chat.press("grace", message, "Approve");
      await at.at.call("POST", `/v1/holds/${id}/answer`, {
        key: at.at.keys.operator,
        body: { action: "reject", data: {} },
      });
      const told = await gone.told;
      const { outcome } = (await at.hold(id)) as { outcome: { action: string } };
      // The first answer has won; the person behind the other one hears of it.
      if (outcome.action === "reject") expect(told).toBe("Somebody has already answered this request.");
      else expect(told).toBe("Approved.");
      await at.closed(message);
    });
  });

  describe(`${name}: a press is refused privately and is on record`, () => {
    const refusals: readonly (readonly [Who, string, string])[] = [
      ["stranger", "not_linked", "I do not know who you are yet"],
      ["robot", "bot", "Bots cannot answer."],
      ["guest", "foreign", "Guests and people from other workspaces"],
      ["outsider", "foreign", "Guests and people from other workspaces"],
    ];
    for (const [who, reason, words] of refusals) {
      test(`if the presser is a ${who}`, async () => {
        await using at = await stage();
        const id = await at.place();
        const message = await at.nth("group", 1);
        if (!at.chat.knows.includes(who)) return;
        expect(await at.chat.press(who, message, "Approve").told).toContain(words);
        expect(await at.hold(id)).toMatchObject({ status: "open" });
        expect(at.now(message).buttons).toContain("Approve");
        const refused = (await at.events(id)).filter(({ type }) => type === "hold.press_refused");
        expect(refused).toMatchObject([{ data: { reason } }]);
      });
    }

    test("if the message is not the stored one", async () => {
      await using at = await stage();
      const id = await at.place();
      const message = await at.nth("group", 1);
      expect(await at.chat.forge("ada", message, "Approve").told).toContain("old or copied message");
      expect(await at.hold(id)).toMatchObject({ status: "open" });
      expect((await at.events(id)).map(({ type }) => type)).toContain("hold.press_refused");
    });

    test("if the rule does not name the person", async () => {
      await using at = await stage();
      const decision = { approve: [{ need: 1, from: ["person:grace"] }], strength: "account" };
      const id = await at.place({ decision, ladder: [{ after: "0s", channel: at.chat.kind }] });
      const message = await at.nth("group", 1);
      expect(await at.chat.press("ada", message, "Approve").told).toBe("You may not decide this request.");
      expect(await at.chat.press("grace", message, "Approve").told).toBe("Approved.");
      expect(await at.hold(id)).toMatchObject({ status: "decided", votes: [{ person: "grace" }] });
    });
  });

  describe(`${name}: messages`, () => {
    test("of a decision of two people show each vote by name, and both chats close when it is met", async () => {
      await using at = await stage();
      const id = await at.place({ decision: TWO });
      const [adas, graces] = [await at.nth("ada", 1), await at.nth("grace", 1)];
      expect(await at.chat.press("ada", adas, "Approve").told).toContain("More votes are needed.");
      await at.when(() => at.now(graces).text.includes("1 of 2 · Ada Lovelace: approved"));
      expect(await at.chat.press("grace", graces, "Approve").told).toBe("Approved.");
      for (const each of [adas, graces]) {
        expect(await at.closed(each)).toContain("Approved by Ada Lovelace and Grace Hopper.");
      }
      expect(await at.hold(id)).toMatchObject({ status: "decided" });
    });

    test("close when the hold is settled through another door, expires or is cancelled", async () => {
      await using at = await stage();
      // The messages of two holds may arrive in any order, so each hold waits for the message of the one before.
      const ids: string[] = [];
      const messages: Shown[] = [];
      for (const ask of [{}, { timeout: "10m" }, {}]) {
        ids.push(await at.place(ask));
        messages.push(await at.nth("group", ids.length));
      }
      const key = at.at.keys.otherOperator;
      await at.at.call("POST", `/v1/holds/${ids[0]}/answer`, { key, body: { action: "approve", data: {} } });
      await at.at.call("POST", `/v1/holds/${ids[2]}/cancel`, { key: at.at.keys.agent, body: {} });
      await at.at.clock.advance(600_000);
      const texts: string[] = [];
      for (const message of messages) texts.push(await at.closed(message));
      expect(texts[0]).toContain("Approved by Grace Hopper.");
      expect(texts[1]).toContain("Expired: nobody answered in time.");
      expect(texts[1]).not.toMatch(/Ada|Grace/);
      expect(texts[2]).toContain("Withdrawn");
    });

    test("that were sent without the bot hearing of it are closed too, or were sent once", async () => {
      await using at = await stage();
      at.chat.loseNextSend();
      const id = await at.place();
      await at.when(() => at.chat.shown("group").length >= 1);
      await at.at.server.sender.idle();
      await at.at.clock.advance(60_000);
      await at.at.server.sender.idle();
      const last = at.chat.shown("group").at(-1) as Shown;
      await at.when(() => at.chat.isListening());
      await act(at, () => at.chat.press("ada", last, "Approve"));
      expect(await at.closed(last)).toContain("Approved by Ada Lovelace.");
      expect(await at.hold(id)).toMatchObject({ status: "decided" });
      for (const stray of at.chat.shown("group").slice(0, -1)) {
        await act(at, () => at.chat.press("grace", stray, "Approve"));
        await at.closed(stray);
      }
    });

    test("wait as long as the platform asks, cost no try and lose nothing", async () => {
      await using at = await stage();
      at.chat.limit("send", 7);
      const id = await at.place();
      await at.chat.until(() => at.chat.left().includes("Refund 40 EUR?"));
      await at.at.server.sender.idle();
      await at.at.clock.advance(6_000);
      expect(at.chat.shown("group")).toHaveLength(0);
      const message = await at.nth("group", 1);
      at.chat.limit("edit", 5);
      await at.when(() => at.chat.isListening());
      await act(at, () => at.chat.press("ada", message, "Approve"));
      expect(await at.closed(message)).toContain("Approved by Ada Lovelace.");
      expect(at.chat.shown("group")).toHaveLength(1);
      await at.at.server.sender.idle();
      const path = `/v1/deliveries?hold_id=${id}`;
      const { body } = await at.at.call("GET", path, { key: at.at.keys.operator });
      for (const delivery of body.deliveries) expect(delivery.attempts).toHaveLength(1);
    });

    test("too long for the platform are not cut and have no deciding button", async () => {
      await using at = await stage();
      await at.place({ context: { report: "line\n".repeat(5_000) } });
      const message = await at.nth("group", 1);
      expect(message.buttons).toEqual(["Open", "Remind me in 1 h"]);
      expect(message.text).toContain("too long for a chat");
    });

    test("have no deciding button where context is withheld, unless the operator says so", async () => {
      await using at = await stage({ bot: { isFull: false } });
      await at.place({ context: { order: "o-1" } });
      const message = await at.nth("group", 1);
      expect(message.buttons).toEqual(["Open", "Remind me in 1 h"]);
      expect(at.chat.left()).not.toContain("o-1");
      await using always = await stage({ bot: { isFull: false, isAlways: true } });
      await always.place({ context: { order: "o-1" } });
      expect((await always.nth("group", 1)).buttons).toContain("Approve");
      expect(always.chat.left()).not.toContain("o-1");
    });

    test("never carry a redacted value: not when sent, asked, edited or closed", async () => {
      await using at = await stage({ redact: ["SECRET-\\d+"] });
      const fields = [{ key: "why", label: "Why SECRET-1?", type: "text", required: true, hint: "SECRET-2" }];
      await at.place({ prompt: "Use SECRET-3?", context: { "SECRET-4": ["SECRET-5", 1] } });
      await at.place({ type: "input", prompt: "SECRET-6", form: { fields } });
      await at.place({
        type: "selection",
        prompt: "x",
        options: [{ id: "a", label: "SECRET-7" }],
        select: { max: 1 },
      });
      for (const count of [1, 2, 3]) await at.nth("group", count);
      for (const message of at.chat.shown("group")) {
        for (const label of message.buttons) await act(at, () => at.chat.press("ada", message, label));
      }
      await at.at.server.sender.idle();
      expect(at.chat.left()).not.toMatch(/SECRET-\d/);
    });
  });

  describe(`${name}: servers and connections`, () => {
    test("a press while the server restarts is decided once, when the platform or the person brings it again", async () => {
      const first = await stage();
      const id = await first.place();
      const message = await first.nth("group", 1);
      await first.at.server.stop();
      const early = first.chat.press("ada", message, "Approve");
      await using second = await stage({ beside: first });
      await second.when(() => second.chat.isListening());
      const press = second.chat.keepsPresses ? early : second.chat.press("ada", message, "Approve");
      expect(await press.told).toBe("Approved.");
      expect(await second.closed(message)).toContain("Approved by Ada Lovelace.");
      const decided = (await second.events(id)).filter(({ type }) => type === "hold.decided");
      expect(decided).toHaveLength(1);
    });

    test("a press while the platform replaces the connection is not lost", async () => {
      await using at = await stage();
      const id = await at.place();
      const message = await at.nth("group", 1);
      const press = at.chat.press("ada", message, "Approve");
      at.chat.replaceConnection();
      await at.closed(message);
      expect(await at.hold(id)).toMatchObject({ status: "decided" });
      await settled(at, press.told);
      const next = await at.place();
      await at.when(() => at.chat.isListening());
      await act(at, async () => at.chat.press("grace", await at.nth("group", 2), "Approve"));
      expect(await at.hold(next)).toMatchObject({ status: "decided" });
    });

    test("a new token loses no message: what the old one could not send or close waits for it", async () => {
      const first = await stage();
      const open = await first.place();
      const shownOpen = await first.nth("group", 1);
      const ended = await first.place({ prompt: "Ended meanwhile?" });
      const shownEnded = await first.nth("group", 2);
      first.chat.rotateToken();
      const late = await first.place({ prompt: "Placed meanwhile?" });
      const key = first.at.keys.otherOperator;
      const body = { action: "approve", data: {} };
      await first.at.call("POST", `/v1/holds/${ended}/answer`, { key, body });
      await first.at.server.sender.idle();
      expect(await first.hold(late)).toMatchObject({ status: "open" });
      await first.at.server.stop();
      await using second = await stage({ beside: first });
      await second.when(() => second.chat.isListening());
      const message = await second.nth("group", 3);
      expect(message.text).toContain("Placed meanwhile?");
      expect(await second.closed(shownEnded)).toContain("Approved by Grace Hopper.");
      await act(second, () => second.chat.press("ada", shownOpen, "Approve"));
      await act(second, () => second.chat.press("ada", message, "Approve"));
      for (const id of [open, late]) expect(await second.hold(id)).toMatchObject({ status: "decided" });
      expect(second.chat.shown("group")).toHaveLength(3);
    });

    test("of two servers with one bot one listens, and the other one takes over", async () => {
      const first = await stage();
      await using second = await stage({ beside: first });
      const states = () => [first, second].map(({ at }) => at.server.chats.states()[0]?.listener);
      await first.when(() => states()[1] === "standby");
      expect(first.chat.isListening()).toBe(true);
      await first.at.server.stop();
      await second.chat.until(() => !second.chat.isListening());
      await second.when(() => second.chat.isListening());
      const id = await second.place();
      const message = await second.nth("group", 1);
      await act(second, () => second.chat.press("ada", message, "Approve"));
      expect(await second.hold(id)).toMatchObject({ status: "decided" });
      expect(second.chat.shown("group")).toHaveLength(1);
    });
  });
}

/** Presses, and lets the clock go on until it is answered: a connection may be about to come back. */
async function act(
  at: ChatStage,
  press: () => { readonly told: Promise<string> } | Promise<{ readonly told: Promise<string> }>,
): Promise<string> {
  return settled(at, (await press()).told);
}

async function settled(at: ChatStage, told: Promise<string>): Promise<string> {
  let isSettled = false;
  void told.finally(() => {
    isSettled = true;
  });
  await at.when(() => isSettled);
  return told;
}
