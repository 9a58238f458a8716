import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { APPROVED, openHold } from "../testing/core-samples.ts";
import { type Recorded, timerOf, worldWith } from "../testing/tables.ts";
import type { WorkspaceSettings } from "./access/access.ts";
import type { FactRecord } from "./draft.ts";
import type { HoldFact } from "./hold/facts.ts";
import type { Hold } from "./hold/hold.ts";
import { messagesOf } from "./hold/messages.ts";
import type { Rung } from "./hold/time.ts";
import type { Person } from "./people/person.ts";
import { NO_PLATFORM, type Notify } from "./platform.ts";
import type { SealedEvent } from "./record.ts";

const frame = { kind: "hold", id: "h1", at: 5, actor: "system" } as const;
const decided: Recorded = { ...frame, fact: { type: "hold.decided", outcome: APPROVED } };
const ADA: Person = {
  ...{ id: "ada", name: "Ada", role: "operator", teams: [], accounts: [], status: "active" },
  ...{ isVerified: true, source: "api", madeAt: 0 },
};
const settings = (...webhooks: WorkspaceSettings["webhooks"]): WorkspaceSettings => ({ webhooks });

function messages(stated: Recorded, hold: Hold = openHold(), of = settings(), notify: Partial<Notify> = {}) {
  const { type } = stated.fact;
  const event = { workspace: "default", stream: "hold:h1", seq: 3, type, at: 5 } as SealedEvent;
  const platform = { ...NO_PLATFORM, notify: { ...NO_PLATFORM.notify, ...notify } };
  const world = worldWith(
    { kind: "hold", id: "h1", body: hold },
    { kind: "workspace", id: "settings", body: of },
  );
  return messagesOf(stated as FactRecord<HoldFact>, event, world, platform);
}

describe("timers of holds", () => {
  test("an open hold's timer is due when the hold expires, and a hold without an expiry has no timer", () => {
    expect(timerOf({ kind: "hold", id: "h1", body: openHold({ expiresAt: 9 }) })).toBe(9);
    expect(timerOf({ kind: "hold", id: "h1", body: openHold() })).toBeNull();
    expect(timerOf({ kind: "hold", id: "h1", body: null })).toBeNull();
  });

  test("an entity kind without timers, such as hold_key, has no timer at all", () => {
    expect(timerOf({ kind: "hold_key", id: "k", body: { holdId: "h1" } })).toBeUndefined();
  });
});

