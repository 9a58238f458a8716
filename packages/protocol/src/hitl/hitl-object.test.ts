import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../rules/json.ts";
import { HitlObject, HitlObject07, HitlObject08, HumanInputRequired } from "./hitl-object.ts";
import { bent } from "./testing/bend.ts";
import { HITL_07, HITL_08, POLICY, TOKEN } from "./testing/samples.ts";
import { REQUIRED_MEMBERS } from "./vocabulary.ts";

const VERSIONS = [
  ["0.7", HitlObject07, HITL_07],
  ["0.8", HitlObject08, HITL_08],
] as const;

describe.each(VERSIONS)("a %s object", (_version, schema, sample) => {
  const accepts = (member: string, value: Json) => schema.safeParse(bent(sample, [member], value)).success;
  const without = (...members: string[]) =>
    schema.safeParse(members.reduce<Json>((value, member) => bent(value, [member]), sample)).success;

  test("HP-007 a hitl object is parsed unchanged", () => {
    expect(schema.parse(sample)).toEqual(sample);
  });

  test.each(REQUIRED_MEMBERS)("HP-007 a hitl object without %s is refused", (member) => {
    expect(without(member)).toBe(false);
  });

  test("HP-007 a hitl object with only its eight required members is accepted", () => {
    const bare = Object.fromEntries(REQUIRED_MEMBERS.map((member) => [member, sample[member]]));
    expect(schema.parse(bare)).toEqual(bare);
  });

  test("HP-008 a hitl object with an unknown member is refused", () => {
    expect(accepts("stranger", 1)).toBe(false);
  });

  test.each(["", "a b", "a/b", "ä", 7])("HP-010 a hitl object with the case id %j is refused", (id) => {
    expect(accepts("case_id", id)).toBe(false);
  });

  test.each(["review_url", "poll_url", "callback_url", "events_url", "submit_url"])(
    "HP-011 a hitl object accepts %s only over https or on this machine",
    (member) => {
      expect(accepts(member, "https://shop.example/x")).toBe(true);
      expect(accepts(member, "http://localhost:4100/x")).toBe(true);
      expect(accepts(member, "http://127.0.0.1/x")).toBe(true);
      for (const url of ["http://shop.example/x", "http://10.0.0.1/x", "http://localhost.evil/x", "x"])
        expect(accepts(member, url)).toBe(false);
    },
  );

  test("HP-013 a hitl object accepts five types, and any that starts with x-", () => {
    for (const type of ["approval", "selection", "input", "confirmation", "escalation", "x-compare"])
      expect(accepts("type", type)).toBe(true);
    for (const type of ["foo", "", "X-compare", "approve"]) expect(accepts("type", type)).toBe(false);
  });

  test("HP-014 a hitl object accepts a prompt of 500 characters, not of 501", () => {
    expect(accepts("prompt", "a".repeat(500))).toBe(true);
    expect(accepts("prompt", "😀".repeat(500))).toBe(true);
    expect(accepts("prompt", "a".repeat(501))).toBe(false);
  });

  test.each(["created_at", "expires_at"])("HP-015 a hitl object needs %s in RFC 3339", (member) => {
    expect(accepts(member, "2026-03-01T10:00:00+01:00")).toBe(true);
    expect(accepts(member, "2026-03-01")).toBe(false);
    expect(accepts(member, 1_772_359_200_000)).toBe(false);
  });

  test("HP-018 a hitl object accepts four default actions", () => {
    for (const action of ["skip", "approve", "reject", "abort"])
      expect(accepts("default_action", action)).toBe(true);
    expect(accepts("default_action", "retry")).toBe(false);
  });

  test("HP-019 a hitl object accepts null as callback address", () => {
    expect(accepts("callback_url", null)).toBe(true);
    expect(without("callback_url")).toBe(true);
  });

  test("HP-021 a hitl object keeps its context unchanged", () => {
    const context = { deep: [{ a: null, b: [1, "two"] }], total: 5, constructor: "x" };
    expect(schema.parse({ ...sample, context }).context).toEqual(context);
  });

  test("HP-022 a hitl object accepts one reminder or several", () => {
    expect(accepts("reminder_at", "2026-03-01T12:00:00Z")).toBe(true);
    expect(accepts("reminder_at", ["2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z"])).toBe(true);
    expect(accepts("reminder_at", "soon")).toBe(false);
    expect(accepts("reminder_at", ["soon"])).toBe(false);
  });

  test("HP-023 a hitl object's previous case id must have the pattern of case ids", () => {
    expect(accepts("previous_case_id", "review_1-A")).toBe(true);
    expect(accepts("previous_case_id", "review 1")).toBe(false);
  });

  test("HP-024 a hitl object accepts a surface with format and version", () => {
    expect(accepts("surface", { format: "json-render", version: "1.0" })).toBe(true);
    expect(accepts("surface", { format: 1 })).toBe(false);
  });

  test("HP-025 a hitl object has submit_url and submit_token together or not at all", () => {
    expect(without("submit_url", "submit_token")).toBe(true);
    expect(without("submit_url")).toBe(false);
    expect(without("submit_token")).toBe(false);
  });

  test("HP-026 a hitl object refuses a submit token under 32 characters", () => {
    expect(TOKEN).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(accepts("submit_token", "a".repeat(32))).toBe(true);
    expect(accepts("submit_token", "a".repeat(31))).toBe(false);
  });

  test("HP-027 a hitl object accepts a list of texts as inline actions", () => {
    expect(accepts("inline_actions", ["confirm"])).toBe(true);
    expect(accepts("inline_actions", "confirm")).toBe(false);
    expect(accepts("inline_actions", [1])).toBe(false);
  });
});

test("HP-009 each version accepts its own number only", () => {
  expect(HitlObject07.safeParse({ ...HITL_07, spec_version: "0.8" }).success).toBe(false);
  expect(HitlObject08.safeParse({ ...HITL_08, spec_version: "0.7" }).success).toBe(false);
  expect(HitlObject.parse(HITL_07).spec_version).toBe("0.7");
  expect(HitlObject.parse(HITL_08).spec_version).toBe("0.8");
  expect(HitlObject.safeParse({ ...HITL_07, spec_version: "0.6" }).success).toBe(false);
});

test("HP-225 a verification policy exists in 0.8 only", () => {
  expect(HitlObject07.safeParse({ ...HITL_07, verification_policy: POLICY }).success).toBe(false);
  expect(HitlObject08.safeParse(HITL_08).success).toBe(true);
});

describe("the 202 body", () => {
  const body: JsonObject = { status: "human_input_required", message: "Please look.", hitl: HITL_07 };

  test("HP-002 the 202 body has the literal status and the hitl object", () => {
    expect(HumanInputRequired.parse(body)).toEqual(body);
    expect(HumanInputRequired.safeParse(bent(body, ["status"], "accepted")).success).toBe(false);
    expect(HumanInputRequired.safeParse(bent(body, ["hitl"])).success).toBe(false);
  });

  test("HP-003 the 202 body has a message that is not empty", () => {
    expect(HumanInputRequired.safeParse(bent(body, ["message"], "")).success).toBe(false);
    expect(HumanInputRequired.safeParse(bent(body, ["message"])).success).toBe(true);
  });

  test("HP-004 the 202 body keeps the service's own data unchanged", () => {
    const data = { jobs: [{ id: "a" }], nested: { n: null } };
    expect(HumanInputRequired.parse({ ...body, data })).toEqual({ ...body, data });
    expect(HumanInputRequired.safeParse({ ...body, data: [] }).success).toBe(false);
  });
});
