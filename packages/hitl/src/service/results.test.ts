import { RetryableError } from "@holdpoint/protocol/client";
import type { ImprovementSuggestion } from "@holdpoint/protocol/hitl";
import { SkippedResult } from "@holdpoint/protocol/hitl";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { HOLDPOINT_URL, MemoryHolds } from "../testing/memory-holds.ts";
import { hitlService } from "./service.ts";

const BASE = "https://shop.example";

function setUp(choiceRequired = true) {
  const holds = new MemoryHolds();
  const skips: string[] = [];
  const service = hitlService(
    { baseUrl: BASE, name: "Shop", description: "Sells things.", choiceRequired },
    {
      holds,
      holdpoint: { url: HOLDPOINT_URL },
      identify: () => "a1",
      onSkip: (request) => void skips.push(new URL(request.url).pathname),
    },
  );
  return { holds, service, skips };
}

function order(body: JsonObject): Request {
  return new Request(`${BASE}/orders`, { method: "POST", body: JSON.stringify(body) });
}

describe("the choice gate", () => {
  test("HP-182 a request without a choice is refused where a choice is required", async () => {
    const chosen = await setUp().service.choose(order({ query: "x" }));
    const response = chosen.kind === "refused" ? chosen.response : undefined;
    expect(response?.status).toBe(400);
    expect(await response?.json()).toMatchObject({ error: "HITL_CHOICE_REQUIRED" });
  });

  test.each([{ prefer_hitl: true, skip_hitl: true }, { prefer_hitl: "yes" }])(
    "HP-183 a request with the flags %j is refused",
    async (flags) => {
      for (const required of [true, false]) {
        const chosen = await setUp(required).service.choose(order(flags));
        expect(chosen.kind === "refused" && (await chosen.response.json())).toMatchObject({
          error: "VALIDATION_ERROR",
        });
      }
    },
  );

  test("HP-184 a request that prefers a person gets a case, and one that skips gets the result and no case", async () => {
    const { service, holds, skips } = setUp();
    expect(await service.choose(order({ prefer_hitl: true }))).toEqual({ kind: "review" });
    expect(await service.choose(order({ skip_hitl: true }))).toEqual({ kind: "skip" });
    const response = service.skipped({ results: [1] });
    expect(response.status).toBe(201);
    const body = await response.json();
    expect(body).toEqual({ results: [1], hitl_skipped: true });
    expect(SkippedResult.safeParse(body).success).toBe(true);
    expect(holds.placed).toHaveLength(0);
    expect(skips).toEqual(["/orders"]);
  });

  test("HP-173 a request that continues a chain needs no flag", async () => {
    expect(await setUp().service.choose(order({ previous_case_id: "review_a" }))).toEqual({ kind: "review" });
  });

  test("HP-185 each skip is recorded with the agent that chose it, and reported to the author's callback", async () => {
    const { service, holds, skips } = setUp();
    await service.choose(order({ skip_hitl: true }), { skip_hitl: true });
    await service.choose(order({ skip_hitl: true }), undefined, "An order of more than 100 EUR");
    await service.choose(order({ prefer_hitl: true }));
    await service.choose(order({}));
    expect(holds.skips).toEqual([
      { what: "POST /orders", agent: "a1" },
      { what: "An order of more than 100 EUR", agent: "a1" },
    ]);
    expect(skips).toEqual(["/orders", "/orders"]);
  });

  test("HP-185 a skip that cannot be recorded is refused with 503 and may be tried again", async () => {
    const { service, holds, skips } = setUp();
    holds.recordSkip = () => Promise.reject(new RetryableError({ message: "down", retryAfterMs: 1_500 }));
    const chosen = await service.choose(order({ skip_hitl: true }));
    const response = chosen.kind === "refused" ? chosen.response : undefined;
    expect(response?.status).toBe(503);
    expect(response?.headers.get("retry-after")).toBe("2");
    expect(skips).toEqual([]);
  });

  test("HP-184 a request without a choice asks a person where no choice is required", async () => {
    expect(await setUp(false).service.choose(order({}))).toEqual({ kind: "review" });
    expect(await setUp(false).service.choose(order({ skip_hitl: true }))).toEqual({ kind: "skip" });
  });
});

describe("improvement suggestions", () => {
  const suggestion = (field: string, priority: ImprovementSuggestion["priority"]): ImprovementSuggestion => ({
    field,
    issue: "Missing",
    agent_action: "Ask",
    impact: "+1",
    priority,
  });

  test("HP-186 suggestions are returned with the result, sorted by priority, and may be an empty list", async () => {
    const { service } = setUp();
    const suggestions = [suggestion("c", "low"), suggestion("a", "high"), suggestion("b", "medium")];
    const response = service.result({ id: 7 }, { suggestions });
    expect(response.status).toBe(200);
    const body = (await response.json()) as {
      readonly improvement_suggestions: readonly ImprovementSuggestion[];
    };
    expect(body.improvement_suggestions.map((one) => one.field)).toEqual(["a", "b", "c"]);
    const skipped = await service.skipped({ id: 7 }, { suggestions: [] }).json();
    expect(skipped).toEqual({ id: 7, hitl_skipped: true, improvement_suggestions: [] });
    expect(await service.result({ id: 7 }, { status: 201 }).json()).toEqual({ id: 7 });
  });

  test("HP-187 a 202 has no suggestions", async () => {
    const { service } = setUp();
    const response = await service.requireHuman(order({}), { type: "approval", prompt: "Go?" });
    expect(response.status).toBe(202);
    expect(await response.text()).not.toContain("improvement_suggestions");
  });
});
