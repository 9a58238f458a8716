/**
 * What a poll answers. 0.7 leaves the objects open, 0.8 closes them; a body that fits the closed form fits both, so that
 * is the one to send.
 */

import * as z from "zod";
import { OpenObject } from "../wire/base.ts";
import { SubmissionContext } from "./submit.ts";
import { CaseId, Email, integerFrom, Moment, Uri } from "./values.ts";
import { OPEN_STATUSES } from "./vocabulary.ts";

const SIGNATURE = {
  algorithm: z.string().exactOptional(),
  value: z.string().exactOptional(),
  signed_at: Moment.exactOptional(),
  signer: Uri.exactOptional(),
};

const PERSON = { name: z.string().exactOptional(), email: Email.exactOptional() };

export const CaseResult = z.strictObject({
  action: z.string(),
  data: OpenObject.exactOptional(),
  signature: z.strictObject(SIGNATURE).exactOptional(),
});
export type CaseResult = z.infer<typeof CaseResult>;

export const RespondedBy = z.strictObject(PERSON);
export type RespondedBy = z.infer<typeof RespondedBy>;

const OpenCaseResult = z.looseObject({
  action: z.string(),
  data: OpenObject.exactOptional(),
  signature: z.looseObject(SIGNATURE).exactOptional(),
});

export const Progress = z.strictObject({
  current_step: integerFrom(1).exactOptional(),
  total_steps: integerFrom(1).exactOptional(),
  completed_fields: integerFrom(0).exactOptional(),
  total_fields: integerFrom(0).exactOptional(),
});
export type Progress = z.infer<typeof Progress>;

const MOMENTS = {
  created_at: Moment.exactOptional(),
  opened_at: Moment.exactOptional(),
  expires_at: Moment.exactOptional(),
  completed_at: Moment.exactOptional(),
  expired_at: Moment.exactOptional(),
  cancelled_at: Moment.exactOptional(),
  reminder_sent_at: Moment.exactOptional(),
};

const COMMON = {
  case_id: z.string(),
  ...MOMENTS,
  progress: Progress.exactOptional(),
  next_case_id: CaseId.exactOptional(),
  default_action: z.string().exactOptional(),
  reason: z.string().exactOptional(),
};

const OPEN = { status: z.enum(OPEN_STATUSES) };
const COMPLETED = { status: z.literal("completed"), completed_at: Moment };
const EXPIRED = { status: z.literal("expired"), expired_at: Moment, default_action: z.string() };
const CANCELLED = { status: z.literal("cancelled"), cancelled_at: Moment };

const COMMON_07 = {
  ...COMMON,
  result: OpenCaseResult.exactOptional(),
  responded_by: z.looseObject(PERSON).exactOptional(),
};

export const PollResponse07 = z.discriminatedUnion("status", [
  z.looseObject({ ...COMMON_07, ...OPEN }),
  z.looseObject({ ...COMMON_07, ...COMPLETED, result: OpenCaseResult }),
  z.looseObject({ ...COMMON_07, ...EXPIRED }),
  z.looseObject({ ...COMMON_07, ...CANCELLED }),
]);
export type PollResponse07 = z.infer<typeof PollResponse07>;

const COMMON_08 = {
  ...COMMON,
  result: CaseResult.exactOptional(),
  responded_by: RespondedBy.exactOptional(),
  submission_context: SubmissionContext.exactOptional(),
};

export const PollResponse08 = z.discriminatedUnion("status", [
  z.strictObject({ ...COMMON_08, ...OPEN }),
  z.strictObject({ ...COMMON_08, ...COMPLETED, result: CaseResult }),
  z.strictObject({ ...COMMON_08, ...EXPIRED }),
  z.strictObject({ ...COMMON_08, ...CANCELLED }),
]);
export type PollResponse08 = z.infer<typeof PollResponse08>;
