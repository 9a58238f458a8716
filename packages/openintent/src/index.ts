/**
 * @module
 * OpenIntent for agents: intents that stop for a person (RFC-0025), and go on after any crash.
 */
export type { AgentOptions } from "./agent.ts";
export { OpenIntentAgent } from "./agent.ts";
export type { InputRequest } from "./ask.ts";
export type { NewIntent } from "./client.ts";
export { OpenIntentClient } from "./client.ts";
export type { EngagementDecision, EngagementMode, Signals, SignalsGiven } from "./engagement.ts";
export { engagementFor } from "./engagement.ts";
export {
  ConflictError,
  InputCancelledError,
  InputTimeoutError,
  isInputCancelledError,
  isInputTimeoutError,
  isLeaseConflictError,
  isUnsupportedError,
  LeaseConflictError,
  NotFoundError,
  OpenIntentError,
  UnsupportedError,
  ValidationError,
} from "./errors.ts";
export type { HookName, Hooks } from "./hooks.ts";
export {
  hooksOf,
  onEngagementDecision,
  onInputReceived,
  onInputRequested,
  onSuspensionExpired,
} from "./hooks.ts";
export { verifyMerkleProof } from "./merkle.ts";
export { mergeRetryPolicies } from "./retry-policy.ts";
export type { OpenIntentOptions } from "./transport.ts";
export type {
  Choice,
  EscalationStep,
  FallbackPolicy,
  HumanRetryPolicy,
  InputResponse,
  Intent,
  IntentEvent,
  IntentStatus,
  Lease,
  LogCheckpoint,
  MerkleProof,
  Patch,
  Respond,
  RespondReply,
  ResponseType,
  ServerConfig,
  StreamFrame,
  Suspension,
} from "./types.ts";
export type { InputSource, Phase, Workflow } from "./workflow/definition.ts";
export { parseWorkflow, readWorkflow } from "./workflow/definition.ts";
export {
  InputWiringError,
  MissingOutputError,
  OutputTypeMismatchError,
  UnresolvableInputError,
  UpstreamIntentSuspendedError,
  WorkflowDefinitionError,
  WorkflowError,
} from "./workflow/errors.ts";
export type { Phases } from "./workflow/inputs.ts";
export { validateClaimInputs } from "./workflow/inputs.ts";
export type {
  PhaseContext,
  PhaseHandler,
  PhaseResult,
  RegisteredAgent,
  RunOptions,
  WorkflowResult,
} from "./workflow/run.ts";
export { runWorkflow } from "./workflow/run.ts";
