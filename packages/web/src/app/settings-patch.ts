/** What the form of the server's settings sends. */

import type { SettingsOut } from "@holdpoint/protocol";

export type SettingName = keyof SettingsOut["changed"];

type Changed = Partial<SettingsOut["changed"]>;

export const NUMBERS: ReadonlySet<SettingName> = new Set([
  ...(["max_open_checks", "standing_allow_ms", "file_quota_mb"] as const),
]);

/** Only the fields that were edited, so that what another admin has saved meanwhile stays. */
export function patchOf(texts: ReadonlyMap<SettingName, string>, loaded: Changed): Record<string, unknown> {
  const edited = [...texts].filter(([name, text]) => text !== textOf(loaded[name]));
  return Object.fromEntries(edited.map(([name, text]) => [name, settingIn(name, text)]));
}

export function textOf(value: Changed[SettingName]): string {
  if (value === undefined) return "";
  return typeof value === "object" ? value.join(", ") : String(value);
}

/** Empty goes back to the configuration. */
function settingIn(name: SettingName, text: string): string | number | readonly string[] | null {
  if (text === "") return null;
  if (NUMBERS.has(name)) return Number(text);
  if (name !== "notify_allow") return text;
  const names = text.split(",").map((one) => one.trim());
  return names.filter((one) => one !== "");
}
