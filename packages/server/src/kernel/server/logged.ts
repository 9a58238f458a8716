/** What the log tells of changed settings: names and values, of addresses only their number (G9). */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { ServerSettings } from "./server.ts";

/** As the configuration names them; a span or a size has its unit in the name. */
export const SETTING_NAMES: Readonly<Record<keyof ServerSettings, string>> = {
  defaultChannel: "default_channel",
  notifyAllow: "notify_allow",
  agentLinks: "agent_links",
  maxOpenChecks: "max_open_checks",
  grantMaxMs: "grant_max_ms",
  standingMs: "standing_allow_ms",
  fileBytesMax: "file_quota_bytes",
  retainMs: "retention_ms",
  deliveryRetainMs: "delivery_retention_ms",
  checkRetainMs: "check_retention_ms",
  inlineAnswers: "inline_answers",
  hours: "hours",
  redact: "redact",
};

/** `null`: as configured, or nothing. */
export function loggedOf(keys: readonly (keyof ServerSettings)[], settings: ServerSettings): JsonObject {
  return Object.fromEntries(keys.map((key) => [SETTING_NAMES[key], loggedValue(key, settings)]));
}

function loggedValue(key: keyof ServerSettings, settings: ServerSettings): Json {
  if (key === "notifyAllow") return settings.notifyAllow?.length ?? null;
  if (key !== "hours") return (settings[key] as Json | undefined) ?? null;
  const { hours } = settings;
  if (hours === undefined) return null;
  const { timeZone, days, opensAt, closesAt, holidays } = hours;
  return { time_zone: timeZone, days, opens_at: opensAt, closes_at: closesAt, holidays };
}
