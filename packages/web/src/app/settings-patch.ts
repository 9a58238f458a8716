/** What the forms of the server's settings send. */

import type { HoursIn, SettingsOut } from "@holdpoint/protocol";

/** Those that are one field of a form. */
export type SettingName = Exclude<keyof SettingsOut["changed"], "hours" | "redact">;

type Changed = Partial<SettingsOut["changed"]>;

export const NUMBERS: ReadonlySet<SettingName> = new Set([
  ...(["max_open_checks", "standing_allow_ms", "file_quota_mb"] as const),
  ...(["delivery_retention_days", "check_retention_days"] as const),
]);

/**
 * Only the fields that were edited, so that what another admin has saved meanwhile stays. `refused`: those that were sent before
 * and not saved; they are sent again, also when they say what was loaded.
 */
export function patchOf(
  texts: ReadonlyMap<SettingName, string>,
  loaded: Changed,
  refused: readonly string[] = [],
): Record<string, unknown> {
  const edited = [...texts].filter(([name, text]) => text !== textOf(loaded[name]) || refused.includes(name));
  return Object.fromEntries(edited.map(([name, text]) => [name, settingIn(name, text)]));
}

/** The settings of a patch that somebody has given another value since the person saw them. */
export function changedMeanwhile(patch: object, before: Changed, now: Changed): readonly (keyof Changed)[] {
  return (Object.keys(patch) as (keyof Changed)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  );
}

/** A setting by its name in the configuration: `max_open_checks: 7`. */
export function settingText(name: keyof Changed, { [name]: value }: Changed): string {
  if (value === undefined) return `${name}: as in holdpoint.yaml`;
  if (name === "hours") return `${name}: ${hoursText(value as HoursIn)}`;
  return `${name}: ${Array.isArray(value) ? value.join(", ") || "nothing" : String(value)}`;
}

export function textOf(value: Changed[SettingName]): string {
  if (value === undefined) return "";
  return typeof value === "object" ? value.join(", ") : String(value);
}

/** Empty goes back to the configuration. What is no number goes as text, so that the server says what is wrong with it. */
function settingIn(name: SettingName, text: string): string | number | boolean | readonly string[] | null {
  if (text === "") return null;
  if (name === "inline_answers") return text === "true";
  if (NUMBERS.has(name) || name === "retention_days")
    return Number.isFinite(Number(text)) ? Number(text) : text;
  return name === "notify_allow" ? itemsOf(text, ",") : text;
}

function itemsOf(text: string, separator: string | RegExp): readonly string[] {
  const items = text.split(separator).map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** A pattern may begin or end with a space, so that only empty lines are left out. */
export function patternsIn(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line !== "");
}

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** A field that was left empty is as the server has it usually. */
export function hoursIn(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const times = (["open", "close"] as const).flatMap((name) =>
    text(name) === "" ? [] : [[name, text(name)] as const],
  );
  return {
    time_zone: text("time_zone"),
    days: WEEKDAYS.filter((day) => form.getAll("days").includes(day)),
    ...Object.fromEntries(times),
    holidays: itemsOf(text("holidays"), /[\s,]+/),
  };
}

/** On one line: Mon, Tue, 09:00 to 17:00, Europe/Berlin, 2 holidays. */
export function hoursText({
  time_zone: zone,
  days = [],
  open = "",
  close = "",
  holidays = [],
}: HoursIn): string {
  const named = WEEKDAYS.filter((day) => days.includes(day)).map(
    (day) => day.charAt(0).toUpperCase() + day.slice(1),
  );
  const free =
    holidays.length === 0 ? "" : `, ${holidays.length === 1 ? "1 holiday" : `${holidays.length} holidays`}`;
  return `${named.join(", ")}, ${open} to ${close}, ${zone}${free}`;
}
