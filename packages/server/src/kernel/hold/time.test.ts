import { describe, expect, test } from "vitest";
import { APPROVED, decidedHold, openHold } from "../../testing/core-samples.ts";
import type { Claim, Hold } from "./hold.ts";
import { dueAt, eraseAt, layRungs, passRungs, type Rung, type RungIn } from "./time.ts";

const attempt = (at: number): RungIn => ({ at, kind: "attempt" });
const reminder = (at: number): RungIn => ({ at, kind: "reminder" });
const short = (rungs: readonly Rung[]) => rungs.map(({ at, kind, n }) => `${kind} ${n} at ${at}`);

describe("layRungs", () => {
  test.each<[string, readonly RungIn[], number | undefined, readonly string[]]>([
    ["no rungs give no rungs", [], 100, []],
    [
      "attempts are numbered from 2, because placing the hold is attempt 1",
      [attempt(10), attempt(20)],
      100,
      ["attempt 2 at 10", "attempt 3 at 20"],
    ],
    [
      "rungs are sorted by time",
      [attempt(20), reminder(15), attempt(10)],
      undefined,
      ["attempt 2 at 10", "reminder 2 at 15", "attempt 3 at 20"],
    ],
    [
      "a reminder has the number of the attempt before it",
      [reminder(5), attempt(10)],
      100,
      ["reminder 1 at 5", "attempt 2 at 10"],
    ],
    [
      "attempts at the same time share a number",
      [attempt(10), attempt(10), attempt(20)],
      100,
      ["attempt 2 at 10", "attempt 2 at 10", "attempt 3 at 20"],
    ],
    [
      "a reminder between attempts at the same time does not change their number",
      [attempt(10), reminder(10), attempt(10)],
      100,
      ["attempt 2 at 10", "reminder 2 at 10", "attempt 2 at 10"],
    ],
    ["a rung at the expiry time is dropped", [attempt(99), attempt(100)], 100, ["attempt 2 at 99"]],
    ["rungs after the expiry time are dropped", [reminder(101), attempt(150)], 100, []],
    ["without an expiry every rung is kept", [attempt(10_000)], undefined, ["attempt 2 at 10000"]],
  ])("layRungs: %s", (_name, rungs, expiresAt, laid) => {
    expect(short(layRungs(rungs, 0, expiresAt))).toEqual(laid);
  });

  test("layRungs keeps channel and recipient of each rung", () => {
    const to = { ...attempt(1), channel: "chat", to: "lead" };
    expect(layRungs([to], 0, undefined)).toEqual([{ ...to, n: 2 }]);
  });

  test("layRungs marks attempts that are due at placement as fired attempt 1", () => {
    const laid = layRungs([attempt(5), attempt(4), reminder(5), attempt(6)], 5, undefined);
    expect(laid.map(({ n, kind, state }) => [n, kind, state])).toEqual([
      [1, "attempt", "fired"],
      [1, "attempt", "fired"],
      [1, "reminder", undefined],
      [2, "attempt", undefined],
    ]);
  });

  test("layRungs keeps attempt numbers that the caller set", () => {
    const counted = [1, 2, 3].map((n) => ({ ...attempt(n * 10), n }));
    expect(short(layRungs(counted, 25, 100))).toEqual([
      "attempt 1 at 10",
      "attempt 2 at 20",
      "attempt 3 at 30",
    ]);
  });
});

const rungs = (...list: readonly Partial<Rung>[]): readonly Rung[] =>
  list.map((rung, i) => ({ at: (i + 1) * 10, kind: "attempt", n: i + 2, ...rung }));
const claim = (part: Partial<Claim> = {}): Claim => ({
  id: "c",
  by: "key:refunder",
  at: 500,
  until: 900,
  state: "claimed",
  ...part,
});

