/** Outbox messages: claims, fences and lists. */

import { describe, expect, it } from "vitest";
import type { IndexTable } from "../../kernel/table.ts";
import { commit, type Harness, ids, message, type StoreUnderTest } from "./fixture.ts";

type Open = () => Promise<Harness>;

export function describeOutbox({ open }: StoreUnderTest, indexes: IndexTable): void {
  const opened = () => open(indexes);
  describe("claiming messages", () => describeClaims(opened));
  describe("lanes of messages", () => describeLanes(opened));
  describe("backlogs of messages", () => describeBacklogs(opened));
  describe("lists of messages", () => describeLists(opened));
  describe("removing recipients and old messages", () => describeForgetting(opened));
}

function describeClaims(open: Open): void {
  it("a claim takes due messages, earliest first, and hides them for the lease", async () => {
    await using harness = await open();
    const { store } = harness;
    expect(await store.nextOutboxAt()).toBeNull();
    await commit(store, {
      outbox: [
        message("m1", { dueAt: 300 }),
        message("m2", { dueAt: 100, detail: { to: "ann", n: 2 }, holdId: "h1", kind: "notice" }),
        message("m3", { dueAt: 200 }),
        message("m4", { dueAt: 900 }),
        message("m5", { dueAt: null, state: "no_channel" }),
      ],
    });
    expect(await store.nextOutboxAt()).toBe(100);
    const claimed = await store.claimOutbox(300, 50, 2);
    const m2 = message("m2", {
      detail: { to: "ann", n: 2 },
      holdId: "h1",
      kind: "notice",
      dueAt: 350,
      claim: 1,
    });
    expect(claimed).toEqual([m2, message("m3", { dueAt: 350, claim: 1 })]);
    expect(ids(await store.claimOutbox(300, 50, 2))).toEqual(["m1"]);
    expect(await store.claimOutbox(349, 50, 10)).toEqual([]);
    expect(await store.nextOutboxAt()).toBe(350);
    expect((await store.claimOutbox(350, 50, 10)).map(({ id, claim }) => [id, claim])).toEqual([
      ["m1", 2],
      ["m2", 2],
      ["m3", 2],
    ]);
  });

  it("the state of a claimed message survives a restart", async () => {
    await using harness = await open();
    await commit(harness.store, { outbox: [message("m1"), message("m2")] });
    const [first] = await harness.store.claimOutbox(1000, 500, 1);
    if (first === undefined) throw new Error("nothing to claim");
    await harness.store.settleOutbox({ ...first, state: "sent", dueAt: null }, 1000);
    const store = await harness.reopen();
    expect(ids(await store.claimOutbox(9000, 500, 5))).toEqual(["m2"]);
  });

  it("a claim lasts as long as its claimer renews it", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, { outbox: [message("m1", { dueAt: 100 }), message("m2", { dueAt: 100 })] });
    const [first, second] = await store.claimOutbox(100, 50, 2);
    if (first === undefined || second === undefined) throw new Error("nothing to claim");
    expect(await store.settleOutbox({ ...second, state: "sent", dueAt: null }, 120)).toBe(true);
    expect(await store.renewOutbox([first, second, { ...first, id: "none" }], 300)).toEqual([
      true,
      false,
      false,
    ]);
    expect(await store.claimOutbox(299, 50, 2)).toEqual([]);
    expect(ids(await store.claimOutbox(300, 50, 2))).toEqual(["m1"]);
    expect(await store.renewOutbox([first], 900)).toEqual([false]);
    expect(await store.nextOutboxAt()).toBe(350);
  });

  it("only the latest claimer of a message can write its result", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, { outbox: [message("m1")] });
    const [lost] = await store.claimOutbox(1000, 10, 1);
    const [current] = await store.claimOutbox(2000, 10, 1);
    if (lost === undefined || current === undefined) throw new Error("nothing to claim");
    const attempts = [{ at: 2000, ok: false, status: 500, error: "server said no", durationMs: 12 }];
    expect(await store.settleOutbox({ ...lost, state: "sent", dueAt: null, attempts }, 2001)).toBe(false);
    expect(await store.settleOutbox({ ...current, id: "none" }, 2001)).toBe(false);
    expect(await store.outbox({ workspace: "default", id: "m1", limit: 1 })).toEqual([current]);
    const tried = { ...current, attempts, dueAt: 5000 };
    expect(await store.settleOutbox({ ...tried, endpoint: "not written", createdAt: 1 }, 2001)).toBe(true);
    expect(await store.outbox({ workspace: "default", id: "m1", limit: 1 })).toEqual([tried]);
    expect(await store.claimOutbox(4999, 10, 1)).toEqual([]);
    const [again] = await store.claimOutbox(5000, 10, 1);
    expect(again).toEqual({ ...tried, dueAt: 5010, claim: 3 });
    if (again === undefined) throw new Error("nothing to claim");
    expect(await store.settleOutbox({ ...again, state: "sent", dueAt: null }, 5001)).toBe(true);
    expect(await store.nextOutboxAt()).toBeNull();
    expect(await store.claimOutbox(1_000_000, 10, 1)).toEqual([]);
  });
}

