import { describe, expect, test } from "vitest";
import type { Bodies } from "../../domains.ts";
import { ADMIN, NOW, openHold } from "../../testing/core-samples.ts";
import { type Circumstances, type Given, given } from "../../testing/given.ts";
import { INTENT_ID, intentRow } from "../../testing/intent-samples.ts";
import type { Person } from "../people/person.ts";
import { SYSTEM } from "../principal.ts";
import type { Change } from "../world.ts";
import type { ChatButton, ChatMessage, MessageRef, Presser } from "./chat.ts";

const REF: MessageRef = { chat: "-1", message: "7" };
const FRESH = { questionId: "q1", grantId: "g1", grantSalt: "s1" };
const HOUR = 3_600_000;
const RUNG = { at: NOW + HOUR, kind: "reminder", n: 1 } as const;

const BUTTONS: readonly ChatButton[] = [
  { kind: "answer", action: "approve", data: {} },
  { kind: "reason", action: "reject", field: "feedback" },
  { kind: "details" },
  { kind: "snooze", forMs: HOUR },
  { kind: "form", action: "submit" },
  { kind: "grant", action: "approve", forMs: 2 * HOUR },
];

function message(part: Partial<ChatMessage> = {}) {
  const body: ChatMessage = {
    ...{ id: "m1", holdId: "h1", channel: "telegram", delivery: "d1", attempt: 1, ask: "sha256:h1" },
    ...{ buttons: BUTTONS, madeAt: 0, ref: REF },
    ...part,
  };
  return { kind: "chat_message", id: body.id, body } as const;
}

function person(part: Partial<Person> = {}) {
  const body: Person = {
    ...{ id: "ada", name: "Ada", role: "operator", teams: [], accounts: [], status: "active" },
    ...{ isVerified: true, source: "api", madeAt: 0 },
    ...part,
  };
  return { kind: "person", id: body.id, body } as const;
}

const ADA: Presser = { platform: "telegram", userId: "1" };
const linked = { kind: "account", id: "telegram\n\n1", body: { personId: "ada" } } as const;
const byMail = { kind: "account", id: "email\n\nada@example.com", body: { personId: "ada" } } as const;
const asServer: Circumstances = { by: SYSTEM, now: NOW };

function scene(...more: readonly Change<Bodies>[]): Given {
  return given(
    openHold({ chats: [{ id: "m1", channel: "telegram" }] }),
    message(),
    person(),
    linked,
    ...more,
  );
}

function press(
  button: number,
  part: Partial<{ press: string; ref: MessageRef; presser: Presser; channel: string }> = {},
) {
  const base = { kind: "press_chat", channel: "telegram", press: "p1", messageId: "m1", ref: REF } as const;
  return { ...base, button, presser: ADA, fresh: FRESH, ...part };
}

function reply(
  values: Readonly<Record<string, string>> | undefined,
  part: Partial<{ press: string; presser: Presser }> = {},
) {
  const base = { kind: "reply_chat", channel: "telegram", press: "r1", questionId: "q1" } as const;
  return { ...base, presser: ADA, fresh: FRESH, ...(values === undefined ? {} : { values }), ...part };
}

const resultOf = (after: Given, id = "telegram\np1") => after.get("chat_press", id)?.result;

