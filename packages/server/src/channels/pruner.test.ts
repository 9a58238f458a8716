import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { Pruner } from "./pruner.ts";

const HOUR = 3_600_000;

function setUp(answers: readonly (number | Error)[] = []) {
  const asked: number[] = [];
  const faults: unknown[] = [];
  const clock = new ManualClock({ startAt: 10 * HOUR });
  const store = {
    pruneOutbox: async (before: number) => {
      const answer = answers[asked.push(before) - 1] ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const pruner = new Pruner({ store, clock, keepMs: () => 2 * HOUR, onFault: (fault) => faults.push(fault) });
  return { pruner, clock, asked, faults };
}

describe("pruning settled messages", () => {
  it("settled messages older than the retention time are deleted at the start and every hour", async () => {
    const { pruner, clock, asked } = setUp();
    pruner.start();
    await clock.advance(0);
    expect(asked).toEqual([8 * HOUR]);
    await clock.advance(HOUR);
    await clock.advance(HOUR);
    expect(asked).toEqual([8 * HOUR, 9 * HOUR, 10 * HOUR]);
    await pruner.stop();
    await clock.advance(5 * HOUR);
    expect(asked).toHaveLength(3);
  });

  it("pruning continues while there are more messages to delete", async () => {
    const { pruner, clock, asked } = setUp([500, 500, 7]);
    pruner.start();
    await clock.advance(0);
    expect(asked).toHaveLength(3);
    await pruner.stop();
  });

  it("pruning reports a failing store and tries again an hour later", async () => {
    const { pruner, clock, asked, faults } = setUp([new Error("full"), 0]);
    pruner.start();
    await clock.advance(0);
    expect(faults).toEqual([new Error("full")]);
    await clock.advance(HOUR);
    expect(asked).toHaveLength(2);
    await pruner.stop();
  });
});