function describeLanes(open: Open): void {
  const many = (count: number, lane: string, members: Parameters<typeof message>[1] = {}) =>
    Array.from({ length: count }, (_, n) => message(`${lane}-${n}`, { lane, dueAt: 100 + n, ...members }));
  const counted = (rows: readonly { readonly workspace: string; readonly lane: string }[]) => {
    const counts: Record<string, number> = {};
    for (const { workspace, lane } of rows) {
      counts[`${workspace} ${lane}`] = (counts[`${workspace} ${lane}`] ?? 0) + 1;
    }
    return counts;
  };

  it("a claim takes from each lane at most as many messages as it has free slots, earliest first", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, {
      outbox: [...many(5, "a"), ...many(5, "b"), ...many(5, "a", { workspace: "other" })],
    });
    const rooms = [
      { workspace: "default", lane: "a", room: 1 },
      { workspace: "other", lane: "a", room: 0 },
      { workspace: "other", lane: "b", room: 0 },
    ];
    const claimed = await store.claimOutbox(1000, 50, 10, { usual: 2, rooms });
    expect(ids(claimed)).toEqual(["a-0", "b-0", "b-1"]);
    expect(counted(claimed)).toEqual({ "default a": 1, "default b": 2 });
    expect(ids(await store.claimOutbox(1000, 50, 2, { usual: 2, rooms: [] }))).toHaveLength(2);
    expect(await store.claimOutbox(1000, 50, 10, { usual: 0, rooms: [] })).toEqual([]);
  });

  it("a claim finds messages behind a long backlog of a full lane", async () => {
    await using harness = await open();
    const { store } = harness;
    const late = { dueAt: 900 };
    await commit(store, {
      outbox: [
        ...many(300, "full"),
        ...many(300, "hasty"),
        ...many(3, "c", late),
        ...many(3, "z", late),
        ...many(3, "later", { dueAt: 5000 }),
        ...many(3, "full", { ...late, workspace: "other" }),
      ],
    });
    const rooms = [{ workspace: "default", lane: "full", room: 0 }];
    const claim = async () => counted(await store.claimOutbox(1000, 5000, 8, { usual: 2, rooms }));
    expect(await claim()).toEqual({ "default hasty": 2, "default c": 2, "default z": 2, "other full": 2 });
    expect(await claim()).toEqual({ "default hasty": 2, "default c": 1, "default z": 1, "other full": 1 });
    expect(await claim()).toEqual({ "default hasty": 2 });
    const found = await store.outbox({ workspace: "default", limit: 1000 });
    expect(found.filter(({ claim: fence, lane }) => fence > 0 && lane === "full")).toEqual([]);
  });

  it("a claim from named lanes only finds their messages behind a long backlog of others", async () => {
    await using harness = await open();
    const { store } = harness;
    const others = Array.from({ length: 300 }, (_, n) =>
      message(`o-${n}`, { lane: `host-${n}`, dueAt: 100 }),
    );
    await commit(store, { outbox: [...others, ...many(3, "named", { dueAt: 900 })] });
    const rooms = [{ workspace: "default", lane: "named", room: 2 }];
    const claimed = await store.claimOutbox(1000, 50, 8, { usual: 0, rooms });
    expect(counted(claimed)).toEqual({ "default named": 2 });
  });

  it("lanes take turns in a claim, however long the backlog of one is", async () => {
    await using harness = await open();
    const { store } = harness;
    const hosts = Array.from({ length: 12 }, (_, n) => many(1, `host-${n}`, { dueAt: 800 })).flat();
    await commit(store, { outbox: [...many(100, "a"), ...many(100, "b"), ...hosts] });
    const rooms = ["b", "host-11", "a"].map((lane) => ({ workspace: "default", lane, room: 4 }));
    expect(counted(await store.claimOutbox(1000, 50, 3, { usual: 0, rooms }))).toEqual({
      "default b": 1,
      "default host-11": 1,
      "default a": 1,
    });
    const served = new Set<string>();
    const busy = ["a", "b"].map((lane) => ({ workspace: "default", lane, room: 1 }));
    for (let round = 0; round < 5; round += 1) {
      const rows = await store.claimOutbox(1000, 50, 3, { of: "hosts", usual: 1, rooms: busy });
      expect(rows).toHaveLength(3);
      for (const { lane } of rows) served.add(lane);
    }
    expect(served).toEqual(new Set(["a", "b", ...hosts.slice(0, 11).map(({ lane }) => lane)]));
  });

  it("lanes take turns also while only a few messages are due", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, { outbox: [...many(3, "a"), ...many(2, "b"), ...many(2, "c")] });
    const lanes = { of: "hosts", usual: 1, rooms: [] } as const;
    expect(ids(await store.claimOutbox(1000, 50, 2, lanes)).toSorted()).toEqual(["a-0", "b-0"]);
    expect(ids(await store.claimOutbox(1000, 50, 2, lanes)).toSorted()).toEqual(["a-1", "c-0"]);
    const rooms = ["c", "b", "a"].map((lane) => ({ workspace: "default", lane, room: 2 }));
    expect(ids(await store.claimOutbox(1000, 50, 2, { usual: 0, rooms })).toSorted()).toEqual(["b-1", "c-1"]);
  });

  it("a claim can be of channels only, of hosts only, and without some workspaces", async () => {
    for (const count of [1, 50]) {
      await using harness = await open();
      const { store } = harness;
      const of = (workspace: string, at: number) => [
        ...["a.example", "channel:mail", "d.example"].flatMap((lane) =>
          many(count, lane, { workspace, dueAt: at }),
        ),
      ];
      await commit(store, { outbox: [...of("busy", 100), ...of("default", 200)] });
      const channels = await store.claimOutbox(1000, 50, 2, { of: "channels", usual: 1, rooms: [] });
      expect(counted(channels)).toEqual({ "busy channel:mail": 1, "default channel:mail": 1 });
      const without = { of: "hosts", usual: 1, rooms: [], without: ["busy"] } as const;
      expect(counted(await store.claimOutbox(1000, 50, 4, without))).toEqual({
        "default a.example": 1,
        "default d.example": 1,
      });
      const hosts = await store.claimOutbox(1000, 50, 2, { of: "hosts", usual: 1, rooms: [] });
      expect(hosts.every(({ lane }) => lane.endsWith(".example"))).toBe(true);
      expect(hosts).toHaveLength(2);
    }
  });

  it("settling an attempt corrects the row's lane", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, { outbox: [message("m1", { lane: "" })] });
    const [row] = await store.claimOutbox(1000, 50, 1);
    if (row === undefined) throw new Error("nothing to claim");
    expect(await store.settleOutbox({ ...row, lane: "a.example", dueAt: 1000 }, 1000)).toBe(true);
    const full = [{ workspace: "default", lane: "a.example", room: 0 }];
    expect(await store.claimOutbox(1000, 50, 1, { usual: 1, rooms: full })).toEqual([]);
    expect(ids(await store.claimOutbox(1000, 50, 1))).toEqual(["m1"]);
  });
}

