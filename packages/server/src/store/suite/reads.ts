/** Loading, lists, the log and timers. */

import { describe, expect, it } from "vitest";
import { pagesOf } from "../../engine/log-pages.ts";
import type { EntityKey } from "../../kernel/entity.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { PAGE_LENGTH } from "../event-pages.ts";
import { LoadRoom } from "../load-room.ts";
import {
  commit,
  event,
  type Harness,
  holdBody,
  ids,
  key,
  placeHolds,
  put,
  type StoreUnderTest,
} from "./fixture.ts";

type Open = () => Promise<Harness>;

export function describeReads({ open }: StoreUnderTest, indexes: IndexTable): void {
  const opened = () => open(indexes);
  describe("loading", () => describeLoading(opened));
  describe("lists", () => describeLists(opened));
  describe("the log", () => describeLog(opened));
  describe("timers", () => describeTimers(opened));
}

function describeLoading(open: Open): void {
  it("load returns entities of several kinds and workspaces exactly as they were written", async () => {
    await using harness = await open();
    const { store } = harness;
    const body = {
      ...holdBody(),
      text: 'ü "quoted" \u0000 \u{1F600} \\',
      nested: { list: [1, 2.5, null, true] },
    };
    const odd = "bot\ninvoice \u0000 'x' \u{1F600}";
    await commit(store, {
      puts: [
        put(key("h1"), 0, body, { version: 3, seq: 2, head: "abc" }),
        put(key("h1", "hold", "other"), 0, holdBody()),
        put(key(odd, "hold_key"), 0, { holdId: "h1" }),
      ],
    });
    const found = await store.load([
      key("h1"),
      key("none"),
      key(odd, "hold_key"),
      key("h1", "group"),
      { ...key("h2"), read: true },
    ]);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ ...key("h1"), version: 3, seq: 2, head: "abc", body });
    expect(found).toContainEqual({
      ...key(odd, "hold_key"),
      version: 1,
      seq: 0,
      head: "",
      body: { holdId: "h1" },
    });
    expect(await store.load([])).toEqual([]);
  });

  it("a batch loads long rows in the order in which they were asked for until there is no room, and always the free ones", async () => {
    await using harness = await open();
    const { store } = harness;
    const long = (characters: number) => holdBody({ text: "x".repeat(characters) });
    await commit(store, {
      puts: [
        put(key("free"), 0, long(90_000)),
        put(key("c", "group"), 0, long(30_000)),
        put(key("a"), 0, long(30_000)),
        put(key("b", "group"), 0, long(70_000)),
        put(key("d"), 0, holdBody()),
      ],
    });
    const batch = await store.begin();
    const room = new LoadRoom(100_000);
    room.free = [key("free")];
    const load = (...keys: readonly EntityKey[]) => batch.load(keys, room).then(ids);
    expect((await load(key("free"), key("c", "group"), key("a"), key("none"))).toSorted()).toEqual([
      "a",
      "c",
      "free",
    ]);
    expect([room.isCut, room.takeRefused()]).toEqual([false, []]);
    expect(await load(key("b", "group"), key("d"))).toEqual([]);
    expect([room.isCut, room.takeRefused()]).toEqual([true, [key("b", "group"), key("d")]]);
    expect([await load(key("d")), room.takeRefused()]).toEqual([["d"], []]);
    room.free = [key("b", "group")];
    expect([await load(key("b", "group")), room.takeRefused()]).toEqual([["b"], []]);
    await batch.release();
  });

  it("a batch takes due timers, earliest first, while there is room for their rows; the others stay due", async () => {
    await using harness = await open();
    const { store } = harness;
    const body = holdBody({ text: "x".repeat(40_000) });
    const names = ["d", "c", "b", "a"];
    await commit(store, {
      puts: names.map((id) => put(key(id), 0, body)),
      timers: names.map((id, at) => ({ key: key(id), dueAt: at + 1 })),
    });
    const due = async (characters: number) => {
      const batch = await store.begin();
      const found = await batch.due(10, 10, new LoadRoom(characters));
      await batch.release();
      return found.map(({ key: { id }, entity }) => [id, entity !== undefined]);
    };
    expect(await due(100)).toEqual([["d", true]]);
    expect(await due(90_000)).toEqual([
      ["d", true],
      ["c", true],
      ["b", true],
    ]);
    expect(await due(900_000)).toHaveLength(4);
    expect(await store.dueTimers(10, 10)).toHaveLength(4);
  });

  it("find returns an entity by kind and id from any workspace", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, {
      puts: [
        put(key("k1", "api_key", "acme"), 0, { name: "ci" }),
        put(key("s1", "session", "other"), 0, { user: "Ann" }),
        put(key("h1", "hold", "acme"), 0, holdBody()),
      ],
    });
    expect(await store.find("api_key", "k1")).toEqual({
      ...key("k1", "api_key", "acme"),
      ...{ version: 1, seq: 0, head: "", body: { name: "ci" } },
    });
    expect(await store.find("session", "s1")).toMatchObject({ workspace: "other" });
    expect(await store.find("hold", "h1")).toMatchObject({ workspace: "acme", kind: "hold" });
    expect(await store.find("group", "k1")).toBeUndefined();
    expect(await store.find("hold", "h2")).toBeUndefined();
  });
}

