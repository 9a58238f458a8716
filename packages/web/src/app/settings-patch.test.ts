import { expect, test } from "vitest";
import { patchOf, type SettingName } from "./settings-patch.ts";

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
