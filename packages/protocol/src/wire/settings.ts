/** Settings of the whole server that admins change while it runs. Their names are those of `holdpoint.yaml`. */

import * as z from "zod";
import { Duration, list } from "./base.ts";

const Name = z.string().trim().min(1).max(320);
const MEGABYTES_MAX = 1_000_000_000;
const DAYS_MAX = 1_000_000;
const LIST_MAX = 1_000;
const PATTERNS_MAX = 200;

const Days = z.number().positive().max(DAYS_MAX);
const LocalTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "expected a time such as 09:00")
  .meta({ examples: ["09:00", "17:30"] });

/** When work begins and ends where nobody said otherwise. */
const HOURS_OPEN = "09:00";
const HOURS_CLOSE = "17:00";

/** When people work: what `business` means in a ladder. */
export const HoursIn = z
  .strictObject({
    time_zone: z.string().trim().min(1).max(100).check(isZone),
    days: list(z.enum(["sun", "mon", "tue", "wed", "thu", "fri", "sat"]), { min: 1, max: 7 }).exactOptional(),
    open: LocalTime.exactOptional(),
    close: LocalTime.exactOptional(),
    holidays: list(z.iso.date(), { max: LIST_MAX }).exactOptional(),
  })
  .check(({ value: { open = HOURS_OPEN, close = HOURS_CLOSE }, issues }) => {
    // Both have two digits on each side, so that the order of the texts is that of the times.
    if (open < close) return;
    issues.push({
      code: "custom",
      message: `close (${close}) must be later than open (${open})`,
      input: close,
      path: ["close"],
    });
  });
export type HoursIn = z.infer<typeof HoursIn>;

function isZone({ value, issues }: z.core.ParsePayload<string>): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
  } catch {
    const message = `${value} is not an IANA time zone such as Europe/Berlin`;
    issues.push({ code: "custom", message, input: value });
  }
}

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
  retention_days: z
    .union([Days, z.literal("forever")])
    .describe(
      "How many days after its end the content of a hold is erased, and of a stored thread after it was saved. It counts for what is placed from then on.",
    ),
  delivery_retention_days: Days.describe("How many days settled deliveries are kept."),
  check_retention_days: Days.describe("How many days recorded checks are kept. It counts for new checks."),
  inline_answers: z.boolean().describe("Whether agents may get tokens for inline answers."),
  hours: HoursIn.describe("When people work: what `business` means in a ladder."),
  redact: list(z.string().min(1).max(1_000), { max: PATTERNS_MAX }).describe(
    "RE2 regular expressions, without regard to case. What they match is removed from notifications.",
  ),
};

/** What the configuration file takes too. */
export const { retention_days: RetentionDays, redact: RedactPatterns } = SETTINGS;
export const KeptDays = Days;

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
  retention_days: changeable(SETTINGS.retention_days),
  delivery_retention_days: changeable(SETTINGS.delivery_retention_days),
  check_retention_days: changeable(SETTINGS.check_retention_days),
  inline_answers: changeable(SETTINGS.inline_answers),
  hours: changeable(SETTINGS.hours),
  redact: changeable(SETTINGS.redact),
});
export type SettingsIn = z.infer<typeof SettingsIn>;

const Values = z.strictObject({
  ...SETTINGS,
  default_channel: SETTINGS.default_channel.exactOptional(),
});

export const SettingsOut = z.strictObject({
  version: z
    .int()
    .min(0)
    .describe(
      "It grows with every change; 0: nobody has changed any. `If-Match` with it refuses a change over one that you have not seen.",
    ),
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
      retention_days: SETTINGS.retention_days.exactOptional(),
      delivery_retention_days: SETTINGS.delivery_retention_days.exactOptional(),
      check_retention_days: SETTINGS.check_retention_days.exactOptional(),
      inline_answers: SETTINGS.inline_answers.exactOptional(),
      hours: SETTINGS.hours.exactOptional(),
      redact: SETTINGS.redact.exactOptional(),
    })
    .describe("What was changed since, in the console or by the API. It counts instead."),
});
export type SettingsOut = z.infer<typeof SettingsOut>;
