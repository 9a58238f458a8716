import { describe, expect, it } from "vitest";
import type { OutboxRow } from "../kernel/record.ts";
import type { Clock } from "../system/clock.ts";
import type { Delivery } from "./delivery.ts";
import { outboxRow, outboxRows } from "./rows.fake.ts";
import { SENT, setUp } from "./sender.fake.ts";

const OK: Delivery = { kind: "sent", status: 200 };
const LOST: Delivery = { kind: "failed", error: "connection_lost" };

/** Ends each try to a host whose name starts with `slow` after nine seconds, and never one to a host that hangs. */
function receiving(ended: Delivery) {
  const at: { clock?: Clock } = {};
  const down = new Set<string>();
  const send = (row: OutboxRow, signal: AbortSignal): Promise<Delivery> => {
    const { clock } = at;
    if (clock && row.endpoint.startsWith("slow")) {
      return new Promise((resolve) => {
        clock.at(clock.now() + 9_000, () => resolve(ended));
      });
    }
    if (!row.endpoint.startsWith("hung") && !down.has(row.endpoint))
      return Promise.resolve(row.endpoint.includes(":") ? SENT : OK);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ kind: "failed", error: "timed_out" }));
    });
  };
  const made = setUp(send);
  at.clock = made.clock;
  return {
    ...made,
    /** Endpoints that do not answer now. */
    down,
    /** How long a new row of this lane waits until it is sent, at most `most` milliseconds. */
    async waitOf(id: string, changes: Partial<OutboxRow>, most: number): Promise<number> {
      const from = made.clock.now();
      await made.outbox.add(outboxRow({ id, dueAt: from, ...changes }));
      made.sender.wake();
      await made.clock.advance(0);
      while (!made.results.some(([row]) => row === id) && made.clock.now() - from < most) {
        await made.clock.advance(250);
      }
      return made.results.some(([row]) => row === id) ? made.clock.now() - from : Number.POSITIVE_INFINITY;
    },
    async end() {
      const stopping = made.sender.stop();
      await made.clock.advance(10_000);
      await stopping;
    },
  };
}

const MAIL = { endpoint: "channel:mail", kind: "notice" } as const;

