/** API keys. Secrets are shown once, in the reply to making the key. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";

export const RoleWord = z.enum(["agent", "app", "operator", "admin", "auditor", "dev"]);
export type RoleWord = z.infer<typeof RoleWord>;

/** Names stand in logs, lists and the keys of other things: one line, and nothing invisible that could part it. */
const Name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u, "Invalid name: control characters");

export const KeyIn = z.strictObject({
  name: Name.describe("Whom the key stands for: agent, app or person. `*` with the role `agent`: any agent."),
  role: RoleWord.describe("What the key may do."),
});
export type KeyIn = z.infer<typeof KeyIn>;

export const KeyOut = z.strictObject({
  id: Id,
  name: z.string(),
  role: RoleWord,
  workspace: Id,
  created_at: Time,
  created_by: z.string().exactOptional(),
  hint: z.string().exactOptional().describe("The end of the secret, to tell keys apart."),
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

/** A link that signs a person in to the console, once. */
export const SignInIn = z.strictObject({
  name: Name.exactOptional().describe("Whom it signs in; `operator` unless it says."),
  role: z
    .enum(["operator", "admin", "auditor"])
    .exactOptional()
    .describe("What they may do; `operator` unless it says."),
});
export type SignInIn = z.infer<typeof SignInIn>;

export const SignInOut = z.strictObject({
  url: z.string().describe("Works once, for a while."),
  name: z.string(),
  role: RoleWord,
  expires_at: Time,
});
export type SignInOut = z.infer<typeof SignInOut>;