describe("a press", () => {
  test("answers, and is stored with the answer in one commit", () => {
    const after = scene().when(press(0), asServer).then("hold.decided", "hold.message_seen", "chat.pressed");
    expect(after.hold().outcome).toMatchObject({
      door: "channel",
      shown: "sha256:h1",
      by: { kind: "channel", id: "telegram/-1", name: "ada" },
    });
    expect(resultOf(after)).toEqual({ kind: "answered", status: "decided", action: "approve" });
    expect(after.get("chat_message", "m1")).toMatchObject({ seenAt: NOW, actedAt: NOW });
    after.when(press(0), asServer).then();
  });

  test("of another channel name of the same platform says so, and a direct chat does not name its number", () => {
    const direct = given(openHold(), message({ channel: "ops", isDirect: true }), person(), linked);
    const after = direct
      .when(press(0, { channel: "ops" }), asServer)
      .then("hold.decided", "hold.message_seen", "chat.pressed");
    expect(after.hold().outcome).toMatchObject({ by: { id: "telegram:ops" } });
  });

  test("on a button that does not exist is refused, and waits for a message that is still being sent", () => {
    scene().when(press(9), asServer).refused("not_found");
    given(openHold()).when(press(0), asServer).refused("not_found");
    const { ref: _none, ...unsent } = message().body;
    given(openHold(), { kind: "chat_message", id: "m1", body: unsent }, person(), linked)
      .when(press(0), asServer)
      .refused("not_settled");
    scene().when(press(0), { by: ADMIN }).refused("not_allowed");
  });

  test("on a message whose reference was lost finds it once the hold has ended, so that it closes", () => {
    const { ref: _lost, ...unsent } = message().body;
    const over = { kind: "cancelled", cancelledBy: { kind: "key", id: "k" }, at: 1 } as const;
    const ended = given(
      openHold({ status: "cancelled", outcome: over, chats: [{ id: "m1", channel: "telegram" }] }),
      { kind: "chat_message", id: "m1", body: unsent },
      person(),
      linked,
    );
    const after = ended
      .when(press(0), asServer)
      .then("hold.message_sent", "hold.press_refused", "chat.pressed");
    expect(after.get("chat_message", "m1")).toMatchObject({ ref: REF, sentAt: NOW });
    expect(resultOf(after)).toMatchObject({ kind: "refused", code: "already_settled" });
    ended.when(press(0, { channel: "slack" }), asServer).refused("not_settled");
  });

  test("from a copy in the same chat is refused, and the copy is stored so that it closes too", () => {
    const copy = { chat: "-1", message: "8" };
    const after = scene()
      .when(press(0, { ref: copy }), asServer)
      .then("hold.press_refused", "chat.pressed");
    expect(after.get("chat_message", "m1")?.strays).toEqual([copy]);
    const again = after
      .when(press(0, { ref: copy, press: "p2" }), asServer)
      .then("hold.press_refused", "chat.pressed");
    expect(again.get("chat_message", "m1")?.strays).toEqual([copy]);
    // A copy that somebody presses again and again neither fills the log nor sends more updates.
    again.when(press(0, { ref: copy, press: "p3" }), asServer).then("chat.pressed");
    const full = Array.from({ length: 10 }, (_, n) => ({ chat: "-1", message: `s${n}` }));
    given(openHold(), message({ strays: full }), person(), linked)
      .when(press(0, { ref: copy }), asServer)
      .then("hold.press_refused", "chat.pressed");
  });

  test("from another chat or channel is refused, and is on record once for each account", () => {
    const forged = { ref: { chat: "-9", message: "7" } };
    const after = scene().when(press(0, forged), asServer).then("hold.press_refused", "chat.pressed");
    expect(after.get("chat_message", "m1")?.strays).toBeUndefined();
    after.when(press(0, { ...forged, press: "p2" }), asServer).then("chat.pressed");
    scene()
      .when(press(0, { channel: "other" }), asServer)
      .then("hold.press_refused", "chat.pressed");
    const many = Array.from({ length: 50 }, (_, n) => `r${n}`);
    given(openHold(), message({ refused: many }), person(), linked)
      .when(press(0, forged), asServer)
      .then("chat.pressed");
  });

  test.each([
    ["bot", { ...ADA, isBot: true }],
    ["not_linked", { platform: "telegram", userId: "9" }],
    ["foreign", { platform: "slack", tenant: "T1", userId: "9", isGuest: true, email: "ada@example.com" }],
    ["foreign", { platform: "slack", tenant: "T1", userId: "9", isForeign: true }],
  ] as const)("by an account that stands for nobody is refused: %s", (code, presser) => {
    const after = scene(byMail)
      .when(press(0, { presser }), asServer)
      .then("hold.press_refused", "chat.pressed");
    expect(resultOf(after)).toEqual({ kind: "refused", code });
    expect(after.hold().status).toBe("open");
  });

  test("by an address counts where the operator trusts the platform with it", () => {
    const presser = { platform: "slack", userId: "9", email: "ada@example.com" };
    scene(byMail)
      .when(press(0, { presser }), asServer)
      .then("hold.decided", "hold.message_seen", "chat.pressed");
  });

  test("by a suspended or erased person is refused", () => {
    for (const part of [{ status: "suspended" }, { status: "active", erasedAt: 1 }] as const) {
      const after = given(openHold(), message(), person(part), linked)
        .when(press(0), asServer)
        .then("hold.press_refused", "chat.pressed");
      expect(resultOf(after)).toEqual({ kind: "refused", code: "suspended" });
    }
  });

  test("is refused with the words of the rule that refuses the answer", () => {
    const after = given(openHold({ answerers: ["grace"] }), message(), person(), linked)
      .when(press(0), asServer)
      .then("hold.press_refused", "chat.pressed");
    expect(resultOf(after)).toMatchObject({
      kind: "refused",
      code: "not_allowed",
      message: expect.any(String),
    });
    expect(after.facts[0]?.fact).toMatchObject({ person: "ada" });
  });

  test("that only adds a vote leaves the hold open", () => {
    const decision = {
      ...{
        approve: [{ need: 2, from: ["person:ada", "person:grace"] }],
        reject: 1,
        exclude: [],
        excluded: [],
      },
      ...({ strength: "account", order: "any" } as const),
    };
    const grace = person({ id: "grace" });
    const after = given(openHold({ decision }), message(), person(), grace, linked)
      .when(press(0), asServer)
      .then("hold.voted", "hold.message_seen", "chat.pressed");
    expect(resultOf(after)).toMatchObject({ status: "voted" });
  });
});

