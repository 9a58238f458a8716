import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { BacklogKeeper, type BacklogKeeperOptions } from "./backlog-keeper.ts";
import { outboxRow, outboxRows, START, TestOutbox } from "./rows.fake.ts";

function setUp(options: Partial<BacklogKeeperOptions> = {}) {
  const outbox = new TestOutbox();
  const dropped: number[] = [];
  const faults: unknown[] = [];
  const keeper = new BacklogKeeper({
    store: outbox.store,
    clock: new ManualClock({ startAt: START }),
    limits: { most: 10, messagesBetween: 5, atOnce: 3 },
    onDropped: (count) => dropped.push(count),
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  return { outbox, dropped, faults, keeper };
}

describe("the backlog of one endpoint (G13)", () => {
  it("a full backlog keeps its oldest messages and fails the newest with backlog_full, in small batches", async () => {
    const { outbox, dropped, keeper } = setUp();
    await outbox.add(...outboxRows(17, (n) => ({ createdAt: START - 100 + n })));
    keeper.committed(17);
    await keeper.idle();
    expect(dropped).toEqual([3, 3, 1]);
    const rows = (await outbox.rows()).toSorted((a, b) => a.createdAt - b.createdAt);
    expect(rows.slice(0, 10).every(({ state }) => state === "waiting")).toBe(true);
    for (const row of rows.slice(10)) {
      expect(row).toMatchObject({ state: "failed", attempts: [{ ok: false, error: "backlog_full" }] });
    }
  });

  it("a backlog within its limit, and any backlog of callbacks or notices, is left unchanged", async () => {
    const { outbox, dropped, keeper } = setUp();
    await outbox.add(...outboxRows(10));
    await outbox.add(...outboxRows(20, (n) => ({ id: `cb_${n}`, kind: "callback", endpoint: "callback" })));
    await outbox.add(...outboxRows(20, (n) => ({ id: `no_${n}`, kind: "notice", endpoint: "pager" })));
    keeper.committed(50);
    await keeper.idle();
    expect(dropped).toEqual([]);
    expect((await outbox.rows()).every(({ state }) => state === "waiting")).toBe(true);
  });

  it("backlogs are checked after a number of new messages, and again for messages committed during a check", async () => {
    let looks = 0;
    const store: BacklogKeeperOptions["store"] = {
      backlogs: async () => {
        looks += 1;
        if (looks === 1) keeper.committed(5);
        return [];
      },
      dropOutbox: async () => 0,
    };
    const limits = { most: 10, messagesBetween: 200, atOnce: 3 };
    const { keeper }: { keeper: BacklogKeeper } = setUp({ store, limits });
    keeper.committed(99);
    await keeper.idle();
    expect(looks).toBe(0);
    keeper.committed(1);
    await keeper.idle();
    expect(looks).toBe(1);
    keeper.committed(195);
    await keeper.idle();
    expect(looks).toBe(2);
  });

  it("a backlog whose rows are all claimed is left unchanged", async () => {
    const { outbox, dropped, keeper } = setUp();
    await outbox.add(
      ...outboxRows(12, () => ({ dueAt: START + 1 })),
      outboxRow({ id: "other", endpoint: "b" }),
    );
    keeper.committed(13);
    await keeper.idle();
    expect(dropped).toEqual([]);
  });

  it("shortening a backlog ends when the server stops, and a failing store is reported", async () => {
    const { outbox, dropped, keeper }: ReturnType<typeof setUp> = setUp({
      onDropped: () => void keeper.stop(),
    });
    await outbox.add(...outboxRows(20));
    keeper.committed(20);
    await keeper.idle();
    expect((await outbox.rows()).filter(({ state }) => state === "failed")).toHaveLength(3);
    keeper.committed(100);
    await keeper.stop();
    expect(dropped).toEqual([]);
    const broken = setUp({
      store: { backlogs: () => Promise.reject(new Error("disk full")), dropOutbox: async () => 0 },
    });
    broken.keeper.committed(5);
    await broken.keeper.idle();
    expect(broken.faults).toHaveLength(1);
  });
});
