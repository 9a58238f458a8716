import { describe, expect, test } from "vitest";
import type { Json } from "../rules/json.ts";
import { bent, type Path } from "./testing/bend.ts";
import { POLICY, VERIFICATION_RESULT } from "./testing/samples.ts";
import { VerificationPolicy, VerificationResult } from "./verification.ts";

describe("a verification policy", () => {
  const accepts = (path: Path, value?: Json) =>
    VerificationPolicy.safeParse(bent(POLICY, path, value)).success;
  const REQUIREMENT = ["requirements", "any_of", 0, "all_of", 0];

  test("HP-226 a verification policy is parsed unchanged", () => {
    expect(VerificationPolicy.parse(POLICY)).toEqual(POLICY);
  });

  test.each([
    [["mode"]],
    [["required_for"]],
    [["requirements"]],
    [["requirements", "any_of"]],
    [["requirements", "any_of", 0, "all_of"]],
    [[...REQUIREMENT, "proof_type"]],
    [["binding"]],
    [["binding", "case_id"]],
    [["binding", "action"]],
    [["binding", "freshness_seconds"]],
    [["binding", "single_use"]],
    [["fallback"]],
    [["fallback", "on_missing"]],
    [["fallback", "on_invalid"]],
  ])("HP-226 a verification policy without %j is refused", (path) => {
    expect(accepts(path)).toBe(false);
  });

  test.each([
    [["binding", "challenge"]],
    [["binding", "expires_at"]],
    [[...REQUIREMENT, "provider"]],
    [[...REQUIREMENT, "min_assurance"]],
    [[...REQUIREMENT, "presentation_formats"]],
  ])("HP-226 a verification policy without %j is accepted", (path) => {
    expect(accepts(path)).toBe(true);
  });

  const WORDS: readonly (readonly [Path, readonly Json[], readonly Json[]])[] = [
    [["mode"], ["optional", "required", "step_up"], ["always"]],
    [["required_for"], [["inline_submit"]], [[], ["inline_submit", "inline_submit"], ["other"]]],
    [["requirements", "any_of"], [], [[]]],
    [["requirements", "any_of", 0, "all_of"], [], [[]]],
    [[...REQUIREMENT, "proof_type"], ["x-own"], ["passport"]],
    [[...REQUIREMENT, "min_assurance"], ["low", "medium", "high"], ["top"]],
    [[...REQUIREMENT, "presentation_formats"], [["zkp", "x-own"]], [["pdf"]]],
    [["binding", "freshness_seconds"], [1], [0, 1.5]],
    [["fallback", "on_missing"], ["browser_review", "reject"], ["retry"]],
    [["stranger"], [], [1]],
    [["binding", "stranger"], [], [1]],
  ];

  test.each(WORDS)(
    "HP-226 a verification policy accepts at %j any of %j and refuses any of %j",
    (path, good, bad) => {
      for (const value of good) expect(accepts(path, value)).toBe(true);
      for (const value of bad) expect(accepts(path, value)).toBe(false);
    },
  );
});

test("HP-237 a verification result says what was proven, and cannot carry the proof", () => {
  expect(VerificationResult.parse(VERIFICATION_RESULT)).toEqual(VERIFICATION_RESULT);
  expect(VerificationResult.parse({ satisfied: false })).toEqual({ satisfied: false });
  expect(VerificationResult.safeParse(bent(VERIFICATION_RESULT, ["satisfied"])).success).toBe(false);
  const withProof = bent(VERIFICATION_RESULT, ["verified_evidence", 0, "presentation"], "secret");
  expect(VerificationResult.safeParse(withProof).success).toBe(false);
});
