/** API keys. Secrets are shown once, in the reply to making the key. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";
import { ActorOut } from "./outcome.ts";

export const RoleWord = z
  .string()
  .max(200)
  .regex(
    /^(?:agent:(?:\*|[^\s:*]+)|app|operator|admin|auditor|dev)$/,
    "Invalid role: expected agent:<name>, agent:*, app, operator, admin, auditor or dev",
  )
  .describe("`agent:<name>`, `agent:*`, `app`, `operator`, `admin`, `auditor` or `dev`.");

export const KeyIn = z.strictObject({
  name: z.string().min(1).max(100),
  role: RoleWord,
});
export type KeyIn = z.infer<typeof KeyIn>;

export const KeyOut = z.strictObject({
  id: Id,
  name: z.string(),
  role: z.string(),
  workspace: Id,
  created_at: Time,
  created_by: ActorOut.exactOptional(),
  last_used_at: Time.exactOptional(),
  revoked_at: Time.exactOptional(),
  secret: z.string().exactOptional().describe("Only in the reply to making the key."),
  callback_secret: z
    .string()
    .exactOptional()
    .describe("Signs callbacks for holds that this key places. Only in the reply to making the key."),
});
export type KeyOut = z.infer<typeof KeyOut>;

export const KeyListOut = z.strictObject({ keys: list(KeyOut) });
export type KeyListOut = z.infer<typeof KeyListOut>;
