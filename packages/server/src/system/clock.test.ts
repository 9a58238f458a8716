import { describe, expect, it } from "vitest";
import { clockOver, systemClock } from "./clock.ts";

/** A fake operating system whose time the test moves. It counts its timers. */
function fakeSystem() {
  const timers = new Map<
    number,
    { readonly run: () => void; readonly fireAt: number; readonly delayMs: number }
  >();
  const delays: number[] = [];
  let wall = 1_000_000;
  let uptime = 0;
  let lastId = 0;
  let most = 0;
  return {
    delays,
    most: () => most,
    open: () => timers.size,
    setWall: (time: number) => {
      wall = time;
    },
    source: {
      now: () => wall,
      elapsed: () => uptime,
      setTimer: (run: () => void, delayMs: number) => {
        lastId += 1;
        delays.push(delayMs);
        timers.set(lastId, { run, fireAt: uptime + delayMs, delayMs });
        most = Math.max(most, timers.size);
        return lastId;
      },
      clearTimer: (timer: unknown) => {
        timers.delete(timer as number);
      },
    },
    /** Fires the next timer, `earlyMs` before the wall clock says it should. */
    fireNext(earlyMs = 0) {
      const next = [...timers].sort(([, one], [, other]) => one.fireAt - other.fireAt)[0];
      if (!next) throw new Error("no timer is set");
      const [id, timer] = next;
      timers.delete(id);
      wall += timer.fireAt - uptime - earlyMs;
      uptime = timer.fireAt;
      timer.run();
    },
  };
}

describe("the system clock", () => {
  it("the system clock wakes at the requested time and not inside at()", () => {
    const system = fakeSystem();
    let woken = 0;
    clockOver(system.source).at(1_000_250, () => {
      woken += 1;
    });
    expect(woken).toBe(0);
    system.fireNext();
    expect(woken).toBe(1);
    expect(system.open()).toBe(0);
  });

  it("the system clock treats a past time as due at once, but after at() returned", () => {
    const system = fakeSystem();
    let woken = 0;
    clockOver(system.source).at(5, () => {
      woken += 1;
    });
    expect(woken).toBe(0);
    expect(system.delays).toEqual([0]);
    system.fireNext();
    expect(woken).toBe(1);
  });

  it("the system clock splits a wait of fifty days into pieces and never holds two timers", () => {
    const system = fakeSystem();
    const dueAt = 1_000_000 + 50 * 86_400_000;
    let wokenAt = 0;
    const clock = clockOver(system.source);
    clock.at(dueAt, () => {
      wokenAt = clock.now();
    });
    while (system.open() > 0) system.fireNext();
    expect(wokenAt).toBe(dueAt);
    expect(system.most()).toBe(1);
    expect(Math.max(...system.delays)).toBeLessThan(2 ** 31);
  });

  it("the system clock waits again when a timer fires a little early", () => {
    const system = fakeSystem();
    let woken = 0;
    clockOver(system.source).at(1_000_100, () => {
      woken += 1;
    });
    system.fireNext(1);
    expect(woken).toBe(0);
    system.fireNext();
    expect(woken).toBe(1);
  });

  it("the system clock notices within one piece that the wall clock was set forward", () => {
    const system = fakeSystem();
    let woken = 0;
    clockOver(system.source).at(1_000_000 + 86_400_000, () => {
      woken += 1;
    });
    system.setWall(1_000_000 + 86_400_000);
    system.fireNext();
    expect(woken).toBe(1);
  });

  it("the system clock wakes when the time to wait has passed, although the wall clock was set back meanwhile", () => {
    const system = fakeSystem();
    let wokenAfter = 0;
    const clock = clockOver(system.source);
    clock.at(1_000_000 + 150_000, () => {
      wokenAfter = clock.elapsed?.() ?? 0;
    });
    system.fireNext();
    system.setWall(clock.now() - 3_600_000);
    while (system.open() > 0) system.fireNext();
    expect(wokenAfter).toBe(150_000);
  });

  it("the system clock wakes at the requested time if the wall clock was set back and corrected again", () => {
    const system = fakeSystem();
    const dueAt = 1_000_000 + 300_000;
    let wokenAt = 0;
    const clock = clockOver(system.source);
    clock.at(dueAt, () => {
      wokenAt = clock.now();
    });
    for (const byMs of [-3_600_000, 3_600_000]) {
      system.setWall(clock.now() + byMs);
      system.fireNext();
    }
    while (system.open() > 0) system.fireNext();
    expect(wokenAt).toBe(dueAt);
  });

  it("the system clock does not wake after cancel, even between two pieces", () => {
    const system = fakeSystem();
    let woken = 0;
    const cancel = clockOver(system.source).at(1_000_000 + 150_000, () => {
      woken += 1;
    });
    system.fireNext();
    cancel();
    cancel();
    expect(system.open()).toBe(0);
    expect(woken).toBe(0);
  });

  it("the system clock waits for an infinite time without spinning", () => {
    const system = fakeSystem();
    clockOver(system.source).at(Number.POSITIVE_INFINITY, () => {
      throw new Error("woken");
    });
    system.fireNext();
    system.fireNext();
    expect(system.delays.every((delay) => delay === 60_000)).toBe(true);
  });

  it("the system clock refuses a time that is not a number", () => {
    expect(() => systemClock.at(Number.NaN, () => {})).toThrow(TypeError);
  });

  it("the system clock runs on real timers", async () => {
    const startedAt = systemClock.now();
    await new Promise<void>((resolve) => {
      systemClock.at(startedAt + 5, resolve);
    });
    expect(systemClock.now()).toBeGreaterThanOrEqual(startedAt + 5);
  });
});
