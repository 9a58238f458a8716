import { describe, expect, test } from "vitest";
import type { Json } from "../rules/json.ts";
import { PollResponse07, PollResponse08 } from "./poll.ts";
import { bent, pathsOf, withStrangers } from "./testing/bend.ts";
import { CANCELLED, COMPLETED, COMPLETED_08, EXPIRED, IN_PROGRESS } from "./testing/samples.ts";

const BODIES = [IN_PROGRESS, COMPLETED, EXPIRED, CANCELLED];
const SCHEMAS = [
  ["0.7", PollResponse07],
  ["0.8", PollResponse08],
] as const;

describe.each(SCHEMAS)("a %s poll", (_version, schema) => {
  const accepts = (body: Json) => schema.safeParse(body).success;

  test("HP-087 a poll has one of six statuses and a case id", () => {
    for (const status of ["pending", "opened", "in_progress"])
      expect(accepts({ status, case_id: "review_a" })).toBe(true);
    for (const body of BODIES) {
      expect(schema.parse(body)).toEqual(body);
      expect(accepts(bent(body, ["case_id"]))).toBe(false);
      expect(accepts(bent(body, ["status"]))).toBe(false);
    }
    expect(accepts({ status: "open", case_id: "review_a" })).toBe(false);
  });

  test.each(["completed_at", "result"])("HP-091 a completed poll without %s is refused", (member) => {
    expect(accepts(bent(COMPLETED, [member]))).toBe(false);
    expect(accepts(bent(COMPLETED, ["result", "action"]))).toBe(false);
  });

  test.each(["expired_at", "default_action"])("HP-092 an expired poll without %s is refused", (member) => {
    expect(accepts(bent(EXPIRED, [member]))).toBe(false);
  });

  test("HP-093 a cancelled poll needs cancelled_at, but no reason", () => {
    expect(accepts(bent(CANCELLED, ["cancelled_at"]))).toBe(false);
    expect(accepts(bent(CANCELLED, ["reason"]))).toBe(true);
  });

  test("HP-084 a poll's progress has whole numbers and no other member", () => {
    expect(accepts(bent(IN_PROGRESS, ["progress", "current_step"], 0))).toBe(false);
    expect(accepts(bent(IN_PROGRESS, ["progress", "total_steps"], 0))).toBe(false);
    expect(accepts(bent(IN_PROGRESS, ["progress", "completed_fields"], 0))).toBe(true);
    expect(accepts(bent(IN_PROGRESS, ["progress", "total_fields"], 1.5))).toBe(false);
    expect(accepts(bent(IN_PROGRESS, ["progress", "stranger"], 1))).toBe(false);
  });

  test("HP-098 a poll leaves absent members out, and null is refused", () => {
    for (const body of BODIES)
      for (const path of pathsOf(body).filter((path) => path.length > 0 && path[1] !== "data"))
        expect(accepts(bent(body, path, null)), path.join(".")).toBe(false);
  });
});

test("HP-096 a poll of 0.8 names a person only by name and a valid e-mail", () => {
  const body = bent(COMPLETED, ["responded_by"], { platform: "telegram" });
  expect(PollResponse08.safeParse(body).success).toBe(false);
  expect(PollResponse07.safeParse(body).success).toBe(true);
  expect(PollResponse08.safeParse(bent(COMPLETED, ["responded_by", "email"], "ada")).success).toBe(false);
});

test("HP-099 a poll of 0.8 refuses unknown members everywhere but in the answer's data", () => {
  for (const [path, body] of withStrangers(COMPLETED_08))
    expect(PollResponse08.safeParse(body).success, path.join(".")).toBe(path.at(-1) === "data");
});

test("HP-099 a poll that fits 0.8 fits 0.7", () => {
  for (const body of [...BODIES, COMPLETED_08]) {
    expect(PollResponse08.parse(body)).toEqual(body);
    expect(PollResponse07.parse(body)).toEqual(body);
  }
});

test("HP-189 a poll's signature has four members at most", () => {
  expect(PollResponse08.safeParse(bent(COMPLETED, ["result", "signature", "kid"], "1")).success).toBe(false);
});
