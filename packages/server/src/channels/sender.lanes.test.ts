import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outboxRow, outboxRows, START } from "./rows.fake.ts";
import { gate, SENT, setUp, stopped } from "./sender.fake.ts";

describe("attack 2: concurrency of the sender", () => {
  it("the sender never runs more tries than allowed, and continues as slots become free", async () => {
    let now = 0;
    let most = 0;
    const { sender, outbox } = setUp(
      async () => {
        most = Math.max(most, ++now);
        await nextTurn();
        now -= 1;
        return SENT;
      },
      { limits: { atOnce: 8, perLane: 8 } },
    );
    await outbox.add(...outboxRows(100));
    sender.start();
    await sender.idle();
    expect(most).toBe(8);
    expect((await outbox.rows()).every(({ state }) => state === "sent")).toBe(true);
    await sender.stop();
  });

  it("the sender claims and renders only rows it can send now, so that other lanes get through (G13)", async () => {
    const stuck = gate();
    const asked: string[] = [];
    const { sender, outbox, results } = setUp(
      (row) => {
        asked.push(row.id);
        return row.endpoint === "slow" ? stuck.send(row) : Promise.resolve(SENT);
      },
      { limits: { atOnce: 4, perLane: 2 } },
    );
    await outbox.add(...outboxRows(600, () => ({ endpoint: "slow" })));
    await outbox.add(outboxRow({ id: "msg_quick", endpoint: "quick", dueAt: START }));
    sender.start();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(stuck.underWay(), "a host that is new gets one slot").toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect((await outbox.rows()).filter(({ claim }) => claim > 0)).toHaveLength(2);
    expect(results).toEqual([["msg_quick", "sent"]]);
    sender.wake();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect((await outbox.rows()).filter(({ claim }) => claim > 0)).toHaveLength(2);
    for (const id of stuck.underWay()) stuck.letGo(id);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(stuck.underWay(), "a host that answered gets its slots at once").toHaveLength(2);
    await stopped(sender, stuck);
  });

  it("a workspace's full lane leaves the same host to another workspace (G13)", async () => {
    const stuck = gate();
    const { sender, outbox } = setUp(stuck.send, { limits: { atOnce: 4, perLane: 2 } });
    await outbox.add(...outboxRows(5), outboxRow({ id: "msg_other", workspace: "other" }));
    sender.start();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(stuck.underWay().sort()).toEqual(["msg_0", "msg_other"]);
    await stopped(sender, stuck);
  });

  it("hosts that do not answer delay none that answered before, however many they are (G13)", async () => {
    const limits = { atOnce: 8, perLane: 2, strangersAtOnce: 4 };
    const { sender, outbox, clock, results } = setUp(
      (row, signal) =>
        row.endpoint === "quick"
          ? Promise.resolve(SENT)
          : new Promise((resolve) => {
              signal.addEventListener("abort", () => resolve({ kind: "failed", error: "timed_out" }));
            }),
      { limits },
    );
    await outbox.add(outboxRow({ id: "msg_first", endpoint: "quick" }));
    sender.start();
    await clock.advance(0);
    expect(results).toEqual([["msg_first", "sent"]]);
    await outbox.add(...outboxRows(2_000, (n) => ({ endpoint: `hung-${n}` })));
    sender.wake();
    await clock.advance(70_000);
    for (let round = 0; round < 20; round += 1) {
      const id = `msg_quick_${round}`;
      await outbox.add(outboxRow({ id, endpoint: "quick", dueAt: clock.now() }));
      sender.wake();
      await clock.advance(0);
      expect(results.at(-1)).toEqual([id, "sent"]);
      await clock.advance(5_000);
    }
    const stopping = sender.stop();
    await clock.advance(5_000);
    await stopping;
  });

  it("sending a large backlog leaves turns of the event loop to other work (G13)", async () => {
    let turns = 0;
    let sentInTurn = 0;
    let most = 0;
    const { sender, outbox } = setUp(async () => {
      most = Math.max(most, ++sentInTurn);
      return SENT;
    });
    const isCounting = { value: true };
    const count = () => {
      turns += 1;
      sentInTurn = 0;
      if (isCounting.value) setImmediate(count);
    };
    await outbox.add(...outboxRows(640, (n) => ({ endpoint: `host-${n % 20}` })));
    setImmediate(count);
    sender.start();
    await sender.idle();
    isCounting.value = false;
    expect((await outbox.rows()).every(({ state }) => state === "sent")).toBe(true);
    expect(most).toBeLessThanOrEqual(32);
    expect(turns).toBeGreaterThanOrEqual(20);
    await sender.stop();
  });

  it("a row that turns out to go to another, busy host is put back untried", async () => {
    const stuck = gate();
    const { sender, outbox, clock, results } = setUp(
      (row) => (row.endpoint === "slow" ? stuck.send(row) : Promise.resolve(SENT)),
      { limits: { atOnce: 4, perLane: 2 } },
    );
    await outbox.add(...outboxRows(6, (n) => ({ endpoint: "slow", lane: n < 3 ? "" : `unknown-${n}` })));
    await outbox.add(outboxRow({ id: "msg_quick", endpoint: "quick" }));
    sender.start();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(stuck.underWay()).toHaveLength(1);
    expect((await outbox.row("msg_quick")).state).toBe("sent");
    const back = results.filter(([, result]) => result === "busy").map(([id]) => id);
    expect(back.length).toBeGreaterThan(0);
    expect(await outbox.row(back[0])).toMatchObject({ state: "waiting", attempts: [], lane: "slow" });
    expect(back, "each row is put back once").toHaveLength(new Set(back).size);

    for (let round = 0; round < 10; round++) {
      for (const id of stuck.underWay()) stuck.letGo(id);
      await clock.advance(2_000);
    }
    expect(
      (await outbox.rows()).every(({ state, attempts }) => state === "sent" && attempts.length === 1),
    ).toBe(true);
    await sender.stop();
  });
});

describe("attack 2: stopping with a backlog", () => {
  it("stopping the sender aborts tries that do not end in time and puts their rows back untried (G13)", async () => {
    const stuck = gate();
    const { sender, outbox, clock, results } = setUp(stuck.send, {
      limits: { hostsAtOnce: 32, strangersAtOnce: 32 },
    });
    await outbox.add(...outboxRows(50, (n) => ({ endpoint: `host-${n}` })));
    sender.start();
    await clock.advance(1_000);
    const stopping = sender.stop();
    await clock.advance(5_000);
    await stopping;
    expect(results).toHaveLength(32);
    expect(new Set(results.map(([, result]) => result))).toEqual(new Set(["stopped"]));
    const rows = await outbox.rows();
    expect(rows.every(({ state, attempts }) => state === "waiting" && attempts.length === 0)).toBe(true);
    expect(rows.every(({ dueAt }) => dueAt !== null && dueAt <= clock.now())).toBe(true);
    expect(clock.pending).toBe(0);
  });
});
