import { expect, test } from "vitest";
import { Book } from "./book.ts";

test("G13: a run cannot have more messages than each event can look through", () => {
  const messages = Array.from({ length: 10_000 }, (_, at) => ({ id: `m${at}`, role: "user", content: "" }));
  const book = new Book([], {});
  book.take({ type: "MESSAGES_SNAPSHOT", messages });
  const start = { type: "TEXT_MESSAGE_START", messageId: "more", role: "assistant" };
  expect(() => book.take(start)).toThrow("at most 10000 messages");
  const result = { type: "TOOL_CALL_RESULT", messageId: "r", toolCallId: "c", content: "" };
  expect(() => book.take(result)).toThrow("at most 10000 messages");
  expect(() => book.take({ type: "MESSAGES_SNAPSHOT", messages: [...messages, ...messages] })).toThrow(
    "at most 10000 messages",
  );
  expect(book.messages).toHaveLength(10_000);
});

test("G13: a run cannot have more open parts than each event can look through", () => {
  const book = new Book([], {});
  const start = (at: number) => book.take({ type: "STEP_STARTED", stepName: `s${at}` });
  for (let at = 0; at < 1_000; at += 1) start(at);
  expect(() => start(1_000)).toThrow("at most 1000 may be open");
  book.take({ type: "STEP_FINISHED", stepName: "s0" });
  start(1_000);
});

test("the book takes an event of a type that it does not know, also one that is named like a member of every object", () => {
  const book = new Book([], {});
  for (const type of ["SOMETHING_NEW", "constructor", "toString"]) book.take({ type });
  expect(book.closing()).toEqual([]);
});
