import { expect, test } from "vitest";
import { Book } from "./book.ts";

test("G13: a run adds no more messages than each event can look through, however long its conversation is already", () => {
  const messages = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `m${at}`, role: "user", content: "" }));
  const start = { type: "TEXT_MESSAGE_START", messageId: "more", role: "assistant" };
  const result = { type: "TOOL_CALL_RESULT", messageId: "r", toolCallId: "c", content: "" };
  const book = new Book(messages(20_000), {});
  book.take(start);
  book.take({ type: "MESSAGES_SNAPSHOT", messages: messages(30_000) });
  const more = { ...start, messageId: "another" };
  for (const event of [more, result, { type: "MESSAGES_SNAPSHOT", messages: messages(30_001) }])
    expect(() => book.take(event)).toThrow("add at most 10000 messages");
  expect(book.messages).toHaveLength(30_000);
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
