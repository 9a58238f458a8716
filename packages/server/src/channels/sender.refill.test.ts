/** Slots that become free are used again at once, also if other receivers keep the rest. */

import { expect, it } from "vitest";
import type { Clock } from "../system/clock.ts";
import { outboxRow, outboxRows } from "./rows.fake.ts";
import { SENT, setUp } from "./sender.fake.ts";

it.each([6, 8, 12])(
  "sends to %i busy channels without a pause, although all their slots are taken",
  async (channels) => {
    const at: { clock?: Clock } = {};
    const made = setUp(
      () =>
        new Promise((resolve) => {
          const clock = at.clock as Clock;
          clock.at(clock.now() + 100, () => resolve(SENT));
        }),
    );
    at.clock = made.clock;
    await made.outbox.add(
      ...outboxRows(960, (n) => ({ endpoint: `channel:c${n % channels}`, kind: "notice" as const })),
    );
    made.sender.start();
    await made.clock.advance(0);
    for (let step = 0; step < 40; step += 1) await made.clock.advance(100);
    expect(made.results.length).toBeGreaterThan(900);
    const stopping = made.sender.stop();
    await made.clock.advance(10_000);
    await stopping;
  },
);

it("G13 sends to hosts that answer at once, although receivers that hang leave only a few slots", async () => {
  const at: { clock?: Clock } = {};
  let isDown = false;
  let good = 0;
  const made = setUp(
    (row, signal) =>
      new Promise((resolve) => {
        const clock = at.clock as Clock;
        if (isDown && !row.endpoint.startsWith("good"))
          signal.addEventListener("abort", () => resolve({ kind: "failed", error: "timed_out" }));
        else
          clock.at(clock.now() + 50, () => {
            if (row.endpoint.startsWith("good")) good += 1;
            resolve({ kind: "sent", status: 200 });
          });
      }),
  );
  at.clock = made.clock;
  const known = ["bad-0", "good-0", "good-1", "good-2", "good-3", "channel:a", "channel:b", "slow-0"];
  const kindOf = (endpoint: string) =>
    (endpoint.startsWith("channel") ? "notice" : "webhook") as "notice" | "webhook";
  for (const endpoint of known)
    await made.outbox.add(outboxRow({ id: `first-${endpoint}`, endpoint, kind: kindOf(endpoint) }));
  made.sender.start();
  await made.clock.advance(0);
  await made.clock.advance(1_000);
  good = 0;
  isDown = true;
  const hung = [
    ...Array.from({ length: 12 }, (_, n) => `hung-${n}`),
    ...Array<string>(8).fill("bad-0"),
    ...Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? "channel:a" : "channel:b")),
    ...Array<string>(4).fill("slow-0"),
  ];
  await made.outbox.add(
    ...hung.map((endpoint, n) => outboxRow({ id: `hung-${n}`, endpoint, kind: kindOf(endpoint) })),
  );
  made.sender.wake();
  await made.clock.advance(0);
  await made.outbox.add(
    ...outboxRows(800, (n) => ({ id: `good-${n}`, endpoint: `good-${n % 4}`, dueAt: made.clock.now() })),
  );
  made.sender.wake();
  await made.clock.advance(0);
  for (let step = 0; step < 400; step += 1) await made.clock.advance(50);
  expect(good).toBe(800);
  const stopping = made.sender.stop();
  await made.clock.advance(10_000);
  await stopping;
});
