import { describe, expect, test } from "vitest";
import { APPROVED, decidedHold, openHold } from "../../testing/core-samples.ts";
import type { Claim, Hold } from "./hold.ts";
import { dueAt, eraseAt, layRungs, passRungs, type Rung, type RungIn } from "./time.ts";

const attempt = (at: number): RungIn => ({ at, kind: "attempt" });
const reminder = (at: number): RungIn => ({ at, kind: "reminder" });
const short = (rungs: readonly Rung[]) => rungs.map(({ at, kind, n }) => `${kind} ${n} at ${at}`);

describe("layRungs", () => {
  test.each<[string, readonly RungIn[], number | undefined, readonly string[]]>([
    ["nothing is nothing", [], 100, []],
    [
      "attempts are numbered from 2 on: the placing was 1",
      [attempt(10), attempt(20)],
      100,
      ["attempt 2 at 10", "attempt 3 at 20"],
    ],
    [
      "any order becomes the order of time",
      [attempt(20), reminder(15), attempt(10)],
      undefined,
      ["attempt 2 at 10", "reminder 2 at 15", "attempt 3 at 20"],
    ],
    [
      "a reminder repeats the attempt before it",
      [reminder(5), attempt(10)],
      100,
      ["reminder 1 at 5", "attempt 2 at 10"],
    ],
    [
      "attempts at one moment share a number",
      [attempt(10), attempt(10), attempt(20)],
      100,
      ["attempt 2 at 10", "attempt 2 at 10", "attempt 3 at 20"],
    ],
    [
      "a reminder between them changes no number",
      [attempt(10), reminder(10), attempt(10)],
      100,
      ["attempt 2 at 10", "reminder 2 at 10", "attempt 2 at 10"],
    ],
    ["one at the expiry does not exist", [attempt(99), attempt(100)], 100, ["attempt 2 at 99"]],
    ["one after the expiry does not exist", [reminder(101), attempt(150)], 100, []],
    ["without an expiry all exist", [attempt(10_000)], undefined, ["attempt 2 at 10000"]],
  ])("%s", (_name, rungs, expiresAt, laid) => {
    expect(short(layRungs(rungs, 0, expiresAt))).toEqual(laid);
  });

  test("keeps where each goes", () => {
    const to = { ...attempt(1), channel: "chat", to: "lead" };
    expect(layRungs([to], 0, undefined)).toEqual([{ ...to, n: 2 }]);
  });

  test("what is due at the placing is the first attempt, and goes out with it", () => {
    const laid = layRungs([attempt(5), attempt(4), reminder(5), attempt(6)], 5, undefined);
    expect(laid.map(({ n, kind, state }) => [n, kind, state])).toEqual([
      [1, "attempt", "fired"],
      [1, "attempt", "fired"],
      [1, "reminder", undefined],
      [2, "attempt", undefined],
    ]);
  });

  test("whoever counts the attempts is believed", () => {
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
    ["a hold without times", openHold(), null],
    ["expiry only", openHold({ expiresAt: 70 }), 70],
    ["the first rung still ahead", openHold({ rungs: rungs({ state: "fired" }, {}, {}), expiresAt: 70 }), 20],
    ["a rung without an expiry", openHold({ rungs: rungs({}) }), 10],
    [
      "the expiry once all rungs are over",
      openHold({ rungs: rungs({ state: "missed" }, { state: "skipped" }), expiresAt: 70 }),
      70,
    ],
    ["no rung left and no expiry", openHold({ rungs: rungs({ state: "fired" }) }), null],
    ["a hold that is over, whatever lay ahead", decidedHold({ rungs: rungs({}), expiresAt: 70 }), null],
    ["when its content goes", decidedHold({ retainMs: 100 }), APPROVED.at + 100],
    ["never again once erased", decidedHold({ retainMs: 100, erasedAt: 700 }), null],
    ["when a claim runs out", decidedHold({ claim: claim() }), 900],
    ["when a claim runs out, before the content may go", decidedHold({ claim: claim(), retainMs: 100 }), 900],
    ["not for a claim that was reported", decidedHold({ claim: claim({ state: "done" }) }), null],
  ])("%s", (_name, hold, due) => {
    expect(dueAt(hold)).toBe(due);
  });
});

describe("eraseAt", () => {
  test.each<[string, Hold, number | null]>([
    ["an open hold", openHold({ retainMs: 100 }), null],
    ["a hold that is kept", decidedHold(), null],
    ["one that is erased already", decidedHold({ retainMs: 100, erasedAt: 700 }), null],
    ["a while after its end", decidedHold({ retainMs: 100 }), 600],
    ["never while somebody may be executing it", decidedHold({ retainMs: 100, claim: claim() }), 900],
    ["a claim that ends sooner changes nothing", decidedHold({ retainMs: 1_000, claim: claim() }), 1_500],
    [
      "nor does one that was reported",
      decidedHold({ retainMs: 100, claim: claim({ state: "failed" }) }),
      600,
    ],
  ])("%s", (_name, hold, due) => {
    expect(eraseAt(hold)).toBe(due);
  });
});

describe("passRungs", () => {
  const remind = { kind: "reminder" } as const;
  const states = (hold: Hold, now: number, expired = false) =>
    passRungs(hold, now, expired).map(({ index, rung }) => `${index} ${rung.state}`);

  test.each<[string, readonly Rung[], number, readonly string[]]>([
    ["nothing before its moment", rungs({}), 9, []],
    ["at its very moment", rungs({}), 10, ["0 fired"]],
    [
      "after a downtime only the newest is delivered",
      rungs({}, {}, {}),
      30,
      ["0 missed", "1 missed", "2 fired"],
    ],
    ["what is still ahead stays ahead", rungs({}, {}, {}), 29, ["0 missed", "1 fired"]],
    ["never twice", rungs({ state: "fired" }, { state: "missed" }, {}), 30, ["2 fired"]],
    [
      "all that share the newest moment are delivered",
      rungs({}, { at: 20 }, { at: 20 }),
      25,
      ["0 missed", "1 fired", "2 fired"],
    ],
    [
      "a reminder and an attempt at one moment both go out",
      rungs({ ...remind, at: 10 }, { at: 10 }),
      10,
      ["0 fired", "1 fired"],
    ],
    ["a newer reminder outdates an attempt", rungs({}, remind), 20, ["0 missed", "1 fired"]],
  ])("%s", (_name, ladder, now, passed) => {
    expect(states(openHold({ rungs: ladder }), now)).toEqual(passed);
  });

  test("reminders are skipped once somebody has begun; attempts are not", () => {
    const hold = openHold({ rungs: rungs(remind, {}, remind), progressedAt: 5 });
    expect(states(hold, 30)).toEqual(["0 skipped", "1 fired", "2 skipped"]);
  });

  test("once it has expired nothing is delivered any more", () => {
    const hold = openHold({ rungs: rungs({}, remind), expiresAt: 50 });
    expect(states(hold, 50, true)).toEqual(["0 missed", "1 missed"]);
    expect(states({ ...hold, progressedAt: 1 }, 50, true)).toEqual(["0 missed", "1 skipped"]);
  });
});