function describeBacklogs(open: Open): void {
  const many = (count: number, endpoint: string, members: Parameters<typeof message>[1] = {}) =>
    Array.from({ length: count }, (_, n) =>
      message(`${endpoint}-${n}`, { endpoint, lane: "a.example", createdAt: 100 + n, ...members }),
    );
  const name = { workspace: "default", kind: "webhook", endpoint: "e1", lane: "a.example" } as const;

  it("backlogs are counted by endpoint and host, the longest first", async () => {
    await using harness = await open();
    const { store } = harness;
    expect(await store.backlogs({ atLeast: 1, limit: 10 })).toEqual([]);
    await commit(store, {
      outbox: [
        ...many(3, "e1"),
        ...many(5, "e2"),
        ...many(2, "e1", { workspace: "other", createdAt: 7 }),
        ...many(1, "e3"),
        message("sent", { endpoint: "e1", lane: "a.example", state: "sent", dueAt: null }),
        message("cb", { kind: "callback", endpoint: "callback", lane: "b.example" }),
      ],
    });
    const e2 = { ...name, endpoint: "e2", waiting: 5, oldestAt: 100 };
    const e1 = { ...name, waiting: 3, oldestAt: 100 };
    const other = { ...name, workspace: "other", waiting: 2, oldestAt: 7 };
    expect(await store.backlogs({ atLeast: 2, limit: 10 })).toEqual([e2, e1, other]);
    expect(await store.backlogs({ atLeast: 1, limit: 1 })).toEqual([e2]);
    expect(await store.backlogs({ workspace: "other", atLeast: 1, limit: 10 })).toEqual([other]);
    expect(await store.backlogs({ workspace: "default", atLeast: 1, limit: 10 })).toHaveLength(4);
  });

  it("a backlog drops its newest messages as failed, and none that is being sent", async () => {
    await using harness = await open();
    const { store } = harness;
    const tried = [{ at: 1, ok: false, error: "timed_out", durationMs: 5 }];
    await commit(store, {
      outbox: [
        ...many(4, "e1"),
        message("later", { ...name, createdAt: 999, dueAt: 9000 }),
        message("tried", { ...name, createdAt: 200, attempts: tried }),
        ...many(1, "e2", { createdAt: 999 }),
      ],
    });
    const attempt = { at: 2000, ok: false, error: "backlog_full", durationMs: 0 };
    expect(await store.dropOutbox(name, attempt, 2)).toBe(2);
    const failed = await store.outbox({ workspace: "default", state: "failed", limit: 10 });
    expect(failed.map(({ id, attempts, dueAt, claim }) => [id, attempts, dueAt, claim])).toEqual([
      ["tried", [...tried, attempt], null, 1],
      ["e1-3", [attempt], null, 1],
    ]);
    expect(await store.dropOutbox(name, attempt, 10)).toBe(3);
    expect(await store.dropOutbox(name, attempt, 10)).toBe(0);
    expect(ids(await store.outbox({ workspace: "default", state: "waiting", limit: 10 }))).toEqual([
      "later",
      "e2-0",
    ]);
  });
}

