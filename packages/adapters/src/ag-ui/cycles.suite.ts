/** Many interrupts and many threads: no answer is lost, none counts twice. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, inject, it } from "vitest";
import { refunding } from "../testing/agents.ts";
import { input, type Kit, type MakeKit } from "../testing/agui-kit.ts";

async function cycle(here: Kit, threadId: string, n: number): Promise<number> {
  const begun = performance.now();
  const first = await here.post(input(threadId, `${n}a`));
  const [interrupt] = first.events.at(-1).outcome.interrupts;
  const resume = [
    { interruptId: interrupt.id, status: "resolved", payload: { approved: true, editedArgs: { amount: n } } },
  ];
  const second = await here.post(input(threadId, `${n}b`, { resume }));
  expect(second.events.at(-1)).toMatchObject({ result: { outcome: "executed" } });
  return performance.now() - begun;
}

/** What is still reachable, once all that is not has been cleared away. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

export function rapidCycles(where: string, kit: MakeKit): void {
  describe(`R16, AG-108 rapid cycles ${where}`, () => {
    const cycles = inject("isFull") ? 200 : 20;
    it("many cycles on one thread execute as often, in order, without slowing down or accumulating state", async () => {
      const { agent, executed } = refunding();
      await using here = await kit(agent);
      const took: number[] = [];
      const held: number[] = [];
      for (let n = 1; n <= cycles; n += 1) {
        took.push(await cycle(here, "t1", n));
        if (n % (cycles / 4) === 0) held.push(heldBytes());
      }
      expect(executed).toEqual(Array.from({ length: cycles }, (_, n) => ({ amount: n + 1 })));
      // Far above what it takes, so that only something that grows with the number of cycles can reach it.
      expect(took.toSorted((a, b) => a - b)[cycles - 11]).toBeLessThan(2_000);
      // What a cycle leaves in the store is a few kilobytes; anything that is kept besides shows.
      expect((held.at(-1) ?? 0) - (held[0] ?? 0)).toBeLessThan(5_000_000);
    }, 120_000);

    it("50 threads at once each execute their own answer", async () => {
      const { agent, executed } = refunding();
      await using here = await kit(agent);
      await Promise.all(Array.from({ length: 50 }, (_, n) => cycle(here, `t${n}`, n + 1)));
      const amounts = executed.map(({ amount }) => Number(amount)).toSorted((a, b) => a - b);
      expect(amounts).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    }, 120_000);
  });
}