function describeLists(open: Open): void {
  const INDEXES = {
    status: "open",
    creator: "bot",
    creator_status: "bot\u0000open",
    thread: "t1",
    intent: "i1",
    group: "g1",
    previous: "h0",
  } as const;

  for (const [name, value] of Object.entries(INDEXES)) {
    it(`lists of holds by ${name} page in both directions`, async () => {
      await using harness = await open();
      const { store } = harness;
      const linked = { thread: "t1", intent: "i1", group: "g1", previous: "h0" };
      const other = { creator: "other", status: "expired" };
      await placeHolds(store, { h3: linked, h1: linked, h2: other, h5: linked, h4: linked, h6: {} });
      await commit(store, { puts: [put(key("h7", "hold", "elsewhere"), 0, holdBody(linked))] });
      const expected =
        name === "status" || name.startsWith("creator")
          ? ["h1", "h3", "h4", "h5", "h6"]
          : ["h1", "h3", "h4", "h5"];
      const query = { workspace: "default", kind: "hold", index: { name, value } } as const;
      expect(ids(await store.query({ ...query, limit: 10 }))).toEqual(expected);
      expect(ids(await store.query({ ...query, limit: 2, after: "h1" }))).toEqual(["h3", "h4"]);
      expect(ids(await store.query({ ...query, limit: 10, newestFirst: true }))).toEqual(
        expected.toReversed(),
      );
      expect(ids(await store.query({ ...query, limit: 2, newestFirst: true, after: "h5" }))).toEqual([
        "h4",
        "h3",
      ]);
      expect(await store.query({ ...query, index: { name, value: "nobody\u0000none" }, limit: 10 })).toEqual(
        [],
      );
    });
  }

  it("lists of holds by creator or workspace contain all statuses in order of id", async () => {
    await using harness = await open();
    const { store } = harness;
    const [open1, decided, expired] = [{ status: "open" }, { status: "decided" }, { status: "expired" }];
    await placeHolds(store, { h1: open1, h2: decided, h3: expired, h4: open1, h5: decided, h6: decided });
    await placeHolds(store, { h7: { creator: "other", status: "cancelled" } });
    const query = { workspace: "default", kind: "hold", newestFirst: true, limit: 4 } as const;
    const index = { name: "creator", value: "bot" };
    expect(ids(await store.query({ ...query, index }))).toEqual(["h6", "h5", "h4", "h3"]);
    expect(ids(await store.query({ ...query, index, after: "h5" }))).toEqual(["h4", "h3", "h2", "h1"]);
    expect(ids(await store.query({ ...query, index, newestFirst: false }))).toEqual(["h1", "h2", "h3", "h4"]);
    expect(ids(await store.query(query))).toEqual(["h7", "h6", "h5", "h4"]);
    expect(ids(await store.query({ ...query, newestFirst: false, after: "h4" }))).toEqual(["h5", "h6", "h7"]);
  });

  it("lists follow a changed index value and leave out deleted entities", async () => {
    await using harness = await open();
    const { store } = harness;
    await placeHolds(store, { h1: { thread: "t1" } });
    await commit(store, {
      puts: [put(key("l1", "group"), 0, { thread: "h1" }), put(key("l2", "group"), 0, { thread: "h1" })],
    });
    await commit(store, {
      puts: [
        put(key("h1"), 1, holdBody({ status: "decided" })),
        put(key("l1", "group"), 1, { thread: "h2" }),
        put(key("l2", "group"), 1, {}),
      ],
    });
    const list = async (kind: "hold" | "group", name: string, value: string) =>
      ids(await store.query({ workspace: "default", kind, index: { name, value }, limit: 5 }));
    expect(await list("hold", "status", "open")).toEqual([]);
    expect(await list("hold", "status", "decided")).toEqual(["h1"]);
    expect(await list("hold", "thread", "t1")).toEqual([]);
    expect(await list("group", "thread", "h1")).toEqual([]);
    expect(await list("group", "thread", "h2")).toEqual(["l1"]);
    await commit(store, { puts: [put(key("l1", "group"), 2, null), put(key("h1"), 2, null)] });
    expect(await list("group", "thread", "h2")).toEqual([]);
    expect(await list("hold", "status", "decided")).toEqual([]);
  });

  it("lists of other kinds page by id, with and without an index, within one workspace", async () => {
    await using harness = await open();
    const { store } = harness;
    const groups = ["l1", "l2", "l3", "l4"];
    await commit(store, {
      puts: [
        ...groups.map((id) => put(key(id, "group"), 0, { thread: id === "l2" ? "h2" : "h1" })),
        put(key("l5", "group", "other"), 0, { thread: "h1" }),
        put(key("p1", "person"), 0, {}),
      ],
    });
    const query = { workspace: "default", kind: "group", limit: 2 } as const;
    const index = { name: "thread", value: "h1" };
    expect(ids(await store.query(query))).toEqual(["l1", "l2"]);
    expect(ids(await store.query({ ...query, after: "l2" }))).toEqual(["l3", "l4"]);
    expect(ids(await store.query({ ...query, newestFirst: true }))).toEqual(["l4", "l3"]);
    expect(ids(await store.query({ ...query, newestFirst: true, after: "l2" }))).toEqual(["l1"]);
    expect(ids(await store.query({ ...query, index }))).toEqual(["l1", "l3"]);
    expect(ids(await store.query({ ...query, index, after: "l1" }))).toEqual(["l3", "l4"]);
    expect(ids(await store.query({ ...query, index, newestFirst: true, after: "l4" }))).toEqual(["l3", "l1"]);
  });

  it("lists with a prefix page by id, and a prefix is refused for holds and with an index", async () => {
    await using harness = await open();
    const { store } = harness;
    const names = [
      "h",
      "h1",
      "h1.",
      "h1.a",
      "h1.b",
      "h1.\u{1F600}",
      "h1/",
      "h10.a",
      "h2.a",
      "\u0001.a",
      "\u0001a",
    ];
    await commit(store, {
      puts: [
        ...names.map((id) => put(key(id, "person"), 0, {})),
        put(key("h1.c", "person", "other"), 0, {}),
        put(key("h1.c", "webhook"), 0, {}),
      ],
    });
    const query = { workspace: "default", kind: "person", prefix: "h1.", limit: 3 } as const;
    expect(ids(await store.query(query))).toEqual(["h1.", "h1.a", "h1.b"]);
    expect(ids(await store.query({ ...query, after: "h1.b" }))).toEqual(["h1.\u{1F600}"]);
    expect(ids(await store.query({ ...query, newestFirst: true, after: "h1.b" }))).toEqual(["h1.a", "h1."]);
    expect(ids(await store.query({ ...query, newestFirst: true, limit: 1 }))).toEqual(["h1.\u{1F600}"]);
    expect(ids(await store.query({ ...query, prefix: "\u0001." }))).toEqual(["\u0001.a"]);
    await expect(store.query({ ...query, kind: "hold" })).rejects.toThrow("prefix");
    const index = { name: "thread", value: "t" };
    await expect(store.query({ ...query, kind: "group", index })).rejects.toThrow("prefix");
  });

  it("lists order ids by code point", async () => {
    await using harness = await open();
    const { store } = harness;
    const sorted = ["A", "a", "a\u0001", "ab", "é", "\uFB00", "\u{1F600}", "\u{1F601}"];
    await commit(store, { puts: sorted.toReversed().map((id) => put(key(id, "person"), 0, {})) });
    expect(ids(await store.query({ workspace: "default", kind: "person", limit: 10 }))).toEqual(sorted);
  });

  it("a list by an undeclared index is refused", async () => {
    await using harness = await open();
    const query = {
      workspace: "default",
      kind: "person",
      index: { name: "age", value: "7" },
      limit: 1,
    } as const;
    await expect(harness.store.query(query)).rejects.toThrow("declares no index age");
  });
}

