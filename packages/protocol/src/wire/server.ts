/** What a server says about itself and about the caller. */

import * as z from "zod";
import { Id } from "./base.ts";
import { RoleWord } from "./key.ts";

export const MeOut = z.strictObject({
  workspace: Id,
  kind: z
    .enum(["key", "session", "link"])
    .describe("How the caller signed in; `link`: with a browser token."),
  id: Id,
  name: z.string(),
  role: RoleWord,
  agent: z.string().exactOptional().describe("The agent that this call asks as."),
});
export type MeOut = z.infer<typeof MeOut>;

export const HealthOut = z.strictObject({ status: z.literal("ok"), version: z.string() });
export type HealthOut = z.infer<typeof HealthOut>;

export const ReadyOut = z.strictObject({
  status: z.enum(["ready", "not_ready"]),
  checks: z.record(z.string(), z.enum(["ok", "failing"])),
});
export type ReadyOut = z.infer<typeof ReadyOut>;