function describeLists(open: Open): void {
  it("lists of messages are newest first and filtered by every part of a query", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, {
      outbox: [
        message("m1", { holdId: "h1", endpoint: "a" }),
        message("m2", { holdId: "h2", endpoint: "b", state: "failed", dueAt: null }),
        message("m3", { holdId: "h1", endpoint: "b", state: "sent", dueAt: null }),
        message("m4", { holdId: "h1", endpoint: "a", state: "failed", dueAt: null }),
        message("m5", { endpoint: "a", state: "no_channel", dueAt: null }),
        message("m1", { workspace: "other" }),
      ],
    });
    const list = async (query: Partial<Parameters<typeof store.outbox>[0]>) =>
      ids(await store.outbox({ workspace: "default", limit: 10, ...query }));
    expect(await list({})).toEqual(["m5", "m4", "m3", "m2", "m1"]);
    expect(await list({ limit: 2, before: "m5" })).toEqual(["m4", "m3"]);
    expect(await list({ endpoint: "a" })).toEqual(["m5", "m4", "m1"]);
    expect(await list({ holdId: "h1" })).toEqual(["m4", "m3", "m1"]);
    expect(await list({ holdId: "h1", before: "m4", limit: 1 })).toEqual(["m3"]);
    expect(await list({ holdId: "h1", state: "failed" })).toEqual(["m4"]);
    expect(await list({ state: "failed" })).toEqual(["m4", "m2"]);
    expect(await list({ state: "failed", endpoint: "b" })).toEqual(["m2"]);
    expect(await list({ state: "failed", before: "m4" })).toEqual(["m2"]);
    expect(await list({ state: "no_channel" })).toEqual(["m5"]);
    expect(await list({ state: "waiting" })).toEqual(["m1"]);
    expect(await list({ state: "sent", endpoint: "b" })).toEqual(["m3"]);
    expect(await list({ id: "m3" })).toEqual(["m3"]);
    expect(await list({ id: "m3", state: "waiting" })).toEqual([]);
    expect(await list({ id: "m3", holdId: "h1", endpoint: "b" })).toEqual(["m3"]);
    expect(await list({ id: "none" })).toEqual([]);
    expect(await list({ workspace: "other" })).toEqual(["m1"]);
  });
}

