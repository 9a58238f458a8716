/** What people decide on in a chat can be seen, and no two values read alike (G15). */

import type { Ask, Json } from "@holdpoint/protocol/rules";
import { expect, test } from "vitest";
import { openHold } from "../../testing/core-samples.ts";
import { contextBlocks } from "./blocks.ts";
import { cardOf } from "./card.ts";
import type { ChatButton, ChatQuestion } from "./chat.ts";
import { questionOf } from "./question.ts";

const HIDDEN = "safe\u202e\u200b";
const MARKED = "safe⟦U+202E⟧⟦U+200B⟧";

function cardAbout(ask: Ask, ...buttons: readonly ChatButton[]) {
  const message = { id: "m".repeat(32), buttons };
  const more = { notes: [], isFull: true, isReminder: false, names: {} };
  return cardOf({ hold: openHold({ ask }), ask, message, ...more });
}

test("G15 a card marks unseen characters of the question, its context, its options and its buttons", () => {
  const options = [{ id: "a", label: HIDDEN, description: HIDDEN }];
  const ask: Ask = { type: "selection", prompt: HIDDEN, options, context: { [HIDDEN]: HIDDEN } };
  const data = { selected: ["a"] };
  expect(cardAbout(ask, { kind: "answer", action: "select", data })).toMatchObject({
    prompt: MARKED,
    blocks: [
      { label: MARKED, text: MARKED },
      { label: MARKED, text: MARKED },
    ],
    buttons: [{ label: MARKED }],
  });
  const named: Ask = { type: "approval", prompt: "?", actions: [{ id: "approve", label: HIDDEN }] };
  const [button] = cardAbout(named, { kind: "answer", action: "approve", data: {} }).buttons;
  expect(button?.label).toContain(MARKED);
});

test("G15 a question to a presser marks unseen characters of its fields", () => {
  const question: ChatQuestion = {
    ...{ id: "q1", holdId: "h1", messageId: "m1", button: 0, account: "a", channel: "c", expiresAt: 1 },
  };
  const options = [{ value: "a", label: HIDDEN }];
  const field = { key: "a", label: HIDDEN, hint: HIDDEN, type: "select", options } as const;
  const ask: Ask = { type: "input", prompt: HIDDEN, form: { fields: [field] } };
  const asked = { question, ask, agent: "bot", replyLength: 100 };
  expect(questionOf({ ...asked, button: { kind: "form", action: "submit" } })).toMatchObject({
    text: MARKED,
    fields: [{ label: MARKED, hint: MARKED, options: [{ id: "a", label: MARKED }] }],
  });
  const context = { tool: HIDDEN, arguments: { a: HIDDEN } };
  const call: Ask = { type: "approval", prompt: "?", context };
  const { text } = questionOf({
    ...asked,
    ask: call,
    button: { kind: "grant", forMs: 1, action: "approve" },
  });
  expect(text.split(MARKED)).toHaveLength(3);
});

test.each<readonly [Json, Json]>([
  ["5", 5],
  ["null", null],
  ["false", false],
  [[{ a: "5" }], [{ a: 5 }]],
  [[{ a: "x\nb: y" }], [{ a: "x", b: "y" }]],
])("G15 a chat tells %j and %j apart", (one, other) => {
  expect(contextBlocks({ a: one })).not.toEqual(contextBlocks({ a: other }));
});

test("G13 a card that is too long for every chat is not made eight times as long by marks", () => {
  const text = "\u007f".repeat(500_000);
  const card = cardAbout({ type: "approval", prompt: "?", context: { text } });
  expect(card.blocks.map((block) => block.text.length)).toEqual([500_000]);
});
