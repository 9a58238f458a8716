import { describe, expect, test } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { SteadyClock } from "./steady-clock.ts";

const HOUR_MS = 3_600_000;

describe("a clock that is set back (G3)", () => {
  test("C4 C5 time goes on at the same pace until the clock has caught up", async () => {
    const inner = new ManualClock({ startAt: 100 * HOUR_MS });
    const jumps: number[] = [];
    const clock = new SteadyClock(inner, (byMs) => jumps.push(byMs));
    expect(clock.now()).toBe(100 * HOUR_MS);
    await inner.set(76 * HOUR_MS);
    expect(clock.now()).toBe(100 * HOUR_MS);
    await inner.advance(HOUR_MS);
    expect([clock.now(), clock.behindMs]).toEqual([101 * HOUR_MS, 24 * HOUR_MS]);
    await inner.jump(30 * HOUR_MS);
    expect([clock.now(), clock.behindMs]).toEqual([107 * HOUR_MS, 0]);
    expect(jumps).toEqual([24 * HOUR_MS]);
  });

  test("C4 a small correction is waited out, and the clock counts again", async () => {
    const inner = new ManualClock({ startAt: 10_000 });
    const clock = new SteadyClock(inner);
    clock.now();
    await inner.set(9_500);
    expect(clock.now()).toBe(10_000);
    await inner.advance(400);
    expect(clock.now()).toBe(10_000);
    await inner.advance(200);
    expect(clock.now()).toBe(10_100);
  });

  test("C4 time is never before the newest event of the log", async () => {
    const inner = new ManualClock({ startAt: 10_000 });
    const clock = new SteadyClock(inner);
    clock.notBefore(5_000);
    expect(clock.now()).toBe(10_000);
    clock.notBefore(90_000);
    expect(clock.now()).toBe(90_000);
    await inner.advance(500);
    expect(clock.now()).toBe(90_500);
    expect(clock.correct(20_000), "a time from a database whose clock is behind").toBe(90_500);
  });

  test("C5 times are whole milliseconds, although the machine's counter has fractions", () => {
    const machine = { ms: 10_000, counter: 3.4567 };
    const at = () => () => undefined;
    const clock = new SteadyClock({ now: () => machine.ms, elapsed: () => machine.counter, at });
    clock.now();
    machine.ms = 2_000;
    machine.counter += 500.25;
    expect(clock.now()).toBe(10_500);
    expect(Number.isInteger(clock.behindMs)).toBe(true);
  });

  test("C1 C2 a wake comes at its time by this clock, once, and not after it was cancelled", async () => {
    const inner = new ManualClock({ startAt: 10_000 });
    const clock = new SteadyClock(inner);
    const woken: number[] = [];
    clock.at(40_000, () => void woken.push(clock.now()));
    clock.at(41_000, () => void woken.push(-1))();
    await inner.advance(10_000);
    await inner.set(0);
    expect(clock.now()).toBe(20_000);
    await inner.advance(19_999);
    expect(woken).toEqual([]);
    await inner.advance(1);
    expect(woken).toEqual([40_000]);
    await inner.advance(60_000);
    expect(woken).toHaveLength(1);
    expect(() => clock.at(Number.NaN, () => undefined)).toThrow(TypeError);
  });

  test("C1 C5 a wake comes at its time although nobody has read the clock since it was set back", async () => {
    const inner = new ManualClock({ startAt: 100 * HOUR_MS });
    const clock = new SteadyClock(inner);
    const woken: number[] = [];
    clock.at(101 * HOUR_MS, () => void woken.push(clock.now()));
    await inner.set(76 * HOUR_MS);
    await inner.advance(HOUR_MS - 1);
    expect(woken).toEqual([]);
    await inner.advance(1);
    expect(woken).toEqual([101 * HOUR_MS]);
    await inner.advance(48 * HOUR_MS);
    expect(woken).toHaveLength(1);
  });

  test("C1 C4 a wake comes at its time although time turned out to be later after it was set", async () => {
    const inner = new ManualClock({ startAt: 76 * HOUR_MS });
    const clock = new SteadyClock(inner);
    const woken: number[] = [];
    clock.at(101 * HOUR_MS, () => void woken.push(clock.now()));
    clock.notBefore(100 * HOUR_MS);
    await inner.advance(HOUR_MS - 1);
    expect(woken).toEqual([]);
    await inner.advance(1);
    expect(woken).toEqual([101 * HOUR_MS]);
  });

  test("C1 a wake comes once although it is the first to notice that the clock was set right again", async () => {
    const inner = new ManualClock({ startAt: 100 * HOUR_MS });
    const clock = new SteadyClock(inner);
    const woken: number[] = [];
    clock.at(101 * HOUR_MS, () => void woken.push(clock.now()));
    await inner.set(76 * HOUR_MS);
    clock.now();
    await inner.jump(26 * HOUR_MS);
    expect(woken).toHaveLength(1);
  });

  test("C1 C5 a wake comes at its time although the clock is set back again before it has caught up", async () => {
    const inner = new ManualClock({ startAt: 100 * HOUR_MS });
    const jumps: number[] = [];
    const clock = new SteadyClock(inner, (byMs) => jumps.push(byMs));
    const woken: number[] = [];
    clock.at(101 * HOUR_MS, () => void woken.push(clock.now()));
    for (const back of [24, 24]) {
      await inner.set(inner.now() - back * HOUR_MS);
      clock.now();
    }
    await inner.advance(HOUR_MS);
    expect(woken).toEqual([101 * HOUR_MS]);
    expect(jumps).toEqual([24 * HOUR_MS, 24 * HOUR_MS]);
  });
});
