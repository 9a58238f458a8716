/**
 * @module
 * The gate: agents, tools and handoffs that run only when a policy allows it, and stop for a person when it says so
 * (aioc RFC-0001 to RFC-0006). It knows nothing of queues, reviewers or storage: those belong to the host.
 *
 * @example
 * ```ts
 * import { defineAgent, defineTool, requireApproval, run, scriptedProvider } from "@holdpoint/gate";
 *
 * const ping = defineTool({ name: "ping", execute: () => "pong" });
 * const agent = defineAgent({ name: "Support Agent", model: "some-model", tools: [ping] });
 * const provider = scriptedProvider([[{ type: "tool_call", callId: "c1", name: "ping", arguments: "{}" }]]);
 *
 * await run(agent, "hello", { provider, policies: { toolPolicy: () => requireApproval("ask_first") } });
 * // throws ToolCallApprovalRequiredError; nothing has run
 * ```
 */

export type { StandardSchema } from "@holdpoint/protocol/client";
export type {
  ApprovalGrant,
  ApprovalRequestSeed,
  HandoffProposalContent,
  HandoffProposalFingerprint,
  SuspendedHandoffProposal,
  SuspendedProposal,
  SuspendedProposalBase,
  SuspendedToolProposal,
  ToolProposalContent,
  ToolProposalFingerprint,
} from "@holdpoint/protocol/proposal";
export {
  createHandoffProposalFingerprint,
  createToolProposalFingerprint,
} from "@holdpoint/protocol/proposal";
export type { Agent, AgentDefinition, Instructions } from "./agent.ts";
export { defineAgent } from "./agent.ts";
export { composeHandoffPolicies, composeToolPolicies } from "./compose.ts";
export type { BlockedEnvelope, OkEnvelope, ToolResultEnvelope } from "./envelope.ts";
export { isToolResultEnvelope } from "./envelope.ts";
export type {
  HandoffApprovalRequiredResult,
  HandoffPolicyDeniedResult,
  OutputGuardrailTripwireResult,
  ToolCallApprovalRequiredResult,
  ToolCallPolicyDeniedResult,
} from "./errors.ts";
export {
  AIOCError,
  HandoffApprovalRequiredError,
  HandoffPolicyDeniedError,
  isApprovalRequiredError,
  isHandoffApprovalRequiredError,
  isHandoffPolicyDeniedError,
  isToolCallApprovalRequiredError,
  isToolCallPolicyDeniedError,
  MaxTurnsExceededError,
  OutputGuardrailTripwireTriggered,
  ProposalMismatchError,
  ReplayMissError,
  RunAbandonedError,
  ToolCallApprovalRequiredError,
  ToolCallArgumentsError,
  ToolCallError,
  ToolCallFencedError,
  ToolCallPolicyDeniedError,
} from "./errors.ts";
export {
  createApprovalRequestSeed,
  findActiveApprovalGrant,
  isApprovalGrantActive,
  toActiveApprovalGrantMap,
  toApprovedProposalHashes,
} from "./evidence.ts";
export type { AllowedCall, Fence } from "./fence.ts";
export type { BlockedMode, GuardableTools, Guarded, ToolFunction, ToolObject } from "./guard.ts";
export { guard } from "./guard.ts";
export type { GuardOptions } from "./guard-gate.ts";
export { callProposal } from "./guard-tool.ts";
export type { GuardrailInput, GuardrailOutput, OutputGuardrail } from "./guardrail.ts";
export type {
  AgentInputItem,
  MessageItem,
  MessageOutputItem,
  RunInput,
  RunItem,
  ToolCallItem,
  ToolCallOutputItem,
} from "./items.ts";
export type { PolicyTrace, RunLogDetail, RunLogEvent, RunLogger, RunLogLevel } from "./log.ts";
export type {
  HandoffPolicy,
  HandoffPolicyInput,
  Policies,
  PolicyDecision,
  PolicyResult,
  PolicyResultMode,
  PolicyResultOptions,
  RunContext,
  ToolPolicy,
  ToolPolicyInput,
} from "./policy.ts";
export { allow, deny, requireApproval } from "./policy.ts";
export type { ModelProvider, ProviderEvent, ProviderRequest, ToolOffer } from "./provider.ts";
export { scriptedProvider } from "./provider.ts";
export type {
  GuardrailDecisionRecord,
  PolicyDecisionRecord,
  PromptSnapshotRecord,
  RedactedContext,
  RequestFingerprintRecord,
  RunRecord,
  RunRecordOptions,
  RunRecordWriter,
} from "./record.ts";
export type { RecordedCall } from "./recorded-calls.ts";
export { recordedCalls } from "./recorded-calls.ts";
export { recordedProvider } from "./recorded-provider.ts";
export type { Replay, ReplayInputSource, ReplayMode, ReplayOptions, ReplayStats } from "./replay.ts";
export { replayRun } from "./replay.ts";
export type { ProposalReplay, ReplayProposalOptions } from "./replay-proposal.ts";
export { replayProposal } from "./replay-proposal.ts";
export type { RunResult, StreamedRun } from "./run.ts";
export { run } from "./run.ts";
export type { InputOf, JsonSchema, ToolParameters } from "./schema.ts";
export type { RunOptions, RunStreamEvent } from "./session.ts";
export type { Tool, ToolDefinition } from "./tool.ts";
export { defineTool } from "./tool.ts";
export type { SuspensionChannels } from "./trace.ts";