function describeLog(open: Open): void {
  const places = (found: readonly StoredEvent[]) => found.map(({ stream, seq }) => `${stream}/${seq}`);

  it("the log returns events unchanged, filtered by every part of a query", async () => {
    await using harness = await open();
    const { store } = harness;
    const decided = {
      type: "hold.decided",
      audience: "bot",
      data: '{"a":1}',
      previous: "p",
      actor: "link:l1",
      at: 7,
    };
    const { positions } = await commit(store, {
      events: [event("hold:a", 1, { audience: "bot" }), event("hold:b", 1), event("hold:a", 2, decided)],
    });
    await commit(store, { events: [event("hold:a", 1, { workspace: "other", audience: "bot" })] });
    const all = { after: 0, limit: 10 };
    expect(
      await store.events({ ...all, workspace: "default", stream: "hold:a", types: ["hold.decided"] }),
    ).toEqual([{ ...event("hold:a", 2, decided), position: positions[2] }]);
    expect(places(await store.events({ ...all, workspace: "default" }))).toEqual([
      "hold:a/1",
      "hold:b/1",
      "hold:a/2",
    ]);
    expect(places(await store.events({ ...all, workspace: "default", stream: "hold:a" }))).toEqual([
      "hold:a/1",
      "hold:a/2",
    ]);
    expect(await store.events({ ...all, stream: "hold:a" })).toHaveLength(3);
    expect(await store.events({ ...all, audience: "bot" })).toHaveLength(3);
    expect(await store.events({ ...all, workspace: "default", audience: "nobody" })).toEqual([]);
    expect(await store.events({ ...all, types: ["hold.placed", "hold.decided"] })).toHaveLength(4);
    expect(await store.events({ ...all, types: [] })).toEqual([]);
    const [, second = 0, third = 0] = positions;
    expect(places(await store.events({ ...all, after: second, upTo: third }))).toEqual(["hold:a/2"]);
    const stream = { ...all, workspace: "default", stream: "hold:a", after: second };
    expect(places(await store.events(stream))).toEqual(["hold:a/2"]);
    expect(await store.events({ ...stream, upTo: second })).toEqual([]);
    expect(places(await store.events({ ...stream, after: 0, afterSeq: 1 }))).toEqual(["hold:a/2"]);
    expect(places(await store.events({ ...all, afterSeq: 1 }))).toEqual(["hold:a/2"]);
    expect(await store.events({ ...stream, after: 0, afterSeq: 2 })).toEqual([]);
    expect(places(await store.events({ ...all, limit: 2 }))).toEqual(["hold:a/1", "hold:b/1"]);
    expect(await store.events({ ...all, limit: 2, after: 1_000_000 })).toEqual([]);
  });

  it("G13 a page of the log ends where its events are long, and the pages together have all of them", async () => {
    await using harness = await open();
    const { store } = harness;
    const long = (length: number) => ({ data: JSON.stringify({ text: "\u00e4".repeat(length) }) });
    const lengths = [10, PAGE_LENGTH / 2 - 1_000, 10, PAGE_LENGTH * 2, 10, PAGE_LENGTH / 2, PAGE_LENGTH, 10];
    await commit(store, { events: lengths.map((length, at) => event("hold:a", at + 1, long(length))) });
    const of = [{ workspace: "default", stream: "hold:a" }, {}];
    for (const query of of) {
      const pages: (readonly StoredEvent[])[] = [];
      for await (const page of pagesOf(store, { ...query, after: 0, limit: 1_000 })) pages.push(page);
      expect(places(pages.flat())).toEqual(lengths.map((_, at) => `hold:a/${at + 1}`));
      // Some stores count bytes, of which such a letter has two.
      expect(pages.length).toBeGreaterThan(2);
      for (const page of pages) {
        const others = page.slice(0, -1).reduce((sum, { data }) => sum + data.length, 0);
        expect(others).toBeLessThan(PAGE_LENGTH);
      }
      const some: string[] = [];
      for await (const page of pagesOf(store, { ...query, after: 1, limit: 4 })) some.push(...places(page));
      expect(some).toEqual(["hold:a/2", "hold:a/3", "hold:a/4", "hold:a/5"]);
    }
    const scanned: StoredEvent[] = [];
    for await (const page of store.scan({ after: 0, upTo: 8 })) scanned.push(...page);
    expect(scanned).toHaveLength(8);
  });

  it("the log finds few matching events among many and returns full pages", async () => {
    await using harness = await open();
    const { store } = harness;
    const rare = (at: number) => at % 1500 === 1499;
    const events = Array.from({ length: 7500 }, (_, at) =>
      event(`hold:${at}`, 1, rare(at) ? { audience: "bot", type: "hold.decided" } : {}),
    );
    await commit(store, { events });
    const query = { after: 0, limit: 3, audience: "bot", types: ["hold.decided"] };
    expect(places(await store.events(query))).toEqual(["hold:1499/1", "hold:2999/1", "hold:4499/1"]);
    expect(await store.events({ ...query, limit: 2 })).toHaveLength(2);
    expect(await store.events({ ...query, upTo: 3000 })).toHaveLength(2);
    const pages: (readonly StoredEvent[])[] = [];
    for await (const page of store.scan({ after: 10, upTo: 7400 })) pages.push(page);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ position }) => position)).toEqual(
      Array.from({ length: 7390 }, (_, at) => at + 11),
    );
    const some: StoredEvent[] = [];
    for await (const page of store.scan({ after: 0, audience: "bot", workspace: "default" }))
      some.push(...page);
    expect(some).toHaveLength(5);
    const none = [];
    for await (const page of store.scan({ after: 0, workspace: "default", stream: "hold:none" }))
      none.push(page);
    expect(none).toEqual([]);
  });
}

