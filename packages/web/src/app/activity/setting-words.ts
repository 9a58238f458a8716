/** Changed settings of the server in words: “retention from forever to 7 days”. */

import { durationWords } from "@holdpoint/react/headless";
import { hoursText } from "../settings-patch.ts";

const SPAN = (value: unknown) => (typeof value === "number" ? durationWords(value) : String(value));
const COUNT = (value: unknown) => String(value);
const MEGABYTE = 1024 * 1024;

interface Setting {
  readonly name: string;
  readonly show: (value: unknown) => string;
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  default_channel: { name: "the usual channel", show: COUNT },
  notify_allow: { name: "the number of further recipients", show: COUNT },
  agent_links: { name: "review links for askers", show: COUNT },
  max_open_checks: { name: "open questions of one agent’s checks", show: COUNT },
  grant_max_ms: { name: "the longest standing permission", show: SPAN },
  standing_allow_ms: { name: "milliseconds without a new check", show: COUNT },
  file_quota_bytes: {
    name: "room for uploaded files",
    show: (value) => `${Math.round((Number(value) / MEGABYTE) * 10) / 10} MB`,
  },
  retention_ms: { name: "how long content is kept", show: SPAN },
  delivery_retention_ms: { name: "how long deliveries are kept", show: SPAN },
  check_retention_ms: { name: "how long checks are kept", show: SPAN },
  inline_answers: { name: "inline answers", show: (value) => (value === true ? "allowed" : "not allowed") },
  hours: { name: "business hours", show: hoursWords },
  redact: { name: "redaction", show: patternWords },
};

type Changed = Readonly<Record<string, unknown>>;

/** Logs of earlier versions do not say what counted before. */
export function settingsChanged(changed: unknown, before: unknown): string {
  if (!isRecord(changed)) return "";
  const was = isRecord(before) ? before : {};
  return Object.entries(changed)
    .map(([key, value]) => {
      const { name, show } = SETTINGS[key] ?? { name: key, show: COUNT };
      const from = was[key] === undefined || was[key] === null ? "" : ` from ${show(was[key])}`;
      return `${name}${from} to ${value === null ? "what holdpoint.yaml says" : show(value)}`;
    })
    .join("; ");
}

function isRecord(value: unknown): value is Changed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A rota as the log has it: “ada, lin, every 7 d”. */
export function rotaWords(value: unknown, nameOf: (id: string) => string = (id) => id): string {
  if (!isRecord(value)) return "nothing";
  const { people, every_ms: everyMs, calendar_events: events } = value;
  if (Array.isArray(people))
    return `${people.map((id) => nameOf(String(id))).join(", ")}, every ${durationWords(Number(everyMs))}`;
  return events === undefined
    ? "a calendar file"
    : `a calendar with ${events === 1 ? "1 event" : `${events} events`}`;
}

interface LoggedHours {
  readonly time_zone: string;
  readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
  readonly opens_at: number;
  readonly closes_at: number;
  readonly holidays: readonly string[];
}

function hoursWords(value: unknown): string {
  const { time_zone, days, opens_at, closes_at, holidays } = value as LoggedHours;
  return hoursText({ time_zone, days, open: timeOf(opens_at), close: timeOf(closes_at), holidays });
}

function timeOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function patternWords(value: unknown): string {
  const patterns = value as readonly string[];
  return patterns.length === 0 ? "nothing" : patterns.map((pattern) => `“${pattern}”`).join(", ");
}
