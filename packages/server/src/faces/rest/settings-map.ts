/** The server's settings on the wire: the names and units of `holdpoint.yaml`. */

import type { SettingsIn, SettingsOut } from "@holdpoint/protocol";
import { formatDuration, parseDuration } from "@holdpoint/protocol/rules";
import { USUAL_HOURS } from "../../kernel/hold/business-hours.ts";
import { hoursFrom, hoursText } from "../../kernel/hold/hours-text.ts";
import type { Platform } from "../../kernel/platform.ts";
import type { ServerPatch, ServerSettings } from "../../kernel/server/server.ts";
import { fail } from "../http/failure.ts";
import type { LivePort } from "./deps.ts";

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

export function settingsPatch(body: SettingsIn, live: Pick<LivePort, "whyNotPatterns">): ServerPatch {
  const { retention_days: days, hours, redact } = body;
  refusePatterns(redact ?? [], live);
  const given = {
    defaultChannel: body.default_channel,
    notifyAllow: body.notify_allow,
    agentLinks: body.agent_links,
    maxOpenChecks: body.max_open_checks,
    grantMaxMs: body.grant_max && parseDuration(body.grant_max),
    standingMs: body.standing_allow_ms,
    fileBytesMax: body.file_quota_mb && Math.round(body.file_quota_mb * MEGABYTE),
    retainMs: typeof days === "number" ? spanOf(days) : days,
    deliveryRetainMs: body.delivery_retention_days && spanOf(body.delivery_retention_days),
    checkRetainMs: body.check_retention_days && spanOf(body.check_retention_days),
    inlineAnswers: body.inline_answers,
    hours: hours && hoursFrom(hours),
    redact,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function spanOf(days: number): number {
  return Math.round(days * DAY_MS);
}

function refusePatterns(patterns: readonly string[], live: Pick<LivePort, "whyNotPatterns">): void {
  const [problem] = live.whyNotPatterns(patterns);
  if (problem === undefined) return;
  const key = `/redact/${problem.index}`;
  const message = `the pattern ${JSON.stringify(patterns[problem.index])} ${problem.why}`;
  throw fail("invalid_body", message, { problems: [{ key, rule: "pattern", message }] });
}

export function presentConfigured(platform: Platform): SettingsOut["configured"] {
  const { notify, hours = USUAL_HOURS, retainMs = "forever", inlineAnswers = true } = platform;
  return {
    ...presentAll({ ...platform, hours, retainMs, inlineAnswers }),
    ...(notify.defaultChannel === undefined ? {} : { default_channel: notify.defaultChannel }),
    notify_allow: notify.allow,
  };
}

export function presentChanged(settings: ServerSettings): SettingsOut["changed"] {
  const { defaultChannel, notifyAllow } = settings;
  const named = { default_channel: defaultChannel, notify_allow: notifyAllow };
  return withoutAbsent({ ...named, ...presentAll(settings) });
}

type Changeable = Omit<ServerSettings, "defaultChannel" | "notifyAllow">;

/** What is absent stays absent. */
function presentAll(settings: Required<Changeable>): Required<Presented>;
function presentAll(settings: Changeable): Presented;
function presentAll(settings: Changeable): Presented {
  const { agentLinks, maxOpenChecks, grantMaxMs, standingMs, fileBytesMax } = settings;
  const { retainMs, deliveryRetainMs, checkRetainMs, inlineAnswers, hours, redact } = settings;
  return withoutAbsent({
    agent_links: agentLinks,
    max_open_checks: maxOpenChecks,
    grant_max: grantMaxMs === undefined ? undefined : formatDuration(grantMaxMs),
    standing_allow_ms: standingMs,
    file_quota_mb: fileBytesMax && fileBytesMax / MEGABYTE,
    retention_days: typeof retainMs === "number" ? retainMs / DAY_MS : retainMs,
    delivery_retention_days: deliveryRetainMs && deliveryRetainMs / DAY_MS,
    check_retention_days: checkRetainMs && checkRetainMs / DAY_MS,
    inline_answers: inlineAnswers,
    hours: hours && hoursText(hours),
    redact,
  });
}

type Presented = Omit<SettingsOut["changed"], "default_channel" | "notify_allow">;

type WithoutAbsent<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function withoutAbsent<Values extends object>(values: Values): WithoutAbsent<Values> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as WithoutAbsent<Values>;
}
