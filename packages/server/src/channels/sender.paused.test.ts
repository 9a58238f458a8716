import { expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import type { Carrier } from "./delivery.ts";
import { outboxRow, START, TestOutbox } from "./rows.fake.ts";
import { Sender } from "./sender.ts";

it("N2 a process that was paused past its claim does not send", async () => {
  const outbox = new TestOutbox();
  const manual = new ManualClock({ startAt: START });
  // Time has passed but no timer has fired yet, as when a paused process resumes.
  let pausedMs = 0;
  const clock = { now: () => manual.now() + pausedMs, at: manual.at.bind(manual) };
  const sent: string[] = [];
  const carrier: Carrier = {
    prepare: async (row) => {
      pausedMs = 60_000;
      return {
        kind: "ready",
        lane: row.endpoint,
        async send() {
          sent.push(row.id);
          return { kind: "sent" };
        },
      };
    },
  };
  await outbox.add(outboxRow());
  const carriers = { webhook: carrier, callback: carrier, notice: carrier };
  const sender = new Sender({ store: outbox.store, clock, random: () => 0.5, carriers });
  sender.start();
  await sender.idle();
  await sender.stop();
  expect(sent).toEqual([]);
  expect(await outbox.row()).toMatchObject({
    state: "waiting",
    attempts: [{ ok: false, error: "timed_out" }],
  });
});