function describeTimers(open: Open): void {
  it("timers are due earliest first, and each entity has one", async () => {
    await using harness = await open();
    const { store } = harness;
    expect(await store.nextTimerAt()).toBeNull();
    await commit(store, {
      timers: [
        { key: key("b"), dueAt: 300 },
        { key: key("a", "link"), dueAt: 300 },
        { key: key("c", "hold", "acme"), dueAt: 300 },
        { key: key("a"), dueAt: 200 },
        { key: key("d"), dueAt: 400 },
      ],
    });
    expect(await store.nextTimerAt()).toBe(200);
    expect(await store.dueTimers(300, 10)).toEqual([
      { key: key("a"), dueAt: 200 },
      { key: key("c", "hold", "acme"), dueAt: 300 },
      { key: key("b"), dueAt: 300 },
      { key: key("a", "link"), dueAt: 300 },
    ]);
    expect(await store.dueTimers(300, 1)).toEqual([{ key: key("a"), dueAt: 200 }]);
    await commit(store, {
      timers: [
        { key: key("a"), dueAt: 500 },
        { key: key("b"), dueAt: null },
        { key: key("none"), dueAt: null },
      ],
    });
    expect((await store.dueTimers(1000, 10)).map((timer) => [timer.key.id, timer.dueAt])).toEqual([
      ["c", 300],
      ["a", 300],
      ["d", 400],
      ["a", 500],
    ]);
    expect(await store.nextTimerAt()).toBe(300);
  });
}
