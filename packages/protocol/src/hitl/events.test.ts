import { describe, expect, test } from "vitest";
import type { JsonObject } from "../rules/json.ts";
import { CASE_EVENT_DATA, Callback, CaseEvent } from "./events.ts";
import { bent } from "./testing/bend.ts";
import { CALLBACK_EVENTS, CASE_EVENTS } from "./vocabulary.ts";

const AT = "2026-03-01T10:00:00Z";
const RESULT = { action: "approve", data: {} };
const CASE = { case_id: "review_a" };

const DATA: Readonly<Record<(typeof CASE_EVENTS)[number], JsonObject>> = {
  "review.opened": { ...CASE, opened_at: AT },
  "review.in_progress": { ...CASE, opened_at: AT },
  "review.reminder": { ...CASE, reminder_at: AT, message: "Twelve hours left" },
  "review.completed": { ...CASE, completed_at: AT, result: RESULT },
  "review.expired": { ...CASE, expired_at: AT, default_action: "skip" },
  "review.cancelled": { ...CASE, cancelled_at: AT },
};

test("HP-152 a stream has six kinds of event, and none for pending", () => {
  expect(CASE_EVENTS).toHaveLength(6);
  expect(Object.keys(CASE_EVENT_DATA).sort()).toEqual([...CASE_EVENTS].sort());
  expect(CaseEvent.safeParse({ event: "review.pending", data: CASE }).success).toBe(false);
});

describe.each(CASE_EVENTS)("the event %s", (event) => {
  const schema = CASE_EVENT_DATA[event];

  test("HP-153 an event has its own members and perhaps the status, and no other", () => {
    expect(CaseEvent.parse({ id: "7", event, data: DATA[event] })).toEqual({
      id: "7",
      event,
      data: DATA[event],
    });
    expect(schema.safeParse({ ...DATA[event], status: "x" }).success).toBe(true);
    expect(schema.safeParse({ ...DATA[event], stranger: 1 }).success).toBe(false);
  });

  test.each(Object.keys(DATA[event]))("HP-153 an event without %s is refused", (member) => {
    expect(schema.safeParse(bent(DATA[event], [member])).success).toBe(false);
  });
});

test("HP-153 an event may have progress, and a cancellation may have a reason", () => {
  const progress = { current_step: 1, total_steps: 2 };
  expect(
    CASE_EVENT_DATA["review.in_progress"].safeParse({ ...DATA["review.in_progress"], progress }).success,
  ).toBe(true);
  expect(
    CASE_EVENT_DATA["review.cancelled"].safeParse({ ...DATA["review.cancelled"], reason: "x" }).success,
  ).toBe(true);
});

const CALLBACKS: Readonly<Record<(typeof CALLBACK_EVENTS)[number], JsonObject>> = {
  "review.completed": { ...CASE, timestamp: AT, completed_at: AT, result: RESULT },
  "review.expired": { ...CASE, timestamp: AT, expired_at: AT, default_action: "skip" },
  "review.cancelled": { ...CASE, timestamp: AT, cancelled_at: AT },
};

describe.each(CALLBACK_EVENTS)("the callback %s", (event) => {
  const body = { event, ...CALLBACKS[event] };

  test("HP-163 a callback is parsed unchanged, and one with an unknown member is refused", () => {
    expect(Callback.parse(body)).toEqual(body);
    expect(Callback.safeParse({ ...body, stranger: 1 }).success).toBe(false);
    expect(Callback.safeParse({ ...body, result: RESULT }).success).toBe(event === "review.completed");
  });

  test.each(Object.keys(body))("HP-163 a callback without %s is refused", (member) => {
    expect(Callback.safeParse(bent(body, [member])).success).toBe(false);
  });
});

test("HP-161 a callback is sent for endings only", () => {
  expect(Callback.safeParse({ event: "review.opened", ...CASE, timestamp: AT, opened_at: AT }).success).toBe(
    false,
  );
});
