/** The same shapes as JSON Schema 2020-12, for people who do not run our code. */

import * as z from "zod";
import { Discovery07, Discovery08 } from "./discovery.ts";
import { ErrorBody } from "./errors.ts";
import { Callback, CaseEvent } from "./events.ts";
import { ImprovementSuggestion, SkillFrontMatter, SkippedResult, TriggerFlags } from "./extras.ts";
import { Form, FormField } from "./form.ts";
import { HitlObject07, HitlObject08, HumanInputRequired07, HumanInputRequired08 } from "./hitl-object.ts";
import { PollResponse07, PollResponse08 } from "./poll.ts";
import {
  RespondReply,
  RespondRequest,
  SubmissionContext,
  SubmitRequest07,
  SubmitRequest08,
} from "./submit.ts";
import { VerificationEvidence, VerificationPolicy, VerificationResult } from "./verification.ts";
import type { HitlVersion } from "./vocabulary.ts";

const BOTH = {
  "form-field": FormField,
  form: Form,
  "respond-request": RespondRequest,
  "respond-reply": RespondReply,
  "case-event": CaseEvent,
  callback: Callback,
  error: ErrorBody,
  "trigger-flags": TriggerFlags,
  "improvement-suggestion": ImprovementSuggestion,
  "skipped-result": SkippedResult,
  "skill-front-matter": SkillFrontMatter,
};

/** Every object of the protocol by name, as each version has it. */
export const HITL_SCHEMAS = {
  "0.7": {
    ...BOTH,
    "hitl-object": HitlObject07,
    "human-input-required": HumanInputRequired07,
    "poll-response": PollResponse07,
    "submit-request": SubmitRequest07,
    discovery: Discovery07,
  },
  "0.8": {
    ...BOTH,
    "hitl-object": HitlObject08,
    "human-input-required": HumanInputRequired08,
    "poll-response": PollResponse08,
    "submit-request": SubmitRequest08,
    discovery: Discovery08,
    "submission-context": SubmissionContext,
    "verification-policy": VerificationPolicy,
    "verification-evidence": VerificationEvidence,
    "verification-result": VerificationResult,
  },
} as const satisfies Record<HitlVersion, Record<string, z.ZodType>>;

export type HitlSchemaName<Version extends HitlVersion = "0.8"> = keyof (typeof HITL_SCHEMAS)[Version];

export function hitlJsonSchema<Version extends HitlVersion>(
  version: Version,
  name: HitlSchemaName<Version>,
): z.core.JSONSchema.BaseSchema {
  const schemas: Readonly<Record<string, z.ZodType>> = HITL_SCHEMAS[version];
  // Values that belong to somebody else have no shape of ours; "any" is what the protocol says about them too.
  return z.toJSONSchema(schemas[name as string]!, { unrepresentable: "any" });
}
