/** What several operations have in common: refusals by kind of call, and parameters. */

import * as z from "zod";
import type { Code } from "../error-codes.ts";
import { Id } from "../wire/base.ts";

export const READ = [
  "unauthenticated",
  "not_allowed",
  "agent_mismatch",
  "not_found",
] as const satisfies Code[];
export const FIND = [
  "unauthenticated",
  "not_allowed",
  "agent_mismatch",
  "invalid_query",
] as const satisfies Code[];
export const BODY = [
  "invalid_json",
  "invalid_body",
  "unknown_member",
  "too_large",
  "too_deep",
  "unsupported_media_type",
] as const satisfies Code[];
export const PLACE = [
  "invalid_ask",
  "key_reused",
  "previous_not_found",
  "after_not_settled",
  "intent_not_found",
  "intent_suspended",
  "intent_not_active",
  "callback_refused",
  "recipient_refused",
] as const satisfies Code[];
export const ANSWER = [
  "already_settled",
  "hold_expired",
  "invalid_answer",
  "invalid_action",
  "shown_mismatch",
] as const satisfies Code[];
export const IdParams = z.strictObject({ id: Id });
export const ClaimParams = z.strictObject({ id: Id, claim_id: Id });
export const LinkParams = z.strictObject({ id: Id, link_id: Id });
export const IdempotencyHeaders = z.strictObject({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe("Makes the call repeatable; the same as `key` in the body, which wins."),
});
