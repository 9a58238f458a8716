import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../rules/json.ts";
import { readChoice } from "./choice.ts";
import { Discovery07, Discovery08 } from "./discovery.ts";
import { HITL_ERROR_CODES, HITL_ERROR_STATUS } from "./error-codes.ts";
import { ErrorBody } from "./errors.ts";
import { ImprovementSuggestion, SkillFrontMatter, SkippedResult, TriggerFlags } from "./extras.ts";
import { bent, type Path, withStrangers } from "./testing/bend.ts";
import { DISCOVERY_07, DISCOVERY_08 } from "./testing/samples.ts";

describe("the discovery document", () => {
  test.each([
    ["0.7", Discovery07, DISCOVERY_07],
    ["0.8", Discovery08, DISCOVERY_08],
  ] as const)(
    "HP-176 a discovery document of %s is parsed unchanged, and one with an unknown member anywhere is refused",
    (_version, schema, sample) => {
      expect(schema.parse(sample)).toEqual(sample);
      for (const [path, body] of withStrangers(sample))
        expect(schema.safeParse(body).success, path.join(".")).toBe(false);
      expect(schema.safeParse(bent(sample, ["hitl_protocol", "spec_version"], "0.6")).success).toBe(false);
      expect(schema.safeParse({ spec_version: "0.7", types: [] }).success).toBe(false);
    },
  );

  test("HP-242 a discovery document of 0.7 has no agent binding and no profiles", () => {
    const asOld = bent(DISCOVERY_08, ["hitl_protocol", "spec_version"], "0.7");
    expect(Discovery07.safeParse(asOld).success).toBe(false);
  });

  test("HP-177 a discovery document with an unknown transport is refused", () => {
    const path: Path = ["hitl_protocol", "capabilities", "transports"];
    expect(Discovery07.safeParse(bent(DISCOVERY_07, path, ["polling", "pigeon"])).success).toBe(false);
  });
});

describe("the choice gate", () => {
  const CASES: readonly (readonly [JsonObject, string])[] = [
    [{}, "HITL_CHOICE_REQUIRED"],
    [{ prefer_hitl: false }, "HITL_CHOICE_REQUIRED"],
    [{ prefer_hitl: false, skip_hitl: false }, "HITL_CHOICE_REQUIRED"],
    [{ prefer_hitl: true }, "review"],
    [{ prefer_hitl: true, skip_hitl: false }, "review"],
    [{ skip_hitl: true }, "skip"],
    [{ skip_hitl: true, prefer_hitl: false }, "skip"],
    [{ prefer_hitl: true, skip_hitl: true }, "VALIDATION_ERROR"],
    [{ prefer_hitl: "yes" }, "VALIDATION_ERROR"],
    [{ skip_hitl: 1 }, "VALIDATION_ERROR"],
    [{ skip_hitl: null }, "VALIDATION_ERROR"],
  ];

  test.each(CASES)("HP-183 the flags %j give %s", (body, outcome) => {
    const choice = readChoice(body);
    expect(choice.kind === "refused" ? choice.code : choice.kind).toBe(outcome);
  });

  test("HP-182 a request without flags is refused with 400", () => {
    const choice = readChoice({ query: "x" });
    expect(choice.kind === "refused" && HITL_ERROR_STATUS[choice.code]).toBe(400);
  });

  test("HP-173 a request that continues a chain needs no flag, and cannot skip", () => {
    expect(readChoice({ previous_case_id: "review_a" })).toEqual({ kind: "review" });
    expect(readChoice({ previous_case_id: "review_a", skip_hitl: true }).kind).toBe("refused");
  });
});

test("HP-160 a callback address must be https or on this machine", () => {
  expect(TriggerFlags.safeParse({ hitl_callback_url: "https://agent.example/hook" }).success).toBe(true);
  expect(TriggerFlags.safeParse({ hitl_callback_url: "http://localhost:9/hook" }).success).toBe(true);
  expect(TriggerFlags.safeParse({ hitl_callback_url: "http://agent.example/hook" }).success).toBe(false);
});

test("HP-186 a suggestion has all five members and one of three priorities", () => {
  const suggestion: JsonObject = {
    field: "summary",
    issue: "Missing",
    agent_action: "Ask for two sentences",
    impact: "+20",
    priority: "high",
  };
  const accepts = (path: Path, value?: Json) =>
    ImprovementSuggestion.safeParse(bent(suggestion, path, value)).success;
  expect(ImprovementSuggestion.parse(suggestion)).toEqual(suggestion);
  for (const member of Object.keys(suggestion)) expect(accepts([member])).toBe(false);
  expect(accepts(["priority"], "urgent")).toBe(false);
  const body = { results: [1], hitl_skipped: true, improvement_suggestions: [suggestion] };
  expect(SkippedResult.parse(body)).toEqual(body);
  expect(SkippedResult.safeParse({ ...body, improvement_suggestions: [] }).success).toBe(true);
  expect(SkippedResult.safeParse({ ...body, hitl_skipped: false }).success).toBe(false);
});

test("HP-180 the front matter says whether people may be asked, in at most 200 characters", () => {
  const matter: JsonObject = {
    name: "shop",
    description: "Sells things.",
    metadata: {
      author: "Ada",
      hitl: {
        supported: true,
        types: ["selection", "x-compare"],
        info: "a".repeat(200),
        review_base_url: "https://shop.example/review",
        timeout_default: "24h",
        supports_inline_submit: true,
        hitl_required: false,
        supports_improvement_suggestions: true,
      },
    },
  };
  const accepts = (path: Path, value?: Json) => SkillFrontMatter.safeParse(bent(matter, path, value)).success;
  expect(SkillFrontMatter.parse(matter)).toEqual(matter);
  expect(accepts(["metadata", "hitl", "supported"])).toBe(false);
  expect(accepts(["metadata", "hitl", "info"], "a".repeat(201))).toBe(false);
  expect(accepts(["metadata", "hitl", "types"], ["foo"])).toBe(false);
  expect(accepts(["metadata", "hitl", "review_base_url"], "http://shop.example")).toBe(false);
});

test("errors have a known code, a message, and the case or the fields where they help", () => {
  const body = {
    error: "validation_failed",
    message: "One field is wrong.",
    fields: [{ key: "salary", rule: "min", message: "Too low" }],
  };
  expect(ErrorBody.parse(body)).toEqual(body);
  expect(ErrorBody.safeParse({ error: "oops", message: "x" }).success).toBe(false);
  expect(ErrorBody.safeParse({ error: "not_found" }).success).toBe(false);
  for (const code of HITL_ERROR_CODES) expect(HITL_ERROR_STATUS[code]).toBeGreaterThanOrEqual(400);
});
