import { describe, expect, it } from "vitest";
import { nextTryAt, retryAfterMs, SCHEDULES, type Schedule, scheduleOf } from "./schedule.ts";

const NOW = Date.UTC(2026, 0, 1);

/** The delays of all tries of a message that never arrives. */
function waits(schedule: Schedule, random: () => number): readonly number[] {
  const found: number[] = [];
  for (let tries = 1; ; tries++) {
    const dueAt = nextTryAt(schedule, { tries }, NOW, random);
    if (dueAt === null) return found;
    found.push(dueAt - NOW);
  }
}

describe("the standard retry schedule", () => {
  const { standard } = SCHEDULES;

  it("the standard schedule waits at most the listed times", () => {
    const seconds = [5, 30, 120, 900, 3_600, 14_400, 43_200, 86_400];
    expect(waits(standard, () => 1)).toEqual(seconds.map((s) => s * 1_000));
  });

  it("the standard schedule spreads each delay down to the previous step, so that delays never shrink", () => {
    const seconds = [0, 5, 30, 120, 900, 3_600, 14_400, 43_200];
    expect(waits(standard, () => 0)).toEqual(seconds.map((s) => s * 1_000));
    expect(waits(standard, () => 0.5)[1]).toBe(17_500);
  });

  it.each([408, 425, 429, 500, 502, 503, 599])("the standard schedule retries after status %i", (status) => {
    expect(nextTryAt(standard, { tries: 1, status }, NOW, () => 1)).toBe(NOW + 5_000);
  });

  it.each([300, 301, 307, 400, 401, 404, 410, 422, 600])(
    "the standard schedule gives up after status %i",
    (status) => {
      expect(nextTryAt(standard, { tries: 1, status }, NOW, () => 1)).toBeNull();
    },
  );

  it("a carrier's own retry decision overrules the status", () => {
    expect(nextTryAt(standard, { tries: 1, status: 404, retry: true }, NOW, () => 1)).toBe(NOW + 5_000);
    expect(nextTryAt(standard, { tries: 1, status: 503, retry: false }, NOW, () => 1)).toBeNull();
    expect(nextTryAt(standard, { tries: 9, retry: true }, NOW, () => 1)).toBeNull();
  });

  it("Retry-After can lengthen a delay but not shorten it", () => {
    expect(nextTryAt(standard, { tries: 1, retryAfterMs: 60_000 }, NOW, () => 1)).toBe(NOW + 60_000);
    expect(nextTryAt(standard, { tries: 4, retryAfterMs: 60_000 }, NOW, () => 1)).toBe(NOW + 900_000);
  });
});

describe("the HITL retry schedule", () => {
  it("the HITL schedule retries after exactly 1 s, 5 s and 30 s", () => {
    expect(waits(SCHEDULES.hitl, () => 0)).toEqual([1_000, 5_000, 30_000]);
    expect(waits(SCHEDULES.hitl, () => 1)).toEqual([1_000, 5_000, 30_000]);
  });

  it.each([400, 404, 408, 425, 429])("the HITL schedule does not retry after status %i", (status) => {
    expect(nextTryAt(SCHEDULES.hitl, { tries: 1, status }, NOW, () => 0)).toBeNull();
  });

  it("the HITL schedule retries after status 503", () => {
    expect(nextTryAt(SCHEDULES.hitl, { tries: 1, status: 503 }, NOW, () => 0)).toBe(NOW + 1_000);
  });
});

describe("schedules of outbox rows", () => {
  it("a row's schedule is named in its detail, else it follows from its kind", () => {
    expect(scheduleOf({ kind: "callback", detail: { schedule: "hitl" } })).toBe(SCHEDULES.hitl);
    expect(scheduleOf({ kind: "callback", detail: {} })).toBe(SCHEDULES.standard);
    expect(scheduleOf({ kind: "webhook", detail: { schedule: "toString" } })).toBe(SCHEDULES.standard);
    expect(scheduleOf({ kind: "notice", detail: {} })).toBe(SCHEDULES.notice);
  });
});

describe("Retry-After", () => {
  it.each([
    ["120", 120_000],
    [" 7 ", 7_000],
    ["0", 0],
    ["999999999", 3_600_000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Thu, 01 Jan 2099 00:00:00 GMT", 3_600_000],
    ["Thu, 01 Jan 1998 00:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("Retry-After %j is read as %j ms", (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
