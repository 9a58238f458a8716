/** What changes with size and time: waking a waiter, memory, a cycle among a million holds, restart, many timers. */

import { setTimeout as pause } from "node:timers/promises";
import { type Child, discard, startChild } from "./child.ts";
import { drive, median, percentiles, wireTo } from "./load.ts";
import { cycle } from "./rates.ts";
import type { Result } from "./result.ts";
import { warmUp } from "./warm-up.ts";

async function withChild<T>(use: (child: Child) => Promise<T>): Promise<T> {
  const child = await startChild("holdpoint");
  try {
    return await use(child);
  } finally {
    await child.stop();
    discard(child.folder);
  }
}

/** From sending the answer to the waiter having it, one at a time. */
export function measureWake(quick: boolean): Promise<Result> {
  return withChild(async (child) => {
    const wire = wireTo(child);
    await warmUp([() => cycle(wire)], quick);
    const times: number[] = [];
    for (let i = 0; i < (quick ? 100 : 500); i += 1) {
      const { id } = JSON.parse(
        await wire.call("POST", "/v1/holds", { type: "approval", prompt: "Go on?" }),
      ) as { id: string };
      const waiting = wire.call("GET", `/v1/holds/${id}?wait=30`);
      await pause(2);
      const sentAt = performance.now();
      const answered = wire.call("POST", `/v1/holds/${id}/answer`, { action: "approve" });
      await waiting;
      times.push(performance.now() - sentAt);
      await answered;
    }
    wire.close();
    const { p50, p99 } = percentiles(times.slice(20));
    return {
      name: "answer to waiter, at 1",
      value: p50,
      unit: "ms",
      p50,
      p99,
      aim: "p50 < 2 ms",
      met: p50 < 2,
    };
  });
}

/** Memory per open hold, and one cycle among few and among very many open holds, in turns. */
export function measureSize(quick: boolean): Promise<readonly Result[]> {
  const many = quick ? 100_000 : 1_000_000;
  return withChild(async (small) =>
    withChild(async (large) => {
      const before = (await small.order({ kind: "rest" })).rss;
      await small.order({ kind: "fill", count: 1_000 });
      const empty = (await large.order({ kind: "rest" })).rss;
      const full = (await large.order({ kind: "fill", count: 100_000 })).rss;
      const fullest =
        many > 100_000 ? (await large.order({ kind: "fill", count: many - 100_000 })).rss : undefined;
      const wires = [wireTo(small), wireTo(large)] as const;
      const ratios: number[] = [];
      const rates: number[] = [];
      for (let round = 0; round < (quick ? 4 : 8); round += 1) {
        const few = await drive(16, 1_000, () => cycle(wires[0]));
        const lots = await drive(16, 1_000, () => cycle(wires[1]));
        if (round === 0) continue;
        ratios.push(few.perSecond / lots.perSecond);
        rates.push(lots.perSecond);
      }
      for (const wire of wires) wire.close();
      const perHold = Math.max(0, full - empty) / 100_000;
      const cost = median(ratios);
      return [
        {
          name: "memory per open hold (100k)",
          value: perHold,
          unit: `bytes (server at rest ${(before / 2 ** 20).toFixed(0)} MiB from sources)`,
        },
        // The page cache fills up with the first of them; what grows with every hold shows in those after.
        ...(fullest === undefined
          ? []
          : [
              {
                name: "memory per further open hold (1M)",
                value: Math.max(0, fullest - full) / (many - 100_000),
                unit: "bytes",
              },
            ]),
        {
          name: `cycle at ${many} open holds`,
          value: median(rates),
          unit: "/s",
          ratio: cost,
          aim: "≤ 1.3× of 1k",
          met: cost <= 1.3,
        },
      ];
    }),
  );
}

export async function measureRestart(quick: boolean): Promise<Result> {
  const count = quick ? 20_000 : 100_000;
  const first = await startChild("holdpoint");
  await first.order({ kind: "fill", count });
  await first.stop();
  const times: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const again = await startChild("holdpoint", first.folder);
    times.push(again.readyMs);
    await again.stop();
  }
  discard(first.folder);
  const ready = median(times);
  return {
    name: `ready again with ${count} open holds`,
    value: ready,
    unit: "ms",
    aim: "< 2 s",
    met: ready < 2_000,
  };
}

export function measureTimers(quick: boolean): Promise<Result> {
  const count = quick ? 10_000 : 100_000;
  const spreadMs = quick ? 6_000 : 60_000;
  return withChild(async (child) => {
    await child.order({ kind: "timers", count, spreadMs });
    while (((await child.order({ kind: "fired" })).fired ?? 0) < count) {
      await pause(500);
    }
    const { late = [] } = await child.order({ kind: "lateness" });
    const { p50, p99 } = percentiles(late);
    return {
      name: `${count} timers within ${spreadMs / 1000} s, lateness`,
      value: p99,
      unit: "ms",
      p50,
      p99,
      aim: "p99 < 1 s",
      met: p99 < 1_000,
    };
  });
}
