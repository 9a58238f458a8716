import { describe, expect, it } from "vitest";
import type { Spending } from "../store/port.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { Limiter } from "./limiter.ts";

describe("the rate limiter", () => {
  const limit = { budget: 2, windowMs: 1_000 };

  it("a name can spend its budget, and is then told how long to wait", async () => {
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

  it("a limited name is allowed again at the announced time, although the window was shared later", async () => {
    const clock = new ManualClock();
    const shared: number[] = [];
    const spend = async (spendings: readonly Spending[], now: number) => {
      shared.push(...spendings.map(({ windowMs }) => now + windowMs));
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
    expect(shared).toEqual([endsAt]);
  });

  it("a window that has ended is not shared with other servers", async () => {
    const clock = new ManualClock();
    const shared: Spending[] = [];
    const spend = async (spendings: readonly Spending[]) => {
      shared.push(...spendings);
      return [];
    };
    const limiter = new Limiter(
      clock,
      { budget: 1, windowMs: 100 },
      { store: { shared: { hasOthers: true, spend } }, of: "poll" },
    );
    limiter.spend("a");
    await clock.advance(10_000);
    expect(shared).toEqual([]);
  });

  it("the limiter drops its oldest names instead of growing without limit", () => {
    const limiter = new Limiter(new ManualClock(), limit);
    for (let i = 0; i < 50_001; i += 1) limiter.spend(`name ${i}`);
    expect(limiter.spend("name 0")).toEqual({ ok: true, remaining: 1 });
    expect(limiter.spend("name 50000")).toEqual({ ok: true, remaining: 0 });
  });
});