describe("details and snoozing", () => {
  test("details go to a person who may answer, while the hold is open", () => {
    expect(resultOf(scene().when(press(2), asServer).then("hold.message_seen", "chat.pressed"))).toEqual({
      kind: "details",
      person: "ada",
    });
    const auditor = given(openHold(), message(), person({ role: "auditor" }), linked);
    expect(
      resultOf(auditor.when(press(2), asServer).then("hold.message_seen", "chat.pressed")),
    ).toMatchObject({ code: "not_allowed" });
    const over = given(openHold({ status: "cancelled" }), message(), person(), linked);
    expect(resultOf(over.when(press(2), asServer).then("hold.message_seen", "chat.pressed"))).toMatchObject({
      code: "already_settled",
    });
  });

  test("details give nobody more than they have: not the asker, and nobody whom the intent's access list keeps out", () => {
    const code = (...rows: readonly (Change<Bodies> | ReturnType<typeof openHold>)[]) =>
      resultOf(
        given(...rows, message(), linked)
          .when(press(2), asServer)
          .then("hold.message_seen", "chat.pressed"),
      );
    expect(code(openHold({ createdBy: "ada" }), person())).toMatchObject({ code: "not_allowed" });
    const request = {
      id: "access_1",
      type: "access",
      reason: "",
      context: {},
      intentId: INTENT_ID,
      holdId: "h1",
      principalId: "bot",
      principalType: "agent",
      permission: "admin",
      capabilities: [],
      askedBy: "bot",
      at: 0,
      status: "pending",
    } as const;
    const rows = (role: "operator" | "admin") =>
      [
        openHold({ intentRequestId: "access_1" }),
        intentRow({ acl: { policy: "closed", entries: [] } }),
        { kind: "intent_request", id: request.id, body: request },
        person({ role }),
      ] as const;
    expect(code(...rows("operator"))).toMatchObject({ code: "not_allowed" });
    expect(code(...rows("admin"))).toMatchObject({ kind: "details" });
  });

  test("a snooze adds a reminder for this chat, in its place among the rungs", () => {
    const later = { at: NOW + 5 * HOUR, kind: "attempt", n: 2 } as const;
    const start = given(openHold({ rungs: [later] }), message({ to: "-1", seenAt: 5 }), person(), linked);
    const after = start
      .when(press(3), asServer)
      .then("hold.message_seen", "hold.snoozed", "hold.reminder_set", "chat.pressed");
    const rung = { at: NOW + HOUR, kind: "reminder", n: 1, channel: "telegram", to: "-1" };
    expect(after.hold().rungs).toEqual([rung, later]);
    expect(after.get("chat_message", "m1")?.seenAt).toBe(5);
    const usual = scene()
      .when(press(3), asServer)
      .then("hold.message_seen", "hold.snoozed", "hold.reminder_set", "chat.pressed");
    expect(usual.hold().rungs[0]).not.toHaveProperty("to");
  });

  test("a snooze is refused after the end, for those who may not answer, if the hold ends before, and after many reminders", () => {
    const codes = [
      given(openHold({ status: "cancelled" }), message(), person(), linked),
      given(openHold(), message(), person({ role: "auditor" }), linked),
      given(openHold({ expiresAt: NOW + HOUR }), message(), person(), linked),
      given(openHold({ rungs: Array(200).fill(RUNG) }), message(), person(), linked),
    ].map((start) => resultOf(start.when(press(3), asServer).then("hold.message_seen", "chat.pressed")));
    expect(codes).toMatchObject([
      { code: "already_settled" },
      { code: "not_allowed" },
      { code: "ends_before" },
      { code: "too_many_reminders" },
    ]);
  });
});

