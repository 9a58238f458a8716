import { expect, test } from "vitest";
import { rotaWords, settingsChanged } from "./setting-words.ts";

test("a change of settings says from what to what, in words and units", () => {
  const hours = { time_zone: "UTC", days: ["mon"], opens_at: 540, closes_at: 1020, holidays: ["2026-12-25"] };
  const said = (changed: object, before: object) => settingsChanged(changed, before);
  expect(said({ retention_ms: 604_800_000 }, { retention_ms: "forever" })).toBe(
    "how long content is kept from forever to 7 d",
  );
  expect(said({ file_quota_bytes: 1_572_864 }, { file_quota_bytes: null })).toBe(
    "room for uploaded files to 1.5 MB",
  );
  expect(said({ inline_answers: true, redact: null }, { inline_answers: false, redact: [] })).toBe(
    "inline answers from not allowed to allowed; redaction from nothing to what holdpoint.yaml says",
  );
  expect(said({ hours }, { hours: null })).toBe("business hours to Mon, 09:00 to 17:00, UTC, 1 holiday");
});

test("a log of an earlier version says only to what; a setting of a later one is told by its name", () => {
  expect(settingsChanged({ max_open_checks: 7, other: 3 }, undefined)).toBe(
    "open questions of one agent’s checks to 7; other to 3",
  );
  expect(settingsChanged(undefined, undefined)).toBe("");
});

test("a rota is told by its people and turns, or as a calendar", () => {
  expect(rotaWords({ people: ["ada", "lin"], every_ms: 604_800_000, from: 0 })).toBe("ada, lin, every 7 d");
  expect(rotaWords({ calendar_events: 1 })).toBe("a calendar with 1 event");
  expect(rotaWords({ calendar_events: 3 })).toBe("a calendar with 3 events");
  expect(rotaWords({ file: true })).toBe("a calendar file");
  expect(rotaWords(null)).toBe("nothing");
});
