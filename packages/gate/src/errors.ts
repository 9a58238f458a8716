/**
 * What a run can end with besides a result. Class names are contract and are kept as text, so that they survive
 * minifiers, and the `is…` guards work by name, so that two installed copies understand each other.
 *
 * Messages carry the policy's internal reason: they are for logs, not for users.
 */

import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import type { GuardrailOutput } from "./guardrail.ts";
import type { PolicyResult } from "./policy.ts";

/** Everything the gate itself throws. */
export class AIOCError extends Error {
  override readonly name: string = "AIOCError";
}

/** A tool call could not be made: the tool is unknown, or a more specific class says why. */
export class ToolCallError extends AIOCError {
  override readonly name: string = "ToolCallError";
}

/** Policy allowed the call, but the arguments do not fit the tool's schema. */
export class ToolCallArgumentsError extends ToolCallError {
  override readonly name: string = "ToolCallArgumentsError";
}

/** Policy allowed the call, but the host's fence did not let it through. */
export class ToolCallFencedError extends ToolCallError {
  override readonly name: string = "ToolCallFencedError";
}

export interface ToolCallPolicyDeniedResult {
  readonly toolName: string;
  readonly policyResult: PolicyResult;
}

/** The policy denies the tool call; `result` says why. */
export class ToolCallPolicyDeniedError extends ToolCallError {
  override readonly name: string = "ToolCallPolicyDeniedError";
  readonly result: ToolCallPolicyDeniedResult;

  constructor(result: ToolCallPolicyDeniedResult) {
    super(`Tool ${result.toolName} was denied by policy: ${result.policyResult.reason}`);
    this.result = result;
  }

  get policyResult(): PolicyResult {
    return this.result.policyResult;
  }
}

export interface ToolCallApprovalRequiredResult extends ToolCallPolicyDeniedResult {
  readonly suspendedProposal: SuspendedProposal;
}

/**
 * A policy wants a person to approve this call first.
 *
 * @example
 * ```ts
 * try {
 *   await run(agent, "Refund order 7", options);
 * } catch (error) {
 *   if (!isToolCallApprovalRequiredError(error)) throw error;
 *   await queue.save(createApprovalRequestSeed(error.suspendedProposal));
 * }
 * ```
 */
export class ToolCallApprovalRequiredError extends ToolCallError {
  override readonly name: string = "ToolCallApprovalRequiredError";
  readonly result: ToolCallApprovalRequiredResult;

  constructor(result: ToolCallApprovalRequiredResult) {
    super(`Tool ${result.toolName} requires approval: ${result.policyResult.reason}`);
    this.result = result;
  }

  get policyResult(): PolicyResult {
    return this.result.policyResult;
  }

  get suspendedProposal(): SuspendedProposal {
    return this.result.suspendedProposal;
  }
}

export interface HandoffPolicyDeniedResult {
  readonly fromAgent: string;
  readonly toAgent: string;
  readonly policyResult: PolicyResult;
}

/** The policy denies the handoff; `result` says why. */
export class HandoffPolicyDeniedError extends AIOCError {
  override readonly name: string = "HandoffPolicyDeniedError";
  readonly result: HandoffPolicyDeniedResult;

  constructor(result: HandoffPolicyDeniedResult) {
    super(
      `Handoff ${result.fromAgent} -> ${result.toAgent} was denied by policy: ${result.policyResult.reason}`,
    );
    this.result = result;
  }

  get policyResult(): PolicyResult {
    return this.result.policyResult;
  }
}

export interface HandoffApprovalRequiredResult extends HandoffPolicyDeniedResult {
  readonly suspendedProposal: SuspendedProposal;
}

/** A policy wants a person to approve this handoff first. */
export class HandoffApprovalRequiredError extends AIOCError {
  override readonly name: string = "HandoffApprovalRequiredError";
  readonly result: HandoffApprovalRequiredResult;

  constructor(result: HandoffApprovalRequiredResult) {
    super(
      `Handoff ${result.fromAgent} -> ${result.toAgent} requires approval: ${result.policyResult.reason}`,
    );
    this.result = result;
  }

  get policyResult(): PolicyResult {
    return this.result.policyResult;
  }

  get suspendedProposal(): SuspendedProposal {
    return this.result.suspendedProposal;
  }
}

/** The run did not end within `maxTurns`. */
export class MaxTurnsExceededError extends AIOCError {
  override readonly name: string = "MaxTurnsExceededError";
  readonly limit: number;

  constructor(limit: number) {
    super(`The run did not end within ${limit} turns`);
    this.limit = limit;
  }
}

export interface OutputGuardrailTripwireResult {
  readonly guardrail: string;
  readonly output: GuardrailOutput;
  readonly outputText: string;
}

/** An output guardrail stopped the run; `result` names it. */
export class OutputGuardrailTripwireTriggered extends AIOCError {
  override readonly name: string = "OutputGuardrailTripwireTriggered";
  readonly result: OutputGuardrailTripwireResult;

  constructor(result: OutputGuardrailTripwireResult) {
    super(`Output guardrail ${result.guardrail} was triggered: ${result.output.reason ?? "no reason given"}`);
    this.result = result;
  }
}

/** The reader of a stream went away before the run had ended. */
export class RunAbandonedError extends AIOCError {
  override readonly name: string = "RunAbandonedError";
}

/** A strict replay met a call that the record has no output for. */
export class ReplayMissError extends ToolCallError {
  override readonly name: string = "ReplayMissError";
}

/** A stored proposal is not the one that was blocked, or not one that this agent can make. */
export class ProposalMismatchError extends AIOCError {
  override readonly name: string = "ProposalMismatchError";
}

/** Whether the policy denied a tool call. By name, so that it also works when two copies of the package are installed. */
export function isToolCallPolicyDeniedError(error: unknown): error is ToolCallPolicyDeniedError {
  return isNamed(error, "ToolCallPolicyDeniedError");
}

/** Whether a tool call stopped for a person. */
export function isToolCallApprovalRequiredError(error: unknown): error is ToolCallApprovalRequiredError {
  return isNamed(error, "ToolCallApprovalRequiredError");
}

/** Whether the policy denied a handoff. */
export function isHandoffPolicyDeniedError(error: unknown): error is HandoffPolicyDeniedError {
  return isNamed(error, "HandoffPolicyDeniedError");
}

/** Whether a handoff stopped for a person. */
export function isHandoffApprovalRequiredError(error: unknown): error is HandoffApprovalRequiredError {
  return isNamed(error, "HandoffApprovalRequiredError");
}

/**
 * Whether a tool call or a handoff stopped for a person; either way the error carries the suspended proposal.
 *
 * @example
 * ```ts
 * const blocked = await run(agent, input, options).catch((error: unknown) => {
 *   if (isApprovalRequiredError(error)) return error.suspendedProposal;
 *   throw error;
 * });
 * ```
 */
export function isApprovalRequiredError(
  error: unknown,
): error is ToolCallApprovalRequiredError | HandoffApprovalRequiredError {
  return isToolCallApprovalRequiredError(error) || isHandoffApprovalRequiredError(error);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name && "result" in error;
}

export interface ErrorNote {
  readonly errorName: string;
  readonly errorMessage: string;
}

/** An error as records and events keep it; anything can be thrown, so anything is taken. */
export function errorNote(error: unknown): ErrorNote {
  if (error instanceof Error) return { errorName: error.name, errorMessage: error.message };
  return { errorName: "Error", errorMessage: String(error) };
}
