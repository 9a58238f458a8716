/**
 * The choice gate: a service may insist that each request says whether a person shall look. Left to itself an agent
 * takes the short way, so saying nothing is refused.
 */

import type { JsonObject } from "../rules/json.ts";
import type { HitlErrorCode } from "./error-codes.ts";

export type Choice =
  | { readonly kind: "review" }
  | { readonly kind: "skip" }
  | { readonly kind: "refused"; readonly code: HitlErrorCode; readonly message: string };

function refused(code: HitlErrorCode, message: string): Choice {
  return { kind: "refused", code, message };
}

/** Reads `prefer_hitl` and `skip_hitl`. A request that continues a chain has chosen already. */
export function readChoice(body: JsonObject): Choice {
  for (const flag of ["prefer_hitl", "skip_hitl"]) {
    const value = body[flag];
    if (value !== undefined && typeof value !== "boolean")
      return refused("VALIDATION_ERROR", `${flag} must be true or false.`);
  }
  const prefer = body["prefer_hitl"] === true || typeof body["previous_case_id"] === "string";
  const skip = body["skip_hitl"] === true;
  if (prefer && skip)
    return refused("VALIDATION_ERROR", "prefer_hitl and skip_hitl exclude each other: send one of them.");
  if (prefer) return { kind: "review" };
  if (skip) return { kind: "skip" };
  return refused(
    "HITL_CHOICE_REQUIRED",
    "Say whether a person shall decide: send prefer_hitl: true or skip_hitl: true.",
  );
}