describe("a question", () => {
  const asked = () =>
    scene().when(press(1), asServer).then("hold.message_seen", "chat.asked", "chat.pressed");

  test("is stored for the account that pressed, and its reply is the answer", () => {
    const after = asked();
    expect(resultOf(after)).toEqual({ kind: "asked", question: "q1" });
    const prompted = after
      .when({ kind: "note_chat_asked", questionId: "q1", ref: { chat: "1", message: "9" } }, asServer)
      .then("chat.prompted");
    expect(prompted.get("chat_prompt", "telegram\n1\n9")).toEqual({ questionId: "q1" });
    const done = prompted
      .when(reply({ text: "too much" }), asServer)
      .then("hold.decided", "hold.message_seen", "chat.question_over", "chat.pressed");
    expect(done.hold().outcome).toMatchObject({ action: "reject", data: { feedback: "too much" } });
    expect(done.get("chat_prompt", "telegram\n1\n9")).toBeUndefined();
    done.when(reply({ text: "too much" }), asServer).then();
    done.when(reply({ text: "x" }, { press: "r2" }), asServer).refused("not_found");
  });

  test("is asked only while the hold is open", () => {
    const over = given(openHold({ status: "cancelled" }), message(), person(), linked);
    expect(resultOf(over.when(press(1), asServer).then("hold.message_seen", "chat.pressed"))).toMatchObject({
      code: "already_settled",
    });
  });

  test("takes an empty reply as no reason, and can be declined", () => {
    const done = asked()
      .when(reply({}), asServer)
      .then("hold.decided", "hold.message_seen", "chat.question_over", "chat.pressed");
    expect(done.hold().outcome).toMatchObject({ data: {} });
    const declined = asked().when(reply(undefined), asServer).then("chat.question_over", "chat.pressed");
    expect(resultOf(declined, "telegram\nr1")).toEqual({ kind: "refused", code: "declined" });
  });

  test("is for one account, lasts a day, and not for a suspended person", () => {
    const other = { platform: "telegram", userId: "2" };
    const refused = asked()
      .when(reply({ text: "x" }, { presser: other }), asServer)
      .then("hold.press_refused", "chat.pressed");
    expect(resultOf(refused, "telegram\nr1")).toEqual({ kind: "refused", code: "not_yours" });
    const late = asked()
      .when(reply({ text: "x" }), { by: SYSTEM, now: NOW + 24 * HOUR })
      .then("chat.pressed");
    expect(resultOf(late, "telegram\nr1")).toEqual({ kind: "refused", code: "question_over" });
    const rows = asked();
    const suspended = rows
      .when({ kind: "change_person", personId: "ada", patch: { status: "suspended" } }, { by: ADMIN })
      .then("person.suspended");
    suspended.when(reply({ text: "x" }), asServer).then("hold.press_refused", "chat.pressed");
  });

  test("stays open if the rules refuse the answer", () => {
    const rows = asked().when({ kind: "cancel_hold", holdId: "h1" }, { by: ADMIN }).then("hold.cancelled");
    const after = rows.when(reply({ text: "x" }), asServer).then("hold.press_refused", "chat.pressed");
    expect(after.get("chat_question", "q1")).toBeDefined();
  });

  test("about a form gives the form's values, numbers as numbers", () => {
    const form = {
      fields: [
        { key: "city", label: "City", type: "text" },
        { key: "count", label: "Count", type: "number" },
        { key: "share", label: "Share", type: "range" },
        { key: "note", label: "Note", type: "text" },
      ],
    } as const;
    const hold = openHold({ ask: { type: "input", prompt: "Where?", form } });
    const start = given(hold, message(), person(), linked);
    const pressed = start.when(press(4), asServer).then("hold.message_seen", "chat.asked", "chat.pressed");
    const values = { city: " Rome ", count: "3", share: "much" };
    const refused = pressed.when(reply(values), asServer).then("hold.press_refused", "chat.pressed");
    const done = refused
      .when(reply({ ...values, share: "5" }, { press: "r2" }), asServer)
      .then("hold.decided", "hold.message_seen", "chat.question_over", "chat.pressed");
    expect(done.hold().outcome).toMatchObject({ data: { city: "Rome", count: 3, share: 5 } });
  });

  test("about a form leaves an empty field out, also one that is named like a member of every object", () => {
    const fields = [
      { key: "city", label: "City", type: "text" },
      { key: "constructor", label: "Builder", type: "text" },
    ] as const;
    const hold = openHold({ ask: { type: "input", prompt: "Where?", form: { fields } } });
    const done = given(hold, message(), person(), linked)
      .when(press(4), asServer)
      .then("hold.message_seen", "chat.asked", "chat.pressed")
      .when(reply({ city: "Rome" }), asServer)
      .then("hold.decided", "hold.message_seen", "chat.question_over", "chat.pressed");
    expect(done.hold().outcome).toMatchObject({ data: { city: "Rome" } });
  });

  test("about similar calls carries the terms that were shown", () => {
    const pressed = scene().when(press(5), asServer).then("hold.message_seen", "chat.asked", "chat.pressed");
    expect(pressed.get("chat_question", "q1")?.grantUntil).toBe(NOW + 2 * HOUR);
    const after = pressed.when(reply({}), asServer).then("hold.press_refused", "chat.pressed");
    // The sample hold was not placed by a check, so there are no similar calls.
    expect(resultOf(after, "telegram\nr1")).toMatchObject({ code: "not_grantable" });
  });

  test("never belongs to a button that asks nothing", () => {
    const question = {
      ...{
        id: "q1",
        holdId: "h1",
        messageId: "m1",
        button: 2,
        account: "telegram\n\n1",
        channel: "telegram",
      },
      expiresAt: NOW + 1,
    };
    const broken = scene({ kind: "chat_question", id: "q1", body: question });
    expect(() => broken.when(reply({ text: "x" }), asServer)).toThrow("asks no question");
  });

  test("is dropped when its time is over, and so is the record of a press", () => {
    const drop = { kind: "drop_chat_question", questionId: "q1" } as const;
    asked().when(drop, asServer).then();
    asked()
      .when(drop, { by: SYSTEM, now: NOW + 24 * HOUR })
      .then("chat.question_over");
    asked().when({ kind: "drop_chat_press", pressId: "telegram\np1" }, asServer).then("chat.pressed");
    scene().when({ kind: "note_chat_asked", questionId: "q9", ref: REF }, asServer).refused("not_found");
    scene().when(reply({}), asServer).refused("not_found");
  });
});