describe("which lanes the sender serves", () => {
  for (const [what, ended] of [
    ["close the connection", LOST],
    ["answer", OK],
  ] as const) {
    it(`hosts that ${what} after nine seconds delay neither a host that answers nor a channel (G13)`, async () => {
      const { sender, outbox, clock, waitOf, end } = receiving(ended);
      await outbox.add(outboxRow({ id: "first", endpoint: "quick" }));
      sender.start();
      await clock.advance(0);
      await outbox.add(...outboxRows(400, (n) => ({ endpoint: `slow-${n % 8}` })));
      sender.wake();
      await clock.advance(60_000);
      expect(await waitOf("mail", MAIL, 60_000)).toBe(0);
      expect(await waitOf("second", { endpoint: "quick" }, 60_000)).toBe(0);
      expect(await waitOf("new", { endpoint: "new" }, 60_000)).toBeLessThan(30_000);
      await end();
    });
  }

  it("a host that answers waits for its turn behind one row of each other host, not behind their backlogs (G13)", async () => {
    const { sender, outbox, clock, end } = receiving(OK);
    await outbox.add(...outboxRows(10, (n) => ({ id: `first-${n}`, endpoint: `good-${n}` })));
    sender.start();
    await sender.idle();
    const dueAt = clock.now() - 1;
    await outbox.add(...outboxRows(540, (n) => ({ endpoint: `good-${n % 9}`, dueAt })));
    await outbox.add(outboxRow({ id: "one", endpoint: "good-9", dueAt: clock.now() }));
    const order: string[] = [];
    const claim = outbox.store.claimOutbox.bind(outbox.store);
    outbox.store.claimOutbox = async (...given) => {
      const rows = await claim(...given);
      order.push(...rows.map(({ id }) => id));
      return rows;
    };
    sender.wake();
    await sender.idle();
    expect(order).toHaveLength(541);
    expect(order.indexOf("one")).toBeLessThan(60);
    await end();
  });

  it("a channel that timed out once is tried in time while thousands of hosts do not answer (G13)", async () => {
    const { outbox, clock, sender, waitOf, end, down } = receiving(OK);
    down.add(MAIL.endpoint);
    await outbox.add(outboxRow({ id: "down", ...MAIL }));
    sender.start();
    await clock.advance(31_000);
    down.delete(MAIL.endpoint);
    await outbox.add(...outboxRows(2_000, (n) => ({ endpoint: `hung-${n}` })));
    sender.wake();
    await clock.advance(1_000);
    expect(await waitOf("mail", MAIL, 60_000)).toBe(0);
    await end();
  });

  it("a channel's first message after a start does not wait behind hosts that do not answer (G13)", async () => {
    const { outbox, clock, sender, waitOf, end } = receiving(OK);
    await outbox.add(...outboxRows(2_000, (n) => ({ endpoint: `hung-${n}` })));
    sender.start();
    await clock.advance(1_000);
    expect(await waitOf("mail", MAIL, 60_000)).toBe(0);
    await end();
  });

  it("hosts of one workspace that do not answer leave the next slot to a workspace that has none (G13)", async () => {
    const { outbox, clock, sender, waitOf, end } = receiving(OK);
    await outbox.add(...outboxRows(2_000, (n) => ({ endpoint: `hung-${n}` })));
    sender.start();
    await clock.advance(1_000);
    expect(await waitOf("new", { endpoint: "new", workspace: "other" }, 120_000)).toBeLessThan(31_000);
    await end();
  });

  it("new hosts take turns with hosts that have long backlogs and do not answer (G13)", async () => {
    const { outbox, clock, sender, waitOf, end } = receiving(OK);
    await outbox.add(...outboxRows(800, (n) => ({ endpoint: `hung-${n % 16}` })));
    sender.start();
    await clock.advance(1_000);
    expect(await waitOf("new", { endpoint: "new" }, 300_000)).toBeLessThan(65_000);
    await end();
  });

  it("hosts without an address push no host out that answered (G13)", async () => {
    const made = setUp(async ({ endpoint }) =>
      endpoint.startsWith("none") ? { kind: "failed", error: "name_not_found" } : OK,
    );
    const { outbox, sender, clock } = made;
    await outbox.add(outboxRow({ id: "first", endpoint: "quick" }));
    sender.start();
    await clock.advance(0);
    await outbox.add(...outboxRows(300, (n) => ({ endpoint: `none-${n}` })));
    sender.wake();
    await clock.advance(0);
    const asked: string[] = [];
    const claim = outbox.store.claimOutbox.bind(outbox.store);
    outbox.store.claimOutbox = (now, leaseMs, limit, lanes) => {
      for (const { lane, room } of lanes?.rooms ?? []) if (lanes?.usual === 0 && room > 1) asked.push(lane);
      return claim(now, leaseMs, limit, lanes);
    };
    sender.wake();
    await clock.advance(0);
    expect(asked).toEqual(["quick"]);
    await sender.stop();
  });

  it("a row that is due later is sent in time although the slots for new hosts are full (G13)", async () => {
    const { outbox, clock, sender, end, results } = receiving(OK);
    await outbox.add(outboxRow({ id: "first", endpoint: "quick" }));
    sender.start();
    await clock.advance(100_000);
    const dueAt = clock.now() + 2_000;
    await outbox.add(...outboxRows(16, (n) => ({ endpoint: `hung-${n}` })));
    await outbox.add(outboxRow({ id: "later", endpoint: "quick", dueAt }));
    sender.wake();
    await clock.advance(3_000);
    expect(results).toContainEqual(["later", "sent"]);
    await end();
  });
});
