/** What several operations have in common: refusals by kind of call, and parameters. */

import * as z from "zod";
import type { Code } from "../error-codes.ts";
import { Id } from "../wire/base.ts";

/** What any call with a credential may be told. */
export const CALL = ["unauthenticated", "agent_mismatch"] as const satisfies Code[];
/** Seeing one thing: what may not be seen is not there. */
export const READ = [...CALL, "not_found"] as const satisfies Code[];
/** Changing one thing. */
export const ACT = [...READ, "not_allowed"] as const satisfies Code[];
/** What only some roles may do, with nothing in particular. */
export const MANAGE = [...CALL, "not_allowed"] as const satisfies Code[];
/** Changing a setting that gives access or authority: in the console it needs a fresh sign-in. */
export const SETTING = [...MANAGE, "fresh_sign_in_required"] as const satisfies Code[];
export const SETTING_ACT = [...ACT, "fresh_sign_in_required"] as const satisfies Code[];
export const FIND = [...CALL, "invalid_query"] as const satisfies Code[];
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
  "unknown_person",
  "unknown_team",
  "unfulfillable_decision",
] as const satisfies Code[];
export const ANSWER = [
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
export const IfMatch = z.strictObject({
  "if-match": z
    .string()
    .exactOptional()
    .describe("The `ETag` last seen: refused if the hold has changed since."),
});
export const IfNoneMatch = z.strictObject({
  "if-none-match": z
    .string()
    .exactOptional()
    .describe("The `ETag` last seen: 304 if nothing has changed since."),
});
