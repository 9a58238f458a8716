import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fromCalendar, onCall } from "./oncall.ts";

const DAY_MS = 86_400_000;
const from = Date.parse("2026-03-02T08:00:00Z");

const CALENDAR = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "DTSTART:20260302T080000Z",
  "DTEND:20260309T080000Z",
  "SUMMARY:ada@exam",
  " ple.com",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "DTSTART;VALUE=DATE:20260310",
  "DTEND;VALUE=DATE:20260311",
  "SUMMARY:grace",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");

describe("who is on call", () => {
  test("a rotation passes on at each turn, and goes round before its beginning too", async () => {
    const rota = { kind: "rotation", people: ["ada", "grace", "lin"], everyMs: DAY_MS, from } as const;
    const at = (days: number) => onCall(rota, from + days * DAY_MS);
    expect(await Promise.all([at(0), at(0.99), at(1), at(2), at(3), at(-1)])).toEqual([
      ...["ada", "ada", "grace", "lin", "ada", "lin"],
    ]);
  });

  test("a calendar names the person of the event that is on, and nobody between events", () => {
    expect(fromCalendar(CALENDAR, from)).toBe("ada@example.com");
    expect(fromCalendar(CALENDAR, Date.parse("2026-03-09T08:00:00Z"))).toBeUndefined();
    expect(fromCalendar(CALENDAR, Date.parse("2026-03-10T12:00:00Z"))).toBe("grace");
    expect(fromCalendar("BEGIN:VEVENT\nDTSTART:soon\nEND:VEVENT", from)).toBeUndefined();
  });

  test("a calendar file is read when it is needed, and a missing one fails", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-rota-"));
    const file = join(folder, "ops.ics");
    await expect(onCall({ kind: "ical", file }, from)).rejects.toThrow();
    writeFileSync(file, CALENDAR);
    expect(await onCall({ kind: "ical", file }, from)).toBe("ada@example.com");
    rmSync(folder, { recursive: true });
  });
});