function describeForgetting(open: Open): void {
  it("forgetting a hold removes the recipients of its messages and nothing else", async () => {
    await using harness = await open();
    const { store } = harness;
    const notice = { kind: "notice", holdId: "h1", detail: { attempt: 2, to: "ann@example.com" } } as const;
    await commit(store, {
      outbox: [
        message("m1", { ...notice, state: "sent", dueAt: null }),
        message("m2", notice),
        message("m3", { ...notice, detail: { to: "ben@example.com" } }),
        message("m4", { ...notice, holdId: "h2" }),
        message("m5", { holdId: "h1" }),
        message("m1", { ...notice, workspace: "other" }),
      ],
    });
    await commit(store, { forget: [{ workspace: "default", holdId: "h1" }] });
    const details = async (workspace: string) =>
      (await store.outbox({ workspace, limit: 10 })).map(({ id, detail }) => [id, detail]);
    expect(await details("default")).toEqual([
      ["m5", {}],
      ["m4", notice.detail],
      ["m3", {}],
      ["m2", { attempt: 2 }],
      ["m1", { attempt: 2 }],
    ]);
    expect(await details("other")).toEqual([["m1", notice.detail]]);
    expect(ids(await store.claimOutbox(1000, 10, 10)), "waiting messages remain").toEqual([
      "m2",
      "m3",
      "m4",
      "m5",
      "m1",
    ]);
  });

  it("pruning deletes settled old messages, oldest first, up to a limit", async () => {
    await using harness = await open();
    const { store } = harness;
    const settled = { state: "sent", dueAt: null } as const;
    await commit(store, {
      outbox: [
        message("m1", { ...settled, createdAt: 30 }),
        message("m2", { ...settled, createdAt: 10 }),
        message("m3", { createdAt: 5 }),
        message("m4", { ...settled, state: "failed", createdAt: 20 }),
        message("m5", { ...settled, state: "no_channel", createdAt: 25, workspace: "other" }),
        message("m6", { ...settled, createdAt: 40 }),
      ],
    });
    expect(await store.pruneOutbox(40, 2)).toBe(2);
    expect(ids(await store.outbox({ workspace: "default", limit: 10 }))).toEqual(["m6", "m3", "m1"]);
    expect(await store.pruneOutbox(40, 10)).toBe(2);
    expect(await store.pruneOutbox(40, 10)).toBe(0);
    expect(ids(await store.outbox({ workspace: "default", limit: 10 }))).toEqual(["m6", "m3"]);
    expect(await store.outbox({ workspace: "other", limit: 10 })).toEqual([]);
  });
}
