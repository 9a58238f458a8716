import { describe, expect, test } from "vitest";
import { type Fact, TABLE } from "../../domains.ts";
import { decidedHold, openHold } from "../../testing/core-samples.ts";
import { logData, worldWith } from "../../testing/tables.ts";
import type { Vote } from "../decision/decision.ts";
import type { Hold } from "../hold/hold.ts";
import { NO_PLATFORM } from "../platform.ts";
import type { SealedEvent } from "../record.ts";
import type { ChatMessage } from "./chat.ts";

const PRIVATE = "must-not-show";
const message: ChatMessage = {
  ...{ id: "m1", holdId: "h1", channel: "telegram", delivery: "d1", attempt: 2, ask: "sha256:h1" },
  ...{ buttons: [], madeAt: 0, to: PRIVATE, ref: { chat: PRIVATE, message: "7" } },
};
const refused = { type: "hold.press_refused", message, reason: "not_linked" } as const;
const reminder = { at: 9, kind: "reminder", n: 1, to: PRIVATE } as const;
const press = { holdId: "h1", messageId: "m1", result: { kind: "snoozed", until: 9 }, at: 1 } as const;

describe("what the log stores of facts about chats (G9)", () => {
  test.each<[Fact, unknown]>([
    [{ type: "hold.message_made", message }, null],
    [
      { type: "hold.message_sent", message },
      { channel: "telegram", attempt: 2 },
    ],
    [{ type: "hold.message_closed", message }, null],
    [{ type: "hold.message_seen", message }, null],
    [refused, { channel: "telegram", reason: "not_linked" }],
    [
      { ...refused, person: "ada" },
      { channel: "telegram", reason: "not_linked", person: "ada" },
    ],
    [
      { type: "hold.reminder_set", rung: { ...reminder, channel: "telegram" }, person: "ada" },
      { channel: "telegram", until: 9, person: "ada" },
    ],
    [
      { type: "hold.reminder_set", rung: reminder, person: "ada" },
      { channel: null, until: 9, person: "ada" },
    ],
    [{ type: "chat.pressed", press }, null],
    [{ type: "chat.question_over" }, null],
    [{ type: "chat.listener_set", listener: { holder: PRIVATE, fence: 1, until: 9 } }, null],
  ])("the log stores $type without the chat, the message or the recipient", (fact, data) => {
    expect(logData(fact)).toEqual(data);
    expect(JSON.stringify(logData(fact))).not.toContain(PRIVATE);
  });
});

describe("edits of a message in a chat", () => {
  function edits(fact: Fact, hold: Hold = openHold()) {
    const event = {
      ...{ workspace: "default", stream: "hold:h1", seq: 3, type: fact.type, at: 5 },
    } as SealedEvent;
    const record = { kind: "hold", id: "h1", fact, at: 5, actor: "system" };
    const world = worldWith({ kind: "hold", id: "h1", body: hold });
    return TABLE.messages(record, event, world, NO_PLATFORM);
  }
  const edit = {
    id: "msg_h1-3-telegram-u0",
    kind: "update",
    endpoint: "telegram",
    detail: { message: "m1" },
  };

  test("a message that arrives after the hold ended or after a vote is edited at once, so that it shows it", () => {
    const sent: Fact = { type: "hold.message_sent", message };
    const copied = { ...message, strays: [{ chat: PRIVATE, message: "6" }] };
    expect(edits({ type: "hold.message_sent", message: copied })).toHaveLength(1);
    expect(edits(sent, decidedHold())).toMatchObject([edit]);
    expect(edits(sent, openHold({ votes: [{ person: "ada" } as Vote] }))).toMatchObject([edit]);
    expect(edits(sent)).toEqual([]);
  });

  test("a press on a lost copy of the message makes an edit that closes the copy, and other refusals make none", () => {
    expect(edits({ ...refused, isStray: true })).toMatchObject([edit]);
    expect(edits(refused)).toEqual([]);
  });
});
