import { describe, expect, it } from "vitest";
import type { Spending } from "../store/port.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { Limiter } from "./limiter.ts";

describe("a limiter", () => {
  const limit = { budget: 2, windowMs: 1_000 };

  it("lets a name spend its budget, and then says how long to wait", async () => {
    const clock = new ManualClock();
    const limiter = new Limiter(clock, limit);
    expect(limiter.spend("a")).toEqual({ ok: true, remaining: 1 });
    await clock.advance(400);
    expect(limiter.peek("a")).toEqual({ ok: true, remaining: 1 });
    expect(limiter.spend("a")).toEqual({ ok: true, remaining: 0 });
    expect(limiter.spend("a")).toEqual({ ok: false, retryAfterMs: 600 });
    expect(limiter.peek("a")).toEqual({ ok: false, retryAfterMs: 600 });
    expect(limiter.spend("b")).toEqual({ ok: true, remaining: 1 });
    await clock.advance(600);
    expect(limiter.peek("a")).toMatchObject({ ok: true });
    expect(limiter.spend("a")).toEqual({ ok: true, remaining: 1 });
  });

  it("reopens when it said it would, though other servers hear of it later", async () => {
    const clock = new ManualClock();
    const told: number[] = [];
    const spend = async (spendings: readonly Spending[], now: number) => {
      told.push(...spendings.map(({ windowMs }) => now + windowMs));
      return spendings.map(({ name, count, windowMs }) => ({ name, spent: count, endsAt: now + windowMs }));
    };
    const store = { shared: { hasOthers: true, spend } };
    const limiter = new Limiter(clock, limit, { store, of: "poll" });
    const endsAt = clock.now() + 1_000;
    limiter.spend("a");
    limiter.spend("a");
    expect(limiter.spend("a")).toEqual({ ok: false, retryAfterMs: 1_000 });
    await clock.advance(999);
    expect(limiter.spend("a")).toEqual({ ok: false, retryAfterMs: 1 });
    await clock.advance(1);
    expect(limiter.spend("a")).toEqual({ ok: true, remaining: 1 });
    expect(told).toEqual([endsAt]);
  });

  it("tells nobody of what is over", async () => {
    const clock = new ManualClock();
    const told: Spending[] = [];
    const spend = async (spendings: readonly Spending[]) => {
      told.push(...spendings);
      return [];
    };
    const limiter = new Limiter(
      clock,
      { budget: 1, windowMs: 100 },
      { store: { shared: { hasOthers: true, spend } }, of: "poll" },
    );
    limiter.spend("a");
    await clock.advance(10_000);
    expect(told).toEqual([]);
  });

  it("forgets the oldest names rather than growing without end", () => {
    const limiter = new Limiter(new ManualClock(), limit);
    for (let i = 0; i < 50_001; i += 1) limiter.spend(`name ${i}`);
    expect(limiter.spend("name 0")).toEqual({ ok: true, remaining: 1 });
    expect(limiter.spend("name 50000")).toEqual({ ok: true, remaining: 0 });
  });
});
