import { describe, expect, test } from "vitest";
import type { Json } from "../rules/json.ts";
import {
  RespondReply,
  RespondRequest,
  SubmissionContext,
  SubmitRequest07,
  SubmitRequest08,
} from "./submit.ts";
import { bent, type Path } from "./testing/bend.ts";
import { EVIDENCE, SUBMISSION_CONTEXT, SUBMIT, SUBMIT_08 } from "./testing/samples.ts";
import { VerificationEvidence } from "./verification.ts";

test("HP-117 a page posts an action and perhaps data, and gets the time of completion", () => {
  expect(RespondRequest.parse({ action: "approve" })).toEqual({ action: "approve" });
  expect(RespondRequest.parse({ action: "edit", data: { feedback: "x" } }).data).toEqual({ feedback: "x" });
  expect(RespondRequest.safeParse({ action: "edit", data: [] }).success).toBe(false);
  const reply = { status: "completed", case_id: "review_a", completed_at: "2026-03-01T10:00:00Z" };
  expect(RespondReply.parse(reply)).toEqual(reply);
  expect(RespondReply.parse({ ...reply, next_case_id: "review_b" }).next_case_id).toBe("review_b");
  for (const member of Object.keys(reply))
    expect(RespondReply.safeParse(bent(reply, [member])).success).toBe(false);
});

test("HP-122 an answer that is wrapped in a result is refused", () => {
  expect(RespondRequest.safeParse({ result: { action: "approve" } }).success).toBe(false);
  expect(RespondRequest.safeParse({ data: {} }).success).toBe(false);
});

describe.each([
  ["0.7", SubmitRequest07],
  ["0.8", SubmitRequest08],
] as const)("a %s inline submit", (_version, schema) => {
  const accepts = (path: Path, value?: Json) => schema.safeParse(bent(SUBMIT, path, value)).success;

  test("HP-130 an inline submit is parsed unchanged", () => {
    expect(schema.parse(SUBMIT)).toEqual(SUBMIT);
    expect(accepts(["data"])).toBe(true);
    expect(accepts(["submitted_by", "display_name"])).toBe(true);
  });

  test.each([
    [["action"]],
    [["submitted_via"]],
    [["submitted_by"]],
    [["submitted_by", "platform"]],
    [["submitted_by", "platform_user_id"]],
  ])("HP-131 an inline submit without %j is refused", (path) => {
    expect(accepts(path)).toBe(false);
  });

  test("HP-131 an inline submit has user ids as texts and no unknown member", () => {
    expect(accepts(["submitted_by", "platform_user_id"], 123)).toBe(false);
    expect(accepts(["stranger"], 1)).toBe(false);
    expect(accepts(["submitted_by", "stranger"], 1)).toBe(false);
  });

  test.each([
    ["telegram_inline_button", true],
    ["slack_block_action", true],
    ["discord_component", true],
    ["whatsapp_reply_button", true],
    ["teams_adaptive_card", true],
    ["x-pager", true],
    ["telegram", false],
    ["", false],
  ])("HP-132 an inline submit with submitted_via %j is accepted: %s", (word, accepted) => {
    expect(accepts(["submitted_via"], word)).toBe(accepted);
  });

  test.each([
    ["telegram", true],
    ["slack", true],
    ["discord", true],
    ["whatsapp", true],
    ["teams", true],
    ["x-pager", true],
    ["email", false],
  ])("HP-133 an inline submit from the platform %j is accepted: %s", (word, accepted) => {
    expect(accepts(["submitted_by", "platform"], word)).toBe(accepted);
  });
});

test("HP-230 an inline submit has evidence in 0.8 only, and it needs all five members", () => {
  expect(SubmitRequest08.parse(SUBMIT_08)).toEqual(SUBMIT_08);
  expect(SubmitRequest07.safeParse(SUBMIT_08).success).toBe(false);
  for (const member of Object.keys(EVIDENCE))
    expect(VerificationEvidence.safeParse(bent(EVIDENCE, [member])).success).toBe(false);
  expect(VerificationEvidence.safeParse(bent(EVIDENCE, ["presentation"], "text")).success).toBe(true);
  expect(VerificationEvidence.safeParse(bent(EVIDENCE, ["presentation"], 1)).success).toBe(false);
  expect(VerificationEvidence.parse(bent(EVIDENCE, ["binding", "own"], 1)).binding).toHaveProperty("own", 1);
});

test("HP-236 an inline answer records who answered and through what, and a page's answer need not", () => {
  expect(SubmissionContext.parse(SUBMISSION_CONTEXT)).toEqual(SUBMISSION_CONTEXT);
  expect(SubmissionContext.parse({ mode: "browser_submit" })).toEqual({ mode: "browser_submit" });
  for (const member of ["mode", "submitted_via", "submitted_by"])
    expect(SubmissionContext.safeParse(bent(SUBMISSION_CONTEXT, [member])).success).toBe(false);
  expect(SubmissionContext.safeParse({ mode: "magic" }).success).toBe(false);
});