describe("messages about a hold", () => {
  test("a message goes to each webhook that listens to the event type, and an empty list listens to all", () => {
    const listening = settings(
      { id: "all", events: [] },
      { id: "ends", events: ["hold.decided"] },
      { id: "no", events: ["hold.placed"] },
    );
    expect(messages(decided, undefined, listening).map(({ endpoint }) => endpoint)).toEqual(["all", "ends"]);
  });

  test("a message's id derives from its event, so a retried decision produces the same message", () => {
    expect(messages(decided, undefined, settings({ id: "all", events: [] }))).toEqual([
      {
        id: "msg_h1-3-all",
        workspace: "default",
        kind: "webhook",
        endpoint: "all",
        lane: "all",
        holdId: "h1",
        event: { stream: "hold:h1", seq: 3, type: "hold.decided" },
        detail: {},
        state: "waiting",
        attempts: [],
        createdAt: 5,
        dueAt: 5,
        claim: 0,
      },
    ]);
  });

  test("the creator's callback gets a message when the hold ends and for no other event", () => {
    const hold = openHold({ callbackUrl: "https://agent.test" });
    expect(messages(decided, hold)).toMatchObject([
      { kind: "callback", endpoint: "callback", lane: "agent.test" },
    ]);
    expect(messages({ ...frame, fact: { type: "hold.opened" } }, hold)).toEqual([]);
    expect(messages(decided, openHold())).toEqual([]);
  });

  test("every message in a chat is edited when the hold ends, and stays as it is when somebody opens the hold", () => {
    const chats = [
      { id: "m1", channel: "telegram" },
      { id: "m2", channel: "slack" },
    ];
    const edits = messages(decided, openHold({ chats }));
    expect(edits).toMatchObject([
      { id: "msg_h1-3-telegram-u0", kind: "update", endpoint: "telegram", detail: { message: "m1" } },
      { id: "msg_h1-3-slack-u1", kind: "update", endpoint: "slack", detail: { message: "m2" } },
    ]);
    expect(messages({ ...frame, fact: { type: "hold.opened" } }, openHold({ chats }))).toEqual([]);
  });

  test("a channel that closes its messages is told of the end if it may have notified somebody", () => {
    const closing = ["pager"];
    const told = (more: Partial<Hold>, notify: Partial<Notify> = { closing }) =>
      messages(decided, openHold(more), settings(), notify).map(({ id, kind }) => [kind, id]);
    const rung = (more: Partial<Rung>): Partial<Hold> => ({
      rungs: [{ at: 1, kind: "attempt", n: 1, state: "fired", ...more }],
    });
    const pager = ["update", "msg_h1-3-pager-end"];
    const push = ["update", "msg_h1-3-push-end"];
    expect(told({})).toEqual([]);
    expect(told(rung({ channel: "pager" }))).toEqual([pager]);
    expect(told({ rungs: [{ at: 9, kind: "attempt", n: 1, channel: "pager" }] })).toEqual([]);
    expect(told(rung({ channel: "mail" }))).toEqual([]);
    expect(told(rung({}), { closing, defaultChannel: "pager" })).toEqual([pager]);
    expect(told(rung({ channel: "push" }), {})).toEqual([push]);
    // A person who is named without a channel is told by the one that they prefer.
    expect(told(rung({ to: "person:ada" }))).toEqual([push, pager]);
    expect(told({ assignee: "ada" })).toEqual([push, pager]);
  });

  test("a question back reaches the creator's callback once; other comments and other protocols' callbacks do not", () => {
    const by = { kind: "key", id: "k" } as const;
    const comment = { id: "c1", at: 5, by, text: "Which?" };
    const asked: Recorded = {
      ...frame,
      fact: { type: "hold.commented", comment: { ...comment, asksBack: true } },
    };
    const hold = openHold({ callbackUrl: "https://agent.test" });
    expect(messages(asked, hold)).toMatchObject([{ id: "msg_h1-3-callback", kind: "callback" }]);
    expect(messages(asked, { ...hold, face: { callbacks: "hitl" } })).toEqual([]);
    expect(messages({ ...frame, fact: { type: "hold.commented", comment } }, hold)).toEqual([]);
  });

  test("the person who is handed a hold is told by the default channel; one who takes a hold is not", () => {
    const handed: Recorded = { ...frame, fact: { type: "hold.assigned", assignee: "ben", isTold: true } };
    const told = (stated: Recorded, notify: Partial<Notify>) =>
      messages(stated, openHold(), settings(), notify);
    expect(told(handed, { defaultChannel: "email" })).toMatchObject([
      { kind: "notice", endpoint: "email", detail: { attempt: 1, to: "person:ben" } },
    ]);
    expect(told(handed, {})).toEqual([]);
    const taken: Recorded = { ...frame, fact: { type: "hold.assigned", assignee: "ben" } };
    expect(told(taken, { defaultChannel: "email" })).toEqual([]);
  });

  test("a callback message names the retry schedule of its face, and ignores a value that is not a name", () => {
    const sent = (face: JsonObject) =>
      messages(decided, openHold({ callbackUrl: "https://agent.test", face }));
    expect(sent({ callbacks: "hitl" })).toMatchObject([{ kind: "callback", detail: { schedule: "hitl" } }]);
    expect(sent({ callbacks: 5 })[0]?.detail).toEqual({});
  });

  test.each<[string, Partial<Rung>, readonly unknown[]]>([
    [
      "one message for a rung that fired",
      { channel: "chat", to: "lead", state: "fired" },
      [{ kind: "notice", endpoint: "chat", detail: { attempt: 2, to: "lead" } }],
    ],
    [
      "one message without a recipient for a rung that names nobody",
      { channel: "chat", state: "fired" },
      [{ kind: "notice", detail: { attempt: 2 } }],
    ],
    ["no message for a rung without a channel", { state: "fired" }, []],
    ["no message for a rung that was missed", { channel: "chat", state: "missed" }, []],
    ["no message for a rung that was skipped", { channel: "chat", state: "skipped" }, []],
  ])("an escalation or reminder sends %s", (_name, part, expected) => {
    const rung: Rung = { at: 5, kind: "attempt", n: 2, ...part };
    for (const type of ["hold.escalated", "hold.reminded"] as const) {
      const found = messages({ ...frame, fact: { type, index: 0, rung } });
      expect(found).toHaveLength(expected.length);
      expect(found).toMatchObject(expected);
    }
  });

  const sent = (part: Partial<Rung>, notify: Partial<Notify> = {}) => {
    const rung: Rung = { at: 5, kind: "attempt", n: 2, state: "fired", ...part };
    const fact = { type: "hold.escalated", index: 0, rung } as const;
    return messages({ ...frame, fact }, openHold(), settings(), notify).map(({ id, endpoint, detail }) => [
      id,
      endpoint,
      detail,
    ]);
  };

  test("a rung without a recipient sends one message to each configured recipient of its channel", () => {
    const notify = { channels: { email: ["ada", "ben"], chat: [] } };
    expect(sent({ channel: "email" }, notify)).toEqual([
      ["msg_h1-3-email", "email", { attempt: 2, to: "ada" }],
      ["msg_h1-3-email-1", "email", { attempt: 2, to: "ben" }],
    ]);
    expect(sent({ channel: "email", to: "lead" }, notify)).toEqual([
      ["msg_h1-3-email", "email", { attempt: 2, to: "lead" }],
    ]);
    expect(sent({ channel: "chat" }, notify)).toEqual([["msg_h1-3-chat", "chat", { attempt: 2 }]]);
  });

  test('a rung without a channel uses the default channel, and "default" if none is configured', () => {
    expect(sent({}, { defaultChannel: "console" })).toEqual([
      ["msg_h1-3-console", "console", { attempt: 2 }],
    ]);
    expect(sent({ to: "ada" })).toEqual([["msg_h1-3-default", "default", { attempt: 2, to: "ada" }]]);
  });

  test("a message to a person is due when their quiet hours are over; other people's are due at once", () => {
    const rung = {
      at: 5,
      kind: "attempt",
      n: 2,
      state: "fired",
      channel: "email",
      to: "person:ada",
    } as const;
    const stated = { ...frame, fact: { type: "hold.escalated", index: 0, rung } } as FactRecord<HoldFact>;
    const event = { workspace: "default", stream: "hold:h1", seq: 3, type: "hold.escalated", at: 5 };
    const due = (more: Partial<Person>) => {
      const ada = { ...ADA, ...more };
      const world = worldWith(
        { kind: "hold", id: "h1", body: openHold() },
        { kind: "person", id: "ada", body: ada },
      );
      return messagesOf(stated, event as SealedEvent, world, NO_PLATFORM).map(({ dueAt }) => dueAt);
    };
    const quietHours = { from: 0, until: 60 };
    expect(due({})).toEqual([5]);
    expect(due({ quietHours })).toEqual([3_600_000]);
    expect(due({ quietHours: { from: 60, until: 120 } })).toEqual([5]);
    // At the beginning of 1970 it was one o'clock in Berlin.
    expect(due({ quietHours, timeZone: "Europe/Berlin" })).toEqual([5]);
  });

  test("placing a hold sends the messages of a first attempt that fires immediately", () => {
    const rungs: readonly Rung[] = [
      { at: 5, kind: "attempt", n: 1, channel: "chat", state: "fired" },
      { at: 5, kind: "attempt", n: 1, channel: "email", to: "ada", state: "fired" },
      { at: 9, kind: "attempt", n: 2, channel: "email" },
    ];
    const hold = openHold({ rungs });
    expect(messages({ ...frame, fact: { type: "hold.placed", hold } }, hold)).toMatchObject([
      { id: "msg_h1-3-chat", detail: { attempt: 1 } },
      { id: "msg_h1-3-email-1", detail: { attempt: 1, to: "ada" } },
    ]);
  });
});
