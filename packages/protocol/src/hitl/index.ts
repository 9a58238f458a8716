/**
 * @module
 * The HITL Protocol as schemas: what a service answers with 202, what an agent polls, what a person's answer looks like,
 * in versions 0.7 and 0.8. What needs no schema library is in `@holdpoint/protocol/hitl/words`.
 *
 * @example
 * ```ts
 * import { HitlObject } from "@holdpoint/protocol/hitl";
 * const { hitl } = await response.json();
 * const review = HitlObject.parse(hitl);
 * ```
 */
export {
  CancelRequest,
  CaseIn,
  Jwks,
  ProgressRequest,
  SessionIn,
  SessionOut,
} from "./case-in.ts";
export { Discovery07, Discovery08 } from "./discovery.ts";
export { ErrorBody } from "./errors.ts";
export { CASE_EVENT_DATA, Callback, CaseEvent } from "./events.ts";
export { ImprovementSuggestion, SkillFrontMatter, SkillHitl, SkippedResult, TriggerFlags } from "./extras.ts";
export { Form, FormField, FormStep } from "./form.ts";
export {
  HitlObject,
  HitlObject07,
  HitlObject08,
  HumanInputRequired,
  HumanInputRequired07,
  HumanInputRequired08,
} from "./hitl-object.ts";
export type { HitlSchemaName } from "./json-schema.ts";
export { HITL_SCHEMAS, hitlJsonSchema } from "./json-schema.ts";
export { everyAddressOf, hitlOperations, hitlSet } from "./operations.ts";
export { CaseResult, PollResponse07, PollResponse08, Progress, RespondedBy } from "./poll.ts";
export {
  RespondPending,
  RespondReply,
  RespondRequest,
  SubmissionContext,
  SubmitRequest07,
  SubmitRequest08,
} from "./submit.ts";
export {
  isJsonRender,
  SUBMIT_REVIEW,
  SURFACE_FORMAT,
  SURFACE_PROFILE,
  SurfaceProfile,
  surfaceProfile,
  surfaceToShow,
} from "./surface.ts";
export { VerificationEvidence, VerificationPolicy, VerificationResult } from "./verification.ts";
