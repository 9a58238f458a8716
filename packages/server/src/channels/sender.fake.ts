/** A sender for tests: an in-memory outbox, a clock that the test moves, and a carrier that the test scripts. */

import type { OutboxRow } from "../kernel/record.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import type { Carrier, Delivery } from "./delivery.ts";
import { START, TestOutbox } from "./rows.fake.ts";
import { Sender, type SenderOptions, type SenderResult } from "./sender.ts";

export const SENT: Delivery = { kind: "sent" };

export type Send = (row: OutboxRow, signal: AbortSignal) => Promise<Delivery>;

/** All rows of one endpoint share a lane. */
function carrying(send: Send): Carrier {
  return {
    prepare: async (row) => ({ kind: "ready", lane: row.endpoint, send: (signal) => send(row, signal) }),
  };
}

export function setUp(send: Send, options: Partial<SenderOptions> = {}, outbox = new TestOutbox()) {
  const clock = new ManualClock({ startAt: START });
  const results: [string, SenderResult][] = [];
  const trouble: unknown[] = [];
  const lags: number[] = [];
  const carrier = carrying(send);
  const sender = new Sender({
    store: outbox.store,
    clock,
    random: () => 1,
    carriers: { webhook: carrier, callback: carrier, notice: carrier },
    hooks: {
      onTried: (row, result) => results.push([row.id, result]),
      onTrouble: (error) => trouble.push(error),
      onLag: (lagMs) => lags.push(lagMs),
    },
    ...options,
  });
  return { clock, outbox, sender, results, trouble, lags };
}

export async function stopped(sender: Sender, stuck: ReturnType<typeof gate>): Promise<void> {
  const stopping = sender.stop();
  for (const id of stuck.underWay()) stuck.letGo(id);
  await stopping;
}

/** Tries that keep running until the test lets them end. */
export function gate() {
  const waiting = new Map<string, (delivery: Delivery) => void>();
  return {
    underWay: () => [...waiting.keys()],
    send: (row: OutboxRow) =>
      new Promise<Delivery>((resolve) => {
        waiting.set(row.id, resolve);
      }),
    letGo(id: string, delivery: Delivery = SENT) {
      waiting.get(id)?.(delivery);
      waiting.delete(id);
    },
  };
}
