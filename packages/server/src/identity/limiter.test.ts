import { describe, expect, it } from "vitest";
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

  it("forgets the oldest names rather than growing without end", () => {
    const limiter = new Limiter(new ManualClock(), limit);
    for (let i = 0; i < 50_001; i += 1) limiter.spend(`name ${i}`);
    expect(limiter.spend("name 0")).toEqual({ ok: true, remaining: 1 });
    expect(limiter.spend("name 50000")).toEqual({ ok: true, remaining: 0 });
  });
});
