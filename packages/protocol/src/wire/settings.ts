/** Settings of the whole server that admins change while it runs. Their names are those of `holdpoint.yaml`. */

import * as z from "zod";
import { Duration, list } from "./base.ts";

const Name = z.string().trim().min(1).max(320);
const MEGABYTES_MAX = 1_000_000_000;

const SETTINGS = {
  default_channel: Name.describe("The channel for notifications that name none."),
  notify_allow: list(Name, { max: 1_000 }).describe(
    "Recipients that agents may notify, besides people and those of the configuration; `*@example.com` allows a whole domain.",
  ),
  agent_links: z
    .enum(["never", "hitl", "always"])
    .describe("Which askers get review links: nobody, those of HITL cases, or everyone who asks for one."),
  max_open_checks: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe("How many open questions the checks of one agent may have."),
  grant_max: Duration.describe("The longest time for which people may allow similar calls in advance."),
  standing_allow_ms: z
    .int()
    .min(0)
    .max(10_000)
    .describe("How long a standing permission lasts; 0: every call is checked before it runs."),
  file_quota_mb: z
    .number()
    .positive()
    .max(MEGABYTES_MAX)
    .describe("How much room the uploaded files of one workspace may take."),
};

/** A setting that can be changed, or set back. */
function changeable<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullable()
    .exactOptional()
    .describe(`${schema.description ?? ""} \`null\`: as configured.`);
}

export const SettingsIn = z.strictObject({
  default_channel: changeable(SETTINGS.default_channel),
  notify_allow: changeable(SETTINGS.notify_allow),
  agent_links: changeable(SETTINGS.agent_links),
  max_open_checks: changeable(SETTINGS.max_open_checks),
  grant_max: changeable(SETTINGS.grant_max),
  standing_allow_ms: changeable(SETTINGS.standing_allow_ms),
  file_quota_mb: changeable(SETTINGS.file_quota_mb),
});
export type SettingsIn = z.infer<typeof SettingsIn>;

const Values = z.strictObject({
  ...SETTINGS,
  default_channel: SETTINGS.default_channel.exactOptional(),
});

export const SettingsOut = z.strictObject({
  configured: Values.describe("What the configuration and its defaults say."),
  changed: z
    .strictObject({
      default_channel: SETTINGS.default_channel.exactOptional(),
      notify_allow: SETTINGS.notify_allow.exactOptional(),
      agent_links: SETTINGS.agent_links.exactOptional(),
      max_open_checks: SETTINGS.max_open_checks.exactOptional(),
      grant_max: SETTINGS.grant_max.exactOptional(),
      standing_allow_ms: SETTINGS.standing_allow_ms.exactOptional(),
      file_quota_mb: SETTINGS.file_quota_mb.exactOptional(),
    })
    .describe("What was changed since, in the console or by the API. It counts instead."),
});
export type SettingsOut = z.infer<typeof SettingsOut>;
