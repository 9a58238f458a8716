/** What travels beside the review itself: choice flags, improvement suggestions, and the front matter of a SKILL.md. */

import * as z from "zod";
import { list } from "../wire/base.ts";
import { CaseId, ReviewType, SafeUrl, textUpTo } from "./values.ts";
import { PRIORITIES, SKILL_INFO_LENGTH_MAX } from "./vocabulary.ts";

/** The members of a service's own request body that belong to the protocol. */
export const TriggerFlags = z.looseObject({
  prefer_hitl: z.boolean().exactOptional(),
  skip_hitl: z.boolean().exactOptional(),
  previous_case_id: CaseId.exactOptional(),
  hitl_callback_url: SafeUrl.exactOptional(),
  hitl_spec_version: z.string().exactOptional(),
});
export type TriggerFlags = z.infer<typeof TriggerFlags>;

export const ImprovementSuggestion = z.strictObject({
  field: z.string(),
  issue: z.string(),
  agent_action: z.string(),
  impact: z.string(),
  priority: z.enum(PRIORITIES),
});
export type ImprovementSuggestion = z.infer<typeof ImprovementSuggestion>;

/** A result given without a person: the rest of the body is the service's own. */
export const SkippedResult = z.looseObject({
  hitl_skipped: z.literal(true),
  improvement_suggestions: list(ImprovementSuggestion).exactOptional(),
});
export type SkippedResult = z.infer<typeof SkippedResult>;

/** `metadata.hitl`; open, because front matter is shared ground. */
export const SkillHitl = z.looseObject({
  supported: z.boolean(),
  types: list(ReviewType).exactOptional(),
  info: textUpTo(SKILL_INFO_LENGTH_MAX).exactOptional(),
  review_base_url: SafeUrl.exactOptional(),
  timeout_default: z.string().exactOptional(),
  supports_inline_submit: z.boolean().exactOptional(),
  hitl_required: z.boolean().exactOptional(),
  supports_improvement_suggestions: z.boolean().exactOptional(),
});
export type SkillHitl = z.infer<typeof SkillHitl>;

export const SkillFrontMatter = z.looseObject({
  name: z.string().min(1),
  description: z.string().min(1),
  metadata: z.looseObject({ hitl: SkillHitl }),
});
export type SkillFrontMatter = z.infer<typeof SkillFrontMatter>;
