import { expect, test } from "vitest";
import { timerOf } from "../testing/tables.ts";
import { PRESS_KEPT_MS } from "./chat/chat.ts";

test.each<[string, object, number]>([
  ["a session is woken when it expires", { kind: "session", body: { expiresAt: 9 } }, 9],
  [
    "a code for linking an account is woken when it expires",
    { kind: "account_code", body: { expiresAt: 9 } },
    9,
  ],
  ["a question in a chat is woken when it expires", { kind: "chat_question", body: { expiresAt: 9 } }, 9],
  [
    "the record of a press is woken when platforms no longer deliver the press again",
    { kind: "chat_press", body: { at: 9 } },
    9 + PRESS_KEPT_MS,
  ],
])("%s", (_name, row, dueAt) => {
  expect(timerOf({ id: "x", ...row } as Parameters<typeof timerOf>[0])).toBe(dueAt);
});
