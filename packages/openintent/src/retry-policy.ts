/** The human retry policy over three levels: the call, the agent, the platform. Only what is truly absent is inherited. */

import type { FallbackPolicy, HumanRetryPolicy } from "./types.ts";

/**
 * The effective policy, member by member; `undefined` when no level has one. A ladder is replaced whole, and an empty one
 * clears it. `null` at a level opts out of what lies below.
 */
export function mergeRetryPolicies(
  ...levels: readonly (HumanRetryPolicy | null | undefined)[]
): HumanRetryPolicy | undefined {
  const merged: { -readonly [Member in keyof HumanRetryPolicy]: HumanRetryPolicy[Member] } = {};
  let found = false;
  for (const level of levels) {
    if (level === null) break;
    if (level === undefined) continue;
    found = true;
    for (const [member, value] of Object.entries(level)) {
      if (value !== undefined && !Object.hasOwn(merged, member)) Object.assign(merged, { [member]: value });
    }
  }
  return found ? merged : undefined;
}

const STRATEGIES: readonly string[] = ["fixed", "linear", "exponential"];
export const FALLBACK_POLICIES: readonly FallbackPolicy[] = [
  "fail",
  "complete_with_fallback",
  "use_default_and_continue",
];

/** Refuses what no server would take, before anything is sent. */
export function checkRetryPolicy(policy: HumanRetryPolicy, timeoutSeconds: number | undefined): void {
  const {
    max_attempts: attempts,
    interval_seconds: interval,
    strategy,
    final_fallback_policy: fallback,
  } = policy;
  if (attempts !== undefined && (!Number.isInteger(attempts) || attempts < 1)) {
    throw new RangeError("max_attempts must be a whole number from 1 on");
  }
  if (interval !== undefined && !(interval >= 0))
    throw new RangeError("interval_seconds must not be negative");
  if (interval !== undefined && timeoutSeconds !== undefined && interval > timeoutSeconds) {
    throw new RangeError("interval_seconds must not be longer than timeoutSeconds");
  }
  if (strategy !== undefined && !STRATEGIES.includes(strategy))
    throw new RangeError(`unknown retry strategy ${strategy}; use one of ${STRATEGIES.join(", ")}`);
  if (fallback !== undefined && !FALLBACK_POLICIES.includes(fallback))
    throw new RangeError(`unknown fallback policy ${fallback}; use one of ${FALLBACK_POLICIES.join(", ")}`);
}
