/** One policy out of many: by exact name, else by `"*"`, else deny. */

import type { HandoffPolicy, PolicyResult, ToolPolicy } from "./policy.ts";
import { deny } from "./policy.ts";

/**
 * A tool policy that asks the one registered under the tool's name.
 *
 * @example
 * ```ts
 * const toolPolicy = composeToolPolicies({
 *   search: () => allow("read_only"),
 *   refund: () => requireApproval("refund_needs_a_person"),
 *   "*": ({ toolName }) => deny(`no_rule_for_${toolName}`),
 * });
 * ```
 */
export function composeToolPolicies<TContext = unknown>(
  policies: Readonly<Record<string, ToolPolicy<TContext>>>,
): ToolPolicy<TContext> {
  return dispatch(policies, (input) => input.toolName, "tool");
}

/**
 * A handoff policy that asks the one registered under the target agent's name.
 *
 * @example
 * ```ts
 * const handoffPolicy = composeHandoffPolicies({ "Billing Agent": () => allow("same_team") });
 * ```
 */
export function composeHandoffPolicies<TContext = unknown>(
  policies: Readonly<Record<string, HandoffPolicy<TContext>>>,
): HandoffPolicy<TContext> {
  return dispatch(policies, (input) => input.toAgentName, "handoff");
}

function dispatch<TInput>(
  policies: Readonly<Record<string, (input: TInput) => PolicyResult | Promise<PolicyResult>>>,
  nameOf: (input: TInput) => string,
  noun: "tool" | "handoff",
): (input: TInput) => PolicyResult | Promise<PolicyResult> {
  return (input) => {
    const name = nameOf(input);
    // Own members only: a model that proposes "constructor" must not find a function by that name.
    const key = Object.hasOwn(policies, name) ? name : "*";
    const policy = Object.hasOwn(policies, key) ? policies[key] : undefined;
    return policy === undefined ? deny(`deny_unconfigured_${noun}_${name}`) : policy(input);
  };
}
