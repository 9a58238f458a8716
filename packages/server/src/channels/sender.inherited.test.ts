import { expect, it } from "vitest";
import type { OutboxRow } from "../kernel/record.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import type { Carrier, Delivery } from "./delivery.ts";
import { outboxRow, START, TestOutbox } from "./rows.fake.ts";
import { Sender } from "./sender.ts";

/** One sender beside others: its claims last five seconds unless renewed, and its tries as long as the test wants. */
function beside(clock: ManualClock, outbox: TestOutbox, renew: (row: OutboxRow) => boolean) {
  const { store } = outbox;
  const renewed: number[] = [];
  const tries: { readonly signal: AbortSignal; end(delivery: Delivery): void }[] = [];
  const carrier: Carrier = {
    prepare: async (row) => ({
      kind: "ready",
      lane: row.endpoint,
      send: (signal) => new Promise((end) => tries.push({ signal, end })),
    }),
  };
  const results: string[] = [];
  const sender = new Sender({
    store: {
      claimOutbox: (...args) => store.claimOutbox(...args),
      nextOutboxAt: () => store.nextOutboxAt(),
      settleOutbox: (...args) => store.settleOutbox(...args),
      renewOutbox: async (rows, until) => {
        renewed.push(until - START);
        return rows.map(renew);
      },
    },
    clock,
    random: () => 0.5,
    carriers: { webhook: carrier, callback: carrier, notice: carrier },
    limits: { leaseMs: 5_000 },
    hooks: { onTried: (_row, result) => results.push(result) },
  });
  return { sender, renewed, tries, results };
}

it("N2 a claim is renewed while its try runs, and not afterwards", async () => {
  const clock = new ManualClock({ startAt: START });
  const outbox = new TestOutbox();
  await outbox.add(outboxRow());
  const { sender, renewed, tries, results } = beside(clock, outbox, () => true);
  sender.start();
  await clock.advance(4_000);
  expect(renewed.map(Math.ceil)).toEqual([6_667, 8_334]);
  tries[0]?.end({ kind: "sent", status: 200 });
  await clock.advance(10_000);
  expect(results).toEqual(["sent"]);
  expect(renewed).toHaveLength(2);
  await sender.stop();
});

it("N2 a try whose claim another server took over is aborted and writes nothing", async () => {
  const clock = new ManualClock({ startAt: START });
  const outbox = new TestOutbox();
  await outbox.add(outboxRow());
  const { sender, tries, results } = beside(clock, outbox, () => false);
  sender.start();
  await clock.advance(0);
  const other = await outbox.store.claimOutbox(START + 5_000, 60_000, 1);
  expect(other).toHaveLength(1);
  await clock.advance(2_000);
  expect(tries[0]?.signal.aborted).toBe(true);
  expect(results).toEqual(["lost"]);
  expect(await outbox.row()).toMatchObject({ state: "waiting", attempts: [], claim: 2 });
  await sender.stop();
});

it("N2 a try whose claim cannot be renewed is aborted when the claim expires", async () => {
  const clock = new ManualClock({ startAt: START });
  const outbox = new TestOutbox();
  await outbox.add(outboxRow());
  const { sender, tries } = beside(clock, outbox, () => {
    throw new Error("the database is unreachable");
  });
  sender.start();
  await clock.advance(4_900);
  expect(tries[0]?.signal.aborted).toBe(false);
  await clock.advance(1_000);
  expect(tries[0]?.signal.aborted).toBe(true);
  for (const { end } of tries) end({ kind: "sent" });
  await sender.stop();
});
