import { REQUIRED_MEMBERS } from "@holdpoint/protocol/hitl/words";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { accepted, body, HITL, INLINE, reviewWith, SUBMIT_TOKEN } from "../testing/reviews.ts";
import { detectReview, readReview } from "./review.ts";

const keysOf = (detected: ReturnType<typeof readReview>) =>
  detected.kind === "invalid" ? detected.problems.map((problem) => problem.key) : detected.kind;

describe("detecting a review", () => {
  test("HP-211 a 202 with a hitl object is a review, and the response stays readable", async () => {
    const response = accepted();
    const detected = await detectReview(response);
    expect(detected).toMatchObject({
      kind: "review",
      review: { caseId: "review_ab12", type: "confirmation" },
    });
    expect(await response.json()).toEqual(body());
  });

  test.each([
    ["a 200, even with a hitl object", Response.json(body(), { status: 200 })],
    ["a 202 without a hitl object", Response.json({ job: 7 }, { status: 202 })],
    ["a 202 whose hitl is null", Response.json({ hitl: null }, { status: 202 })],
    ["a 202 that is no JSON", new Response("later", { status: 202 })],
    ["an empty 202", new Response(null, { status: 202 })],
    ["a 202 with a list", Response.json([], { status: 202 })],
  ])("HP-211 %s is not a review", async (_what, response) => {
    expect(await detectReview(response)).toEqual({ kind: "none" });
  });

  test.each(REQUIRED_MEMBERS)("HP-211 a hitl object without %s is invalid, and not ignored", (member) => {
    const hitl = Object.fromEntries(Object.entries(HITL).filter(([name]) => name !== member));
    expect(keysOf(readReview({ hitl }))).toEqual([member]);
  });

  const WRONG: readonly (readonly [string, unknown])[] = [
    ["spec_version", 0.7],
    ["spec_version", "latest"],
    ["case_id", "a b"],
    ["review_url", "http://shop.example/review"],
    ["review_url", "javascript:alert(1)"],
    ["poll_url", "http://169.254.169.254/"],
    ["type", "vote"],
    ["prompt", "a".repeat(501)],
    ["prompt", null],
    ["created_at", "yesterday"],
    ["expires_at", 0],
  ];
  test.each(WRONG)("HP-211 a hitl object whose %s is %j is invalid", (member, value) => {
    expect(keysOf(readReview(body({ [member]: value } as JsonObject)))).toEqual([member]);
  });

  test("HP-211 a hitl member that is not an object is invalid", () => {
    expect(keysOf(readReview({ hitl: "yes" }))).toEqual(["hitl"]);
  });

  test("HP-211 a hitl object of any version is read, so that older and newer services can be used", () => {
    for (const version of ["0.5", "0.7", "0.8", "1.0"])
      expect(reviewWith({ spec_version: version }).version).toBe(version);
  });
});

describe("a parsed review", () => {
  test("HP-018 a review's default action is skip unless the service names a known one", () => {
    expect(reviewWith({ default_action: "reject" }).defaultAction).toBe("reject");
    expect(reviewWith({ default_action: "explode" }).defaultAction).toBe("skip");
  });

  test("HP-022 a review's reminders are a list, whether the service sends one or several", () => {
    expect(reviewWith({ reminder_at: "2026-03-01T20:00:00Z" }).reminderAt).toEqual(["2026-03-01T20:00:00Z"]);
    expect(reviewWith({ reminder_at: ["2026-03-01T20:00:00Z", "soon"] }).reminderAt).toHaveLength(1);
    expect(reviewWith().reminderAt).toEqual([]);
  });

  test("HP-025 a review allows inline answers only when submit_url and submit_token are both valid", () => {
    expect(reviewWith(INLINE).inline?.token).toBe(SUBMIT_TOKEN);
    expect(reviewWith({ submit_url: INLINE["submit_url"]! }).inline).toBeUndefined();
    expect(reviewWith({ submit_token: SUBMIT_TOKEN }).inline).toBeUndefined();
    expect(reviewWith({ ...INLINE, submit_url: "http://shop.example/x" }).inline).toBeUndefined();
    expect(reviewWith({ ...INLINE, submit_token: "short" }).inline).toBeUndefined();
  });

  test("HP-027 a review without inline_actions allows every action of its type inline", () => {
    expect(reviewWith(INLINE).inline?.actions).toEqual(["confirm", "cancel"]);
    expect(reviewWith({ ...INLINE, type: "escalation" }).inline?.actions).toEqual(["retry", "skip", "abort"]);
    expect(reviewWith({ ...INLINE, inline_actions: ["cancel"] }).inline?.actions).toEqual(["cancel"]);
  });

  test("a review is plain data that can be stored and read back", () => {
    const review = reviewWith({
      ...INLINE,
      reminder_at: "2026-03-01T20:00:00Z",
      previous_case_id: "review_a",
    });
    expect(JSON.parse(JSON.stringify(review))).toEqual(review);
  });
});
