/** Turns whatever a policy does into a valid result. Anything but a valid result is a hard deny. */

import { errorNote } from "./errors.ts";
import type { PolicyDecision, PolicyResult, PolicyResultMode } from "./policy.ts";
import { deny } from "./policy.ts";

const DECISIONS: readonly unknown[] = ["allow", "deny", "require_approval"] satisfies PolicyDecision[];
const MODES: readonly unknown[] = [undefined, "throw", "tool_result"] satisfies (
  | PolicyResultMode
  | undefined
)[];

/** A deny that no policy wrote; it never reaches the model as a soft result. */
export function hardDeny(reason: string, metadata?: Record<string, unknown>): PolicyResult {
  return deny(reason, { resultMode: "throw", metadata });
}

/** Asks a policy; `undefined` means none is configured. */
export async function evaluatePolicy(ask: (() => unknown) | undefined): Promise<PolicyResult> {
  if (ask === undefined) return hardDeny("policy_not_configured");
  let answer: unknown;
  try {
    answer = await ask();
  } catch (error) {
    return hardDeny("policy_error", { ...errorNote(error) });
  }
  return validated(answer);
}

function validated(answer: unknown): PolicyResult {
  if (typeof answer !== "object" || answer === null) return hardDeny("invalid_policy_result");
  if ("denyMode" in answer) {
    return hardDeny("deprecated_policy_field_denyMode", {
      deprecatedField: "denyMode",
      replacementField: "resultMode",
      receivedValue: answer.denyMode,
    });
  }
  // Read once: what is checked is what is used, even if a member is a getter.
  const { decision, reason, publicReason, resultMode, policyVersion, expiresAt, metadata } =
    answer as Partial<PolicyResult>;
  const valid =
    DECISIONS.includes(decision) &&
    typeof reason === "string" &&
    reason.trim() !== "" &&
    isOptionalText(publicReason) &&
    isOptionalText(expiresAt) &&
    MODES.includes(resultMode);
  if (!valid || decision === undefined) return hardDeny("invalid_policy_result");
  // `allow` has no way of being told as blocked; every other decision gets its default spelled out.
  const mode = decision === "allow" ? undefined : (resultMode ?? "throw");
  return { decision, reason, publicReason, resultMode: mode, policyVersion, expiresAt, metadata };
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
