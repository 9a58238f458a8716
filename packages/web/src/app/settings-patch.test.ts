import { expect, test } from "vitest";
import {
  hoursIn,
  hoursText,
  isChangedMeanwhile,
  patchOf,
  patternsIn,
  type SettingName,
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
  expect(isChangedMeanwhile({ max_open_checks: 7 }, before, { ...before, grant_max: "1d" })).toBe(false);
  expect(isChangedMeanwhile({ max_open_checks: 7 }, before, { ...before, max_open_checks: 6 })).toBe(true);
  expect(isChangedMeanwhile({ max_open_checks: null }, before, { redact: ["a"] })).toBe(true);
  expect(isChangedMeanwhile({ redact: ["b"] }, before, { ...before, redact: ["a"] })).toBe(false);
});
