import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { HITL, INLINE, inlineReview, reviewWith, SUBMIT_TOKEN } from "../testing/reviews.ts";
import { stubService } from "../testing/stub-service.ts";
import { type HumanAction, humanAction } from "./human-action.ts";
import { type Submitted, submitInline } from "./submit.ts";

const SUBMIT = INLINE["submit_url"] as string;
const ADA = { platform: "telegram", platformUserId: "123", displayName: "Ada" };
const TAP = humanAction({ ...ADA, action: "confirm" });

const refusal = (status: number, error: string, headers: HeadersInit = {}) =>
  Response.json(
    { error, message: "No.", review_url: "https://shop.example/review/review_ab12" },
    { status, headers },
  );

describe("submitting a tap", () => {
  test("HP-130 submitInline sends the action, the platform and the user, with the submit token as bearer", async () => {
    const service = stubService({ "https://api.shop.example": { "x-api-key": "agent key" } });
    service.on(SUBMIT, Response.json({ status: "completed", completed_at: "2026-03-01T10:05:00Z" }));
    expect(await submitInline(inlineReview(), TAP, service)).toEqual({
      kind: "accepted",
      action: "confirm",
      completedAt: "2026-03-01T10:05:00Z",
    });
    const [asked] = service.asked;
    expect(asked?.method).toBe("POST");
    expect(asked?.redirect).toBe("error");
    expect(asked?.headers.get("authorization")).toBe(`Bearer ${SUBMIT_TOKEN}`);
    expect(asked?.headers.get("x-api-key")).toBeNull();
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      action: "confirm",
      data: {},
      submitted_via: "telegram_inline_button",
      submitted_by: { platform: "telegram", platform_user_id: "123", display_name: "Ada" },
    });
  });

  test.each([
    ["a bare word", "confirm"],
    ["an action without anybody", { action: "confirm" }],
    ["nobody", null],
    ["nothing", undefined],
    ["a tap of no user", humanAction({ ...ADA, action: "confirm", platformUserId: "" })],
    ["a tap of no platform", humanAction({ ...ADA, action: "confirm", platform: "" })],
    ["a look-alike without its kind", { ...TAP, kind: "auto" }],
    ["a number for a user", { ...TAP, by: { platform: "telegram", platformUserId: 123 } }],
  ])("HP-212 submitInline refuses %s and sends nothing", async (_what, tap) => {
    const service = stubService();
    const submitted = await submitInline(inlineReview(), tap as HumanAction, service);
    expect(submitted).toMatchObject({ kind: "refused", code: "human_action_required" });
    expect(service.asked).toHaveLength(0);
  });

  test("HP-222 submitInline returns the page's link for an action that is not offered inline, and sends nothing", async () => {
    const service = stubService();
    const review = inlineReview({ inline_actions: ["cancel"] });
    expect(await submitInline(review, TAP, service)).toEqual({
      kind: "use_page",
      reviewUrl: HITL["review_url"],
      reason: "action_not_inline",
    });
    expect((await submitInline(reviewWith(), TAP, service)).kind).toBe("use_page");
    expect(service.asked).toHaveLength(0);
  });

  const ANSWERS: readonly (readonly [string, Response | Error, Partial<Submitted>])[] = [
    ["403", refusal(403, "action_not_inline"), { kind: "use_page", reviewUrl: HITL["review_url"] as string }],
    ["403 for want of proof", refusal(403, "verification_required"), { kind: "use_page" }],
    ["409", refusal(409, "duplicate_submission"), { kind: "closed", reason: "answered" }],
    ["409 after a cancel", refusal(409, "case_cancelled"), { kind: "closed", reason: "cancelled" }],
    ["410", refusal(410, "case_expired"), { kind: "closed", reason: "expired" }],
    ["429", refusal(429, "rate_limited", { "retry-after": "7" }), { kind: "limited", retryAfterMs: 7_000 }],
    ["401", refusal(401, "invalid_token"), { kind: "refused", code: "invalid_token", message: "No." }],
    ["422 in plain text", new Response("no", { status: 422 }), { kind: "refused", code: "http_422" }],
    ["503", refusal(503, "busy"), { kind: "unknown" }],
    ["silence", new TypeError("no route"), { kind: "unknown" }],
  ];
  test.each(ANSWERS)("HP-221 submitInline understands the reply %s", async (_what, reply, expected) => {
    const service = stubService();
    service.on(SUBMIT, reply);
    expect(await submitInline(inlineReview(), TAP, service)).toMatchObject(expected);
  });

  test("HP-135 submitInline returns the link of the 202 after a 403, not the one in the refusal", async () => {
    const service = stubService();
    service.on(SUBMIT, refusal(403, "action_not_inline"));
    const submitted = await submitInline(inlineReview(), TAP, service);
    expect(submitted.kind === "use_page" && submitted.reviewUrl).toContain("token=");
  });

  test("HP-132 a custom platform names its own button as submitted_via", () => {
    expect(humanAction({ action: "skip", platform: "slack", platformUserId: "U1" }).via).toBe(
      "slack_block_action",
    );
    expect(humanAction({ action: "skip", platform: "x-pager", platformUserId: "7" }).via).toBe("x-pager");
    expect(humanAction({ action: "skip", platform: "x-pager", platformUserId: "7", via: "x-beep" }).via).toBe(
      "x-beep",
    );
  });

  test("HP-240 submitInline passes evidence on unchanged", async () => {
    const service = stubService();
    service.on(SUBMIT, Response.json({}));
    const evidence = [
      {
        proof_type: "proof_of_human" as const,
        provider: "p",
        format: "jwt" as const,
        presentation: "a.b.c",
        binding: { case_id: "review_ab12", own: 1 },
      },
    ];
    await submitInline(inlineReview(), TAP, { ...service, evidence });
    const sent = JSON.parse(service.asked[0]?.body ?? "") as JsonObject;
    expect(JSON.stringify(sent["verification_evidence"])).toBe(JSON.stringify(evidence));
  });
});
