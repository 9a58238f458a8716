import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { turnsOf } from "./oncall.ts";

const now = Date.parse("2026-03-02T08:00:00Z");
const CALENDAR = "BEGIN:VEVENT\nDTSTART:20260302T080000Z\nDTEND:20260309T080000Z\nSUMMARY:ada\nEND:VEVENT";

test("a calendar file is read when it is needed, and a missing one fails", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-rota-"));
  const file = join(folder, "ops.ics");
  await expect(turnsOf({ kind: "ical", file }, now)).rejects.toThrow();
  writeFileSync(file, CALENDAR);
  expect((await turnsOf({ kind: "ical", file }, now)).now?.who).toBe("ada");
  rmSync(folder, { recursive: true });
});

test("a calendar of the console needs no file", async () => {
  expect((await turnsOf({ kind: "calendar", text: CALENDAR }, now)).now?.who).toBe("ada");
});
