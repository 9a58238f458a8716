/** Senders that crash, stores that fail, receivers that misbehave: in any order, every message arrives. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import type { Carrier, Delivery } from "./delivery.ts";
import { outboxRows, START, TestOutbox } from "./rows.fake.ts";
import { Sender, type SenderOptions } from "./sender.ts";

type Fault = "none" | "no answer" | "throws" | "settle fails" | "settle is lost" | "claim fails";

const faults = fc.array(
  fc.constantFrom<Fault>("none", "no answer", "throws", "settle fails", "settle is lost", "claim fails"),
  { maxLength: 60 },
);

describe("the sender under random faults", () => {
  it("under random faults every row is delivered at least once, and no row has two tries running", async () => {
    await fc.assert(
      fc.asyncProperty(
        faults,
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async (script, count, chances) => {
          const outbox = new TestOutbox();
          const clock: ManualClock = new ManualClock({ startAt: START });
          const next = (): Fault => script.shift() ?? "none";
          const underWay = new Set<string>();
          const delivered = new Set<string>();
          let overlaps = 0;

          const carrier: Carrier = {
            prepare: async (row) => ({
              kind: "ready",
              lane: row.endpoint,
              async send(): Promise<Delivery> {
                if (underWay.has(row.id)) overlaps += 1;
                underWay.add(row.id);
                await Promise.resolve();
                underWay.delete(row.id);
                const fault = next();
                if (fault === "throws") throw new Error(fault);
                if (fault === "no answer") return { kind: "failed", error: "timed_out" };
                delivered.add(row.id);
                return { kind: "sent" };
              },
            }),
          };
          const store: SenderOptions["store"] = {
            claimOutbox: async (...given) => {
              if (next() === "claim fails") throw new Error("claim fails");
              return outbox.store.claimOutbox(...given);
            },
            nextOutboxAt: () => outbox.store.nextOutboxAt(),
            renewOutbox: (...given) => outbox.store.renewOutbox(...given),
            settleOutbox: async (...given) => {
              const fault = next();
              if (fault === "settle fails") throw new Error(fault);
              const isKept = await outbox.store.settleOutbox(...given);
              if (fault === "settle is lost") throw new Error(fault);
              return isKept;
            },
          };
          const carriers = { webhook: carrier, callback: carrier, notice: carrier };
          const random = () => chances.next().value;
          const limits = { atOnce: 4, perLane: 2 };
          // Two servers over one database, one of them started late.
          const senders = [0, 1].map(() => new Sender({ store, clock, random, carriers, limits }));
          await outbox.add(...outboxRows(count, (n) => ({ endpoint: `host-${n % 3}` })));
          senders[0]?.start();
          await clock.advance(3_000);
          senders[1]?.start();
          await clock.advance(30 * 60_000);
          // The longest delays are hours, and by then the script of faults is used up.
          for (let day = 0; day < 3 && script.length > 0; day++) await clock.advance(86_400_000);
          await clock.advance(86_400_000);
          await Promise.all(senders.map((sender) => sender.stop()));

          expect(overlaps).toBe(0);
          const rows = await outbox.rows();
          const isEnded = rows.every(({ state, attempts }) => state === "sent" || attempts.length === 9);
          expect(isEnded).toBe(true);
          for (const row of rows) if (row.state === "sent") expect(delivered).toContain(row.id);
          expect(clock.pending).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});
