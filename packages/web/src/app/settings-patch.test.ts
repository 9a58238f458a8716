import { expect, test } from "vitest";
import {
  changedMeanwhile,
  hoursIn,
  hoursText,
  patchOf,
  patternsIn,
  type SettingName,
  settingText,
} from "./settings-patch.ts";

const texts = (given: Partial<Record<SettingName, string>>) =>
  new Map(Object.entries(given) as [SettingName, string][]);

test("a form sends the fields that were edited and no others, so that it undoes no change of another admin", () => {
  const loaded = { max_open_checks: 7, notify_allow: ["lin", "*@example.com"], grant_max: "2h" };
  const form = { max_open_checks: "8", notify_allow: "lin, *@example.com", grant_max: "2h", agent_links: "" };
  expect(patchOf(texts(form), loaded)).toEqual({ max_open_checks: 8 });
});

test("an empty field goes back to the configuration, and a list is read from text", () => {
  const loaded = { max_open_checks: 7 };
  const form = { max_open_checks: "", notify_allow: "lin, ,ada", default_channel: "team" };
  expect(patchOf(texts(form), loaded)).toEqual({
    ...{ max_open_checks: null, notify_allow: ["lin", "ada"], default_channel: "team" },
  });
});

test("what is no number goes as text, so that the server refuses it instead of going back to the configuration", () => {
  const form = { retention_days: "soon", check_retention_days: "1.5", inline_answers: "false" };
  expect(patchOf(texts(form), {})).toEqual({
    ...{ retention_days: "soon", check_retention_days: 1.5, inline_answers: false },
  });
  expect(patchOf(texts({ retention_days: "forever" }), { retention_days: 7 })).toEqual({
    retention_days: "forever",
  });
});

test("patterns are lines; spaces at their ends belong to them", () => {
  expect(patternsIn("a b \r\n\n\\d+")).toEqual(["a b ", "\\d+"]);
  expect(patternsIn("")).toEqual([]);
});

test("business hours are read from the form with their days in order, and shown on one line", () => {
  const form = new FormData();
  for (const [name, value] of [
    ...(["fri", "mon"] as const).map((day) => ["days", day] as const),
    ...([
      ["time_zone", " Europe/Berlin "],
      ["open", "08:30"],
      ["close", ""],
    ] as const),
    ["holidays", "2026-12-25\n2027-01-01, 2027-05-01"] as const,
  ])
    form.append(name, value);
  const hours = {
    ...{ time_zone: "Europe/Berlin", days: ["mon", "fri"] as const, open: "08:30" },
    holidays: ["2026-12-25", "2027-01-01", "2027-05-01"],
  };
  expect(hoursIn(form)).toEqual(hours);
  expect(hoursText({ ...hours, close: "17:00" })).toBe("Mon, Fri, 08:30 to 17:00, Europe/Berlin, 3 holidays");
});

test("a setting that somebody else has saved meanwhile is noticed, and others do not matter", () => {
  const before = { max_open_checks: 5, redact: ["a"] };
  const checks = ["max_open_checks"];
  expect(changedMeanwhile({ max_open_checks: 7 }, before, { ...before, grant_max: "1d" })).toEqual([]);
  expect(changedMeanwhile({ max_open_checks: 7 }, before, { ...before, max_open_checks: 6 })).toEqual(checks);
  expect(changedMeanwhile({ max_open_checks: null }, before, { redact: ["a"] })).toEqual(checks);
  expect(changedMeanwhile({ redact: ["b"] }, before, { ...before, redact: ["a"] })).toEqual([]);
});

test("a field that was refused is sent again, also when it says what was loaded", () => {
  const form = { max_open_checks: "5", grant_max: "2h" };
  const loaded = { max_open_checks: 5, grant_max: "2h" };
  expect(patchOf(texts(form), loaded, ["max_open_checks"])).toEqual({ max_open_checks: 5 });
});

test("a value that somebody else saved is told by its name in the configuration", () => {
  const hours = { time_zone: "UTC", days: ["mon" as const], open: "09:00", close: "17:00" };
  const now = { max_open_checks: 7, redact: [], notify_allow: ["lin", "ada"], hours };
  expect(settingText("max_open_checks", now)).toBe("max_open_checks: 7");
  expect(settingText("redact", now)).toBe("redact: nothing");
  expect(settingText("notify_allow", now)).toBe("notify_allow: lin, ada");
  expect(settingText("hours", now)).toBe("hours: Mon, 09:00 to 17:00, UTC");
  expect(settingText("grant_max", now)).toBe("grant_max: as in holdpoint.yaml");
});
