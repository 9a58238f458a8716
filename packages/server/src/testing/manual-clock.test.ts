import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ManualClock } from "./manual-clock.ts";

describe("the manual clock", () => {
  it("stands still until it is moved", async () => {
    const clock = new ManualClock({ startAt: 100 });
    let woken = false;
    clock.at(101, () => {
      woken = true;
    });
    await nextTurn();
    expect([clock.now(), woken]).toEqual([100, false]);
  });

  it("stops at every due wake in order of time, then of registration", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const seen: [string, number][] = [];
    const note = (name: string) => () => {
      seen.push([name, clock.now()]);
    };
    clock.at(30, note("late"));
    clock.at(10, note("first"));
    clock.at(10, note("second"));
    clock.at(31, note("beyond"));
    await clock.advance(30);
    expect(seen).toEqual([
      ["first", 10],
      ["second", 10],
      ["late", 30],
    ]);
    expect([clock.now(), clock.pending, clock.nextAt()]).toEqual([30, 1, 31]);
  });

  it("has whole milliseconds only, and wakes nobody before their time", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const seen: number[] = [];
    clock.at(10.25, () => void seen.push(clock.now()));
    await clock.advance(10);
    expect(seen).toEqual([]);
    await clock.advance(20);
    expect(seen).toEqual([11]);
  });

  it("includes wakes that a wake's asynchronous work registers on the way", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const seen: number[] = [];
    const again = async (): Promise<void> => {
      for (let hop = 0; hop < 20; hop++) await Promise.resolve();
      seen.push(clock.now());
      clock.at(clock.now() + 10, again);
    };
    clock.at(10, () => void again());
    await clock.advance(35);
    expect(seen).toEqual([10, 20, 30]);
  });

  it("counts whole milliseconds, as the clock of a machine does", async () => {
    const clock = new ManualClock({ startAt: 100 });
    const woken: number[] = [];
    clock.at(100.25, () => void woken.push(clock.now()));
    await clock.advance(1);
    expect(woken).toEqual([101]);
  });

  it("waits for the promise a wake returns before time goes on", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const seen: number[] = [];
    clock.at(10, async () => {
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      seen.push(clock.now());
    });
    await clock.advance(1_000);
    expect(seen).toEqual([10]);
  });

  it("awaits the settle hook after each wake", async () => {
    const seen: string[] = [];
    const settle = async () => {
      seen.push("settled");
    };
    const clock = new ManualClock({ startAt: 0, settle });
    clock.at(1, () => {
      seen.push("woken");
    });
    await clock.advance(5);
    expect(seen).toEqual(["settled", "woken", "settled"]);
  });

  it("runs what is already due soon, but not inside at()", async () => {
    const clock = new ManualClock({ startAt: 50 });
    let woken = 0;
    clock.at(50, () => {
      woken += 1;
    });
    const cancel = clock.at(10, () => {
      woken += 10;
    });
    cancel();
    expect(woken).toBe(0);
    await Promise.resolve();
    expect(woken).toBe(1);
    await clock.advance(0);
    expect(woken).toBe(1);
  });

  it("does not wake what was cancelled by an earlier wake", async () => {
    const clock = new ManualClock({ startAt: 0 });
    let woken = false;
    const cancel = clock.at(20, () => {
      woken = true;
    });
    clock.at(10, cancel);
    await clock.advance(100);
    expect(woken).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it("can be set back without waking anybody", async () => {
    const clock = new ManualClock({ startAt: 100 });
    let woken = 0;
    clock.at(150, () => {
      woken += 1;
    });
    await clock.set(20);
    expect([clock.now(), woken]).toEqual([20, 0]);
    await clock.set(150);
    expect([clock.now(), woken]).toEqual([150, 1]);
  });

  it("wakes when the time to wait has passed, although it was set back meanwhile", async () => {
    const clock = new ManualClock({ startAt: 100 });
    const seen: number[] = [];
    clock.at(150, () => void seen.push(clock.now()));
    await clock.set(20);
    await clock.advance(49);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([70]);
  });

  it("wakes at the requested time if it was set back and corrected again", async () => {
    const clock = new ManualClock({ startAt: 100 });
    const seen: number[] = [];
    clock.at(150, () => void seen.push(clock.now()));
    await clock.set(20);
    await clock.jump(80);
    expect(seen).toEqual([]);
    await clock.advance(60);
    expect(seen).toEqual([150]);
  });

  it("shows the new time to those it wakes when it is set forth, and no time has passed", async () => {
    const clock = new ManualClock({ startAt: 100 });
    const seen: [number, number][] = [];
    clock.at(150, () => void seen.push([clock.now(), clock.elapsed()]));
    await clock.jump(80);
    expect(seen).toEqual([[180, 100]]);
  });

  it("hands on what a wake throws, and can be moved again afterwards", async () => {
    const clock = new ManualClock({ startAt: 0 });
    clock.at(5, () => {
      throw new Error("broken wake");
    });
    await expect(clock.advance(10)).rejects.toThrow("broken wake");
    await clock.advance(10);
    expect(clock.now()).toBe(15);
  });

  it("refuses to be moved by two at once, or backwards by advance", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const moving = clock.advance(10);
    await expect(clock.advance(10)).rejects.toThrow("already being moved");
    await moving;
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });
});
