import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Carrier } from "./delivery.ts";
import { outboxRow, outboxRows, START, TestOutbox } from "./rows.fake.ts";
import { gate, SENT, type Send, setUp } from "./sender.fake.ts";
import type { Sender, SenderOptions } from "./sender.ts";

describe("the sender", () => {
  it("the sender sends due rows when it starts and records the try", async () => {
    const { sender, outbox, results } = setUp(async () => ({ kind: "sent", status: 200 }));
    await outbox.add(outboxRow());
    sender.start();
    await sender.idle();
    expect(await outbox.row()).toMatchObject({
      state: "sent",
      dueAt: null,
      attempts: [{ at: START, ok: true, status: 200, durationMs: 0 }],
    });
    expect(results).toEqual([["msg_1", "sent"]]);
    await sender.stop();
  });

  it("the sender waits for the earliest due row with one timer", async () => {
    const sentAt: [string, number][] = [];
    const { sender, outbox, clock } = setUp(async (row) => {
      sentAt.push([row.id, clock.now() - START]);
      return SENT;
    });
    await outbox.add(...outboxRows(3, (n) => ({ dueAt: START + 10_000 * (n + 1) })));
    sender.start();
    await sender.idle();
    expect([clock.pending, clock.nextAt()]).toEqual([1, START + 10_000]);
    await clock.advance(30_000);
    expect(sentAt).toEqual([
      ["msg_0", 10_000],
      ["msg_1", 20_000],
      ["msg_2", 30_000],
    ]);
    await sender.stop();
    expect(clock.pending).toBe(0);
  });

  it("a woken sender claims at once, even while it is claiming", async () => {
    const { sender, outbox, lags, clock } = setUp(async () => SENT);
    sender.start();
    sender.wake();
    await sender.idle();
    await clock.advance(50);
    await outbox.add(outboxRow());
    sender.wake();
    await sender.idle();
    expect((await outbox.row()).state).toBe("sent");
    expect(lags).toEqual([50]);
    await sender.stop();
  });

  it("the sender does not miss a wake that comes just before it sets its timer", async () => {
    const outbox = new TestOutbox();
    let isFirst = true;
    const store: SenderOptions["store"] = {
      claimOutbox: (...given) => outbox.store.claimOutbox(...given),
      settleOutbox: (...given) => outbox.store.settleOutbox(...given),
      renewOutbox: (...given) => outbox.store.renewOutbox(...given),
      async nextOutboxAt() {
        if (!isFirst) return outbox.store.nextOutboxAt();
        isFirst = false;
        await outbox.add(outboxRow());
        sender.wake();
        return null;
      },
    };
    const { sender }: { sender: Sender } = setUp(async () => SENT, { store }, outbox);
    sender.start();
    await sender.idle();
    expect((await outbox.row()).state).toBe("sent");
    await sender.stop();
  });

  it("the sender finds rows without a wake within a minute", async () => {
    const { sender, outbox, clock } = setUp(async () => SENT);
    sender.start();
    await sender.idle();
    await outbox.add(outboxRow());
    await clock.advance(59_999);
    expect((await outbox.row()).state).toBe("waiting");
    await clock.advance(1);
    expect((await outbox.row()).state).toBe("sent");
    await sender.stop();
  });

  it("the sender retries by the row's schedule until the message arrives", async () => {
    const triedAt: number[] = [];
    const { sender, outbox, clock, results } = setUp(async () => {
      triedAt.push(clock.now() - START);
      return triedAt.length < 4 ? { kind: "failed", error: "http_500", status: 500 } : SENT;
    });
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(200_000);
    expect(triedAt).toEqual([0, 5_000, 35_000, 155_000]);
    expect(results.map(([, result]) => result)).toEqual(["retry", "retry", "retry", "sent"]);
    expect((await outbox.row()).attempts).toHaveLength(4);
    await sender.stop();
  });

  it("the sender marks a row as failed at the end of its schedule", async () => {
    const { sender, outbox, clock, results } = setUp(async () => ({ kind: "failed", error: "timed_out" }));
    await outbox.add(outboxRow({ detail: { schedule: "hitl" } }));
    sender.start();
    await clock.advance(100_000);
    expect(await outbox.row()).toMatchObject({ state: "failed", dueAt: null });
    expect(results.map(([, result]) => result)).toEqual(["retry", "retry", "retry", "failed"]);
    await sender.stop();
  });

  it("the sender ends rows that have nothing to send or no channel", async () => {
    const carriers: SenderOptions["carriers"] = {
      webhook: { prepare: async () => ({ kind: "withdrawn" }) },
      callback: { prepare: async () => ({ kind: "failed", error: "bad_secret", retry: false }) },
      notice: { prepare: async () => ({ kind: "no_channel" }) },
    };
    const { sender, outbox } = setUp(async () => SENT, { carriers });
    const kinds = ["webhook", "callback", "notice"] as const;
    await outbox.add(...outboxRows(3, (n) => ({ kind: kinds[n] ?? "notice" })));
    sender.start();
    await sender.idle();
    expect(
      (await outbox.rows()).map(({ kind, state, attempts }) => [kind, state, attempts[0]?.error]).sort(),
    ).toEqual([
      ["callback", "failed", "bad_secret"],
      ["notice", "no_channel", "no_channel"],
      ["webhook", "failed", "withdrawn"],
    ]);
    await sender.stop();
  });
});

