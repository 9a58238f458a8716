/** Answers: what a review page posts, what an agent posts for a person who tapped a button, and the reply to both. */

import * as z from "zod";
import { list, OpenObject } from "../wire/base.ts";
import { CaseId, Moment, wordOrExtension } from "./values.ts";
import { VerificationEvidence, VerificationResult } from "./verification.ts";
import { PLATFORMS, SUBMIT_CHANNELS } from "./vocabulary.ts";

/** Posted by a page. Unknown members are refused, so that a wrapped `{result: …}` does not pass for an empty answer. */
export const RespondRequest = z.strictObject({ action: z.string().min(1), data: OpenObject.exactOptional() });
export type RespondRequest = z.infer<typeof RespondRequest>;

export const RespondReply = z.strictObject({
  status: z.literal("completed"),
  case_id: CaseId,
  completed_at: Moment,
  next_case_id: CaseId.exactOptional(),
});
export type RespondReply = z.infer<typeof RespondReply>;

/** The answer was one of several votes that the case needs: it stays open. */
export const RespondPending = z.strictObject({
  status: z.literal("in_progress"),
  case_id: CaseId,
  message: z.string(),
});
export type RespondPending = z.infer<typeof RespondPending>;

const SubmittedBy = z.strictObject({
  platform: wordOrExtension(PLATFORMS),
  platform_user_id: z.string(),
  display_name: z
    .string()
    .nullable()
    .exactOptional()
    .describe("`null`, as some clients send it, means absent."),
});

const SUBMIT = {
  action: z.string(),
  data: OpenObject.exactOptional(),
  submitted_via: wordOrExtension(SUBMIT_CHANNELS),
  submitted_by: SubmittedBy,
};

export const SubmitRequest07 = z.strictObject(SUBMIT);
export type SubmitRequest07 = z.infer<typeof SubmitRequest07>;

export const SubmitRequest08 = z.strictObject({
  ...SUBMIT,
  verification_evidence: list(VerificationEvidence).exactOptional(),
});
export type SubmitRequest08 = z.infer<typeof SubmitRequest08>;

/** How a finished case was answered. Readers of the record accept any platform word; senders are held to the list. */
const RecordedSubmitter = z.strictObject({
  platform: z.string(),
  platform_user_id: z.string(),
  display_name: z.string().exactOptional(),
});

export const SubmissionContext = z.discriminatedUnion("mode", [
  z.strictObject({
    mode: z.literal("browser_submit"),
    submitted_via: z.string().exactOptional(),
    submitted_by: RecordedSubmitter.exactOptional(),
    verification_result: VerificationResult.exactOptional(),
  }),
  z.strictObject({
    mode: z.literal("inline_submit"),
    submitted_via: z.string(),
    submitted_by: RecordedSubmitter,
    verification_result: VerificationResult.exactOptional(),
  }),
]);
export type SubmissionContext = z.infer<typeof SubmissionContext>;
