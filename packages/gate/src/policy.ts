/**
 * Policies: deterministic code between what a model proposes and what runs. The model proposes, the policy decides,
 * and nothing runs without an explicit `allow`.
 */

export type PolicyDecision = "allow" | "deny" | "require_approval";

/** How a blocked proposal is told: as a typed error, or as the tool's result so that the model can go on. */
export type PolicyResultMode = "throw" | "tool_result";

export interface PolicyResultOptions {
  /** The only text meant for users and models. */
  readonly publicReason?: string | undefined;
  /** Ignored for `allow`; `throw` when absent. */
  readonly resultMode?: PolicyResultMode | undefined;
  readonly policyVersion?: string | undefined;
  /** RFC 3339, informational: the runtime never acts on it. */
  readonly expiresAt?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

export interface PolicyResult extends PolicyResultOptions {
  readonly decision: PolicyDecision;
  /** A stable code that carries no secret: the model sees it as the envelope's `code`. Detail goes into `metadata`. */
  readonly reason: string;
}

/** What the host handed to the run; evidence such as grants reaches policies here and nowhere else. */
export interface RunContext<TContext = unknown> {
  readonly context: TContext;
}

/** A proposed tool call, as policies see it. The call id is left out: it identifies nothing. */
export interface ToolPolicyInput<TContext = unknown> {
  readonly agentName: string;
  readonly toolName: string;
  readonly rawArguments: string;
  readonly parsedArguments: unknown;
  readonly proposalHash: string;
  readonly argsCanonicalJson: string;
  readonly runContext: RunContext<TContext>;
  readonly turn: number;
}

/** A proposed handoff, as policies see it. */
export interface HandoffPolicyInput<TContext = unknown> {
  readonly fromAgentName: string;
  readonly toAgentName: string;
  readonly handoffPayload: unknown;
  readonly proposalHash: string;
  readonly payloadCanonicalJson: string;
  readonly runContext: RunContext<TContext>;
  readonly turn: number;
}

export type ToolPolicy<TContext = unknown> = (
  input: ToolPolicyInput<TContext>,
) => PolicyResult | Promise<PolicyResult>;

export type HandoffPolicy<TContext = unknown> = (
  input: HandoffPolicyInput<TContext>,
) => PolicyResult | Promise<PolicyResult>;

/** Absent policies deny. */
export interface Policies<TContext = unknown> {
  readonly toolPolicy?: ToolPolicy<TContext> | undefined;
  readonly handoffPolicy?: HandoffPolicy<TContext> | undefined;
}

/**
 * The proposal may run.
 *
 * @example
 * ```ts
 * const toolPolicy: ToolPolicy = ({ toolName }) =>
 *   toolName === "search" ? allow("read_only") : deny("not_listed");
 * ```
 */
export function allow(reason: string, options: PolicyResultOptions = {}): PolicyResult {
  return result("allow", reason, options);
}

/**
 * The proposal is refused.
 *
 * @example
 * ```ts
 * deny("not_in_finance", { resultMode: "tool_result", publicReason: "Only finance may do this." });
 * ```
 */
export function deny(reason: string, options: PolicyResultOptions = {}): PolicyResult {
  return result("deny", reason, options);
}

/**
 * The proposal waits for a person. Nothing runs, now or later, until a policy allows exactly this proposal.
 *
 * @example
 * ```ts
 * requireApproval("large_refund", { publicReason: "A manager has to approve this.", policyVersion: "refunds.v3" });
 * ```
 */
export function requireApproval(reason: string, options: PolicyResultOptions = {}): PolicyResult {
  return result("require_approval", reason, options);
}

function result(decision: PolicyDecision, reason: string, options: PolicyResultOptions): PolicyResult {
  const { publicReason, resultMode, policyVersion, expiresAt, metadata } = options;
  return { decision, reason, publicReason, resultMode, policyVersion, expiresAt, metadata };
}