describe("faults of the sender's parts", () => {
  it("a carrier that throws costs its own row one try", async () => {
    const { sender, outbox, trouble } = setUp(async (row) => {
      if (row.id === "msg_1") throw new Error("broken carrier");
      return SENT;
    });
    await outbox.add(...outboxRows(3));
    sender.start();
    await sender.idle();
    expect(await outbox.row("msg_1")).toMatchObject({
      state: "waiting",
      dueAt: START + 5_000,
      attempts: [{ ok: false, error: "crashed" }],
    });
    expect((await outbox.row("msg_2")).state).toBe("sent");
    expect(trouble).toHaveLength(1);
    await sender.stop();
  });

  it("a try that hangs is stopped in time, and its late answer changes nothing", async () => {
    const stuck = gate();
    let isStopped = false;
    const { sender, outbox, clock } = setUp((row, signal) => {
      signal.addEventListener("abort", () => {
        isStopped = true;
      });
      return stuck.send(row);
    });
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(30_000);
    expect(isStopped).toBe(true);
    stuck.letGo("msg_1");
    await sender.idle();
    expect(await outbox.row()).toMatchObject({
      state: "waiting",
      attempts: [{ ok: false, error: "timed_out", durationMs: 30_000 }],
    });
    await sender.stop();
  });

  it("a message whose rendering exceeds the time limit is not sent afterwards", async () => {
    let finish: () => void = () => {};
    let sends = 0;
    const slow: Carrier = {
      prepare: () =>
        new Promise((resolve) => {
          finish = () =>
            resolve({
              kind: "ready",
              lane: "",
              send: async () => {
                sends += 1;
                return SENT;
              },
            });
        }),
    };
    const { sender, outbox, clock } = setUp(async () => SENT, {
      carriers: { webhook: slow, callback: slow, notice: slow },
    });
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(30_000);
    finish();
    await sender.idle();
    expect(sends).toBe(0);
    await sender.stop();
  });

  it("the sender waits five seconds after the store failed", async () => {
    const outbox = new TestOutbox();
    let failures = 2;
    const store: SenderOptions["store"] = {
      claimOutbox: (...given) =>
        failures-- > 0 ? Promise.reject(new Error("disk full")) : outbox.store.claimOutbox(...given),
      nextOutboxAt: () => outbox.store.nextOutboxAt(),
      settleOutbox: (...given) => outbox.store.settleOutbox(...given),
      renewOutbox: (...given) => outbox.store.renewOutbox(...given),
    };
    const { sender, clock, trouble } = setUp(async () => SENT, { store }, outbox);
    await outbox.add(outboxRow());
    sender.start();
    await sender.idle();
    expect([trouble.length, clock.pending, clock.nextAt()]).toEqual([1, 1, START + 5_000]);
    await clock.advance(10_000);
    expect((await outbox.row()).state).toBe("sent");
    await sender.stop();
  });

  it("a due row that cannot be claimed is asked for once per second, not in a loop", async () => {
    let asked = 0;
    const store: SenderOptions["store"] = {
      claimOutbox: async () => {
        asked += 1;
        return [];
      },
      nextOutboxAt: async () => START - 1,
      settleOutbox: async () => true,
      renewOutbox: async () => [],
    };
    const { sender, clock } = setUp(async () => SENT, { store });
    sender.start();
    await clock.advance(10_000);
    expect(asked, "for channels and for hosts").toBe(2 * 11);
    await sender.stop();
  });

  it("a sender that dies after sending leaves the row to the next sender, which sends it under the same id", async () => {
    const ids: string[] = [];
    const outbox = new TestOutbox();
    const send: Send = async (row) => {
      ids.push(row.id);
      return SENT;
    };
    const dying: SenderOptions["store"] = {
      claimOutbox: (...given) => outbox.store.claimOutbox(...given),
      nextOutboxAt: async () => null,
      settleOutbox: () => new Promise(() => {}),
      renewOutbox: async () => [],
    };
    const first = setUp(send, { store: dying }, outbox);
    await outbox.add(outboxRow());
    first.sender.start();
    await first.clock.advance(0);
    expect(ids).toEqual(["msg_1"]);
    expect((await outbox.row()).state).toBe("waiting");

    const next = setUp(send, {}, new TestOutbox(outbox.data));
    next.sender.start();
    await next.clock.advance(4_999);
    expect(ids).toHaveLength(1);
    await next.clock.advance(1);
    expect(ids).toEqual(["msg_1", "msg_1"]);
    expect(await next.outbox.row()).toMatchObject({ state: "sent", claim: 2 });
    await next.sender.stop();
  });

  it("a sender whose claim expired cannot overwrite what its successor wrote", async () => {
    const outbox = new TestOutbox();
    const stuck = gate();
    const old = setUp(stuck.send, {}, outbox);
    await outbox.add(outboxRow());
    old.sender.start();
    await old.clock.advance(0);

    const successor = setUp(async () => SENT, {}, new TestOutbox(outbox.data));
    successor.sender.start();
    await successor.clock.advance(5_000);
    stuck.letGo("msg_1", { kind: "failed", error: "http_500", status: 500 });
    await old.sender.idle();
    expect(old.results).toEqual([["msg_1", "lost"]]);
    expect(await outbox.row()).toMatchObject({ state: "sent", attempts: [{ ok: true }] });
    await Promise.all([old.sender.stop(), successor.sender.stop()]);
  });
});

describe("stopping the sender", () => {
  it("stopping the sender waits for running tries, settles them and claims nothing more", async () => {
    const stuck = gate();
    const { sender, outbox, clock } = setUp(stuck.send, { limits: { atOnce: 1 } });
    await outbox.add(...outboxRows(2));
    sender.start();
    await clock.advance(0);
    let isStopped = false;
    const stopping = sender.stop().then(() => {
      isStopped = true;
    });
    await nextTurn();
    expect(isStopped).toBe(false);
    stuck.letGo("msg_0");
    await stopping;
    sender.wake();
    await nextTurn();
    expect((await outbox.row("msg_0")).state).toBe("sent");
    expect((await outbox.row("msg_1")).claim).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("a sender can be stopped before it starts and twice, and cannot start again", async () => {
    const { sender } = setUp(async () => SENT);
    await sender.stop();
    await sender[Symbol.asyncDispose]();
    expect(() => sender.start()).toThrow("started only once");
  });
});
