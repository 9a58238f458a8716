import { describe, expect, test } from "vitest";
import { AGENT, APPROVED, decidedHold, holdIn, openHold } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { SYSTEM } from "../principal.ts";
import type { Rung } from "./time.ts";

const by = SYSTEM;
const tick = { kind: "tick_hold", holdId: "h1" } as const;
const attempt = (at: number, n: number): Rung => ({ at, kind: "attempt", n, channel: "chat" });
const reminder = (at: number, n: number): Rung => ({ at, kind: "reminder", n });

describe("tick_hold, the command of the timers", () => {
  test("tick does nothing before anything is due, and gets not_found for a hold that does not exist", () => {
    const hold = openHold({ rungs: [attempt(10, 2)], expiresAt: 50 });
    given(hold).when(tick, { by, now: 9 }).then();
    given().when(tick, { by }).refused("not_found");
    given(decidedHold()).when(tick, { by }).then();
  });

  test("tick notifies people when a rung is due and counts the attempts", () => {
    const before = given(openHold({ rungs: [attempt(10, 2), reminder(20, 2)] }));
    const once = before.when(tick, { by, now: 10 }).then("hold.escalated");
    expect(once.hold()).toMatchObject({ attempt: 2, rungs: [{ state: "fired" }, {}] });
    const twice = once.when(tick, { by, now: 21 }).then("hold.reminded");
    expect(twice.hold()).toMatchObject({ attempt: 2, remindedAt: 21 });
    twice.when(tick, { by, now: 22 }).then();
  });

  test("tick after a downtime marks older rungs as missed and delivers only the newest (G3)", () => {
    const after = given(openHold({ rungs: [reminder(10, 1), attempt(20, 2), attempt(30, 3)] }))
      .when(tick, { by, now: 35 })
      .then("hold.reminded", "hold.escalated", "hold.escalated");
    expect(after.hold().rungs.map(({ state }) => state)).toEqual(["missed", "missed", "fired"]);
    expect(after.hold().attempt).toBe(3);
    expect(after.hold(), "nobody was reminded").not.toHaveProperty("remindedAt");
  });

  test("tick skips a reminder once somebody has started to fill in the hold", () => {
    const after = given(openHold({ rungs: [reminder(10, 1)], progressedAt: 5 }))
      .when(tick, { by, now: 10 })
      .then("hold.reminded");
    expect(after.hold().rungs[0]?.state).toBe("skipped");
    expect(after.hold()).not.toHaveProperty("remindedAt");
  });

  test("a hold expires at its expiry time, no matter how late the tick runs", () => {
    const onTimeout = { action: "reject", data: { why: "late" } };
    const after = given(openHold({ expiresAt: 50, onTimeout }))
      .when(tick, { by, now: 9_000 })
      .then("hold.expired");
    expect(after.hold().outcome).toEqual({ kind: "expired", at: 50, default: onTimeout });
    expect(after.facts[0]).toMatchObject({ at: 50, actor: "system", audience: "refunder" });
  });

  test("expiry wins ties, and rungs that were not delivered before it are missed", () => {
    const rungs = [attempt(10, 2), reminder(49, 2)];
    const after = given(openHold({ rungs, expiresAt: 50 }))
      .when(tick, { by, now: 50 })
      .then("hold.escalated", "hold.reminded", "hold.expired");
    expect(after.hold().rungs.map(({ state }) => state)).toEqual(["missed", "missed"]);
    expect(after.facts.every(({ at }) => at === 50)).toBe(true);
  });

  test("a rung at the exact expiry time is dropped when the hold is placed", () => {
    const when = { at: 5_000 };
    const hold = holdIn({ expires: when, rungs: [{ kind: "attempt", when }] });
    given()
      .when({ kind: "place_hold", hold }, { by: AGENT })
      .then("hold.placed")
      .when(tick, { by, now: 5_000 })
      .then("hold.expired");
  });

  test("a claim whose lease has ended becomes unknown, once", () => {
    const claim = { id: "c", by: "key:refunder", at: 500, until: 900, state: "claimed" } as const;
    const before = given(decidedHold({ claim }));
    before.when(tick, { by, now: 899 }).then();
    const after = before.when(tick, { by, now: 950 }).then("hold.claim_unknown");
    expect(after.hold().claim).toEqual({ ...claim, state: "unknown", endedAt: 950 });
    after.when(tick, { by, now: 960 }).then();
  });

  test("tick erases the content when the retention time has passed, once", () => {
    const before = given(decidedHold({ retainMs: 100 }));
    before.when(tick, { by, now: APPROVED.at + 99 }).then();
    const after = before.when(tick, { by, now: APPROVED.at + 100 }).then("hold.erased");
    expect(after.hold()).toMatchObject({ ask: null, salt: null, erasedAt: APPROVED.at + 100 });
    after.when(tick, { by, now: 9_000 }).then();
  });

  test("one late tick both expires a hold and erases its content", () => {
    const after = given(openHold({ expiresAt: 50, retainMs: 100 }))
      .when(tick, { by, now: 150 })
      .then("hold.expired", "hold.erased");
    expect(after.hold()).toMatchObject({ outcome: { kind: "expired", at: 50 }, erasedAt: 150, ask: null });
  });

  test("tick keeps the content while a claim may still be executing, and erases it when the lease ends", () => {
    const claim = { id: "c", by: "key:refunder", at: 500, until: 900, state: "claimed" } as const;
    const before = given(decidedHold({ claim, retainMs: 100 }));
    before.when(tick, { by, now: 899 }).then();
    before.when(tick, { by, now: 900 }).then("hold.claim_unknown", "hold.erased");
  });
});
