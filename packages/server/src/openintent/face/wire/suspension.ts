/** Suspensions on the wire. */

import * as z from "zod";
import { FALLBACK_POLICIES } from "../../rules/intent/human-retry.ts";
import { RESPONSE_TYPES } from "../../rules/intent/record.ts";
import { AnyJson, Id, Open, TimeIn, TimeOut } from "./base.ts";

const ChoiceItem = z.looseObject({
  value: z.string().min(1),
  label: z.string().min(1),
  description: z.string().nullish(),
  style: z.enum(["primary", "danger", "default"]).nullish(),
  metadata: Open.nullish(),
});

const RetryPolicyItem = z
  .looseObject({
    max_attempts: z.int().min(1).nullish(),
    interval_seconds: z.number().min(0).nullish(),
    strategy: z.enum(["fixed", "linear", "exponential"]).nullish(),
    escalation_ladder: z.array(Open).max(100).nullish(),
    final_fallback_policy: z.enum(FALLBACK_POLICIES).nullish(),
  })
  .describe("Whom to tell again and when; the whole window is `interval_seconds` times `max_attempts`.");

/** What an agent asks, in one atomic call. The rules check it again, as they check a record that is written to the state. */
export const SuspendIn = z
  .looseObject({
    id: Id.describe("Names the suspension; the same record sent again is the same suspension."),
    question: z.string().min(1).max(20_000),
    response_type: z.enum(RESPONSE_TYPES).nullish(),
    choices: z.array(ChoiceItem).max(200).nullish(),
    context: Open.nullish(),
    channel_hint: z.string().max(200).nullish(),
    suspended_at: TimeIn.nullish(),
    timeout_seconds: z.number().positive().nullish(),
    fallback_value: AnyJson.nullish(),
    fallback_policy: z.enum(FALLBACK_POLICIES).nullish(),
    retry_policy: RetryPolicyItem.nullish(),
    confidence_at_suspension: z.number().min(0).max(1).nullish(),
    decision_record: Open.nullish(),
  })
  .describe("A suspension record, as it would stand under `_suspension`.");

export const RespondIn = z.looseObject({
  suspension_id: z
    .string("suspension_id is required")
    .min(1, "suspension_id is required")
    .max(200)
    .describe("The suspension that is answered."),
  value: AnyJson.optional().describe("A choice's value, `yes` or `no`, a text, or for a form any JSON."),
  responded_by: z.string().min(1).max(320).nullish().describe("A claim; the log has who was authenticated."),
  metadata: Open.nullish(),
});

export const RespondOut = z.strictObject({
  intent_id: Id,
  suspension_id: Id,
  resolution: z.literal("responded"),
  value: AnyJson,
  responded_by: z.string(),
  responded_at: TimeOut,
  choice_label: z.string().exactOptional(),
  choice_description: z.string().exactOptional(),
});

/** The answer was one of several votes that are needed: the intent stays suspended. */
export const RespondPendingOut = z.strictObject({
  intent_id: Id,
  suspension_id: Id,
  resolution: z.literal("pending"),
  message: z.string(),
});

export const CancelIn = z.looseObject({
  suspension_id: Id,
  reason: z.string().max(2000).nullish(),
});