describe("dueAt", () => {
  test.each<[string, Hold, number | null]>([
    ["never for a hold without times", openHold(), null],
    ["expiry only", openHold({ expiresAt: 70 }), 70],
    [
      "at the first rung that has not fired",
      openHold({ rungs: rungs({ state: "fired" }, {}, {}), expiresAt: 70 }),
      20,
    ],
    ["at a rung of a hold without an expiry", openHold({ rungs: rungs({}) }), 10],
    [
      "at the expiry once all rungs have passed",
      openHold({ rungs: rungs({ state: "missed" }, { state: "skipped" }), expiresAt: 70 }),
      70,
    ],
    ["never if no rung is left and there is no expiry", openHold({ rungs: rungs({ state: "fired" }) }), null],
    ["never for an ended hold, even if rungs remain", decidedHold({ rungs: rungs({}), expiresAt: 70 }), null],
    ["when the content of an ended hold must be erased", decidedHold({ retainMs: 100 }), APPROVED.at + 100],
    ["never once the content is erased", decidedHold({ retainMs: 100, erasedAt: 700 }), null],
    ["when the lease of a claim ends", decidedHold({ claim: claim() }), 900],
    [
      "when the lease of a claim ends, if the content must be erased earlier",
      decidedHold({ claim: claim(), retainMs: 100 }),
      900,
    ],
    ["never for a claim that was reported", decidedHold({ claim: claim({ state: "done" }) }), null],
  ])("dueAt: %s", (_name, hold, due) => {
    expect(dueAt(hold)).toBe(due);
  });
});

describe("eraseAt", () => {
  test.each<[string, Hold, number | null]>([
    ["never for an open hold", openHold({ retainMs: 100 }), null],
    ["never for a hold without a retention time", decidedHold(), null],
    ["never for a hold that is already erased", decidedHold({ retainMs: 100, erasedAt: 700 }), null],
    ["the retention time after the end", decidedHold({ retainMs: 100 }), 600],
    ["not before the lease of a running claim ends", decidedHold({ retainMs: 100, claim: claim() }), 900],
    ["unchanged by a claim whose lease ends sooner", decidedHold({ retainMs: 1_000, claim: claim() }), 1_500],
    [
      "unchanged by a claim that was reported",
      decidedHold({ retainMs: 100, claim: claim({ state: "failed" }) }),
      600,
    ],
  ])("eraseAt: %s", (_name, hold, due) => {
    expect(eraseAt(hold)).toBe(due);
  });
});

describe("passRungs", () => {
  const remind = { kind: "reminder" } as const;
  const states = (hold: Hold, now: number, expired = false) =>
    passRungs(hold, now, expired).map(({ index, rung }) => `${index} ${rung.state}`);

  test.each<[string, readonly Rung[], number, readonly string[]]>([
    ["a rung does not fire before its time", rungs({}), 9, []],
    ["a rung fires at its exact time", rungs({}), 10, ["0 fired"]],
    [
      "after a downtime only the newest rung is delivered",
      rungs({}, {}, {}),
      30,
      ["0 missed", "1 missed", "2 fired"],
    ],
    ["a rung in the future does not fire", rungs({}, {}, {}), 29, ["0 missed", "1 fired"]],
    ["never twice", rungs({ state: "fired" }, { state: "missed" }, {}), 30, ["2 fired"]],
    [
      "all rungs at the newest time are delivered",
      rungs({}, { at: 20 }, { at: 20 }),
      25,
      ["0 missed", "1 fired", "2 fired"],
    ],
    [
      "a reminder and an attempt at the same time are both delivered",
      rungs({ ...remind, at: 10 }, { at: 10 }),
      10,
      ["0 fired", "1 fired"],
    ],
    ["an attempt is missed if a newer reminder is due", rungs({}, remind), 20, ["0 missed", "1 fired"]],
  ])("passRungs: %s", (_name, ladder, now, passed) => {
    expect(states(openHold({ rungs: ladder }), now)).toEqual(passed);
  });

  test("passRungs skips reminders, but no attempts, once somebody has started to fill in the hold", () => {
    const hold = openHold({ rungs: rungs(remind, {}, remind), progressedAt: 5 });
    expect(states(hold, 30)).toEqual(["0 skipped", "1 fired", "2 skipped"]);
  });

  test("passRungs delivers nothing once the hold has expired", () => {
    const hold = openHold({ rungs: rungs({}, remind), expiresAt: 50 });
    expect(states(hold, 50, true)).toEqual(["0 missed", "1 missed"]);
    expect(states({ ...hold, progressedAt: 1 }, 50, true)).toEqual(["0 missed", "1 skipped"]);
  });
});
