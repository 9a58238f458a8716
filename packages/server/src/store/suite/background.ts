/** Work that must not delay commits: search, census, backup. */

import { describe, expect, it } from "vitest";
import type { IndexTable } from "../../kernel/table.ts";
import {
  commit,
  event,
  type Harness,
  holdBody,
  ids,
  key,
  message,
  placeHolds,
  put,
  readAll,
  type StoreUnderTest,
} from "./fixture.ts";

type Open = () => Promise<Harness>;

export function describeBackground({ open }: StoreUnderTest, indexes: IndexTable): void {
  const opened = () => open(indexes);
  describe("searching holds", () => describeSearch(opened));
  describe("the census", () => describeCensus(opened));
  describe("a backup", () => describeBackup(opened));
}

function describeSearch(open: Open): void {
  const ask = (prompt: string, more = {}) => ({ ask: { prompt }, ...more });
  const askAbout = (context: unknown) => ({ ask: { prompt: "Go on?", context } });

  it("a search finds a part of prompt, context, key or id, regardless of case", async () => {
    await using harness = await open();
    const { store } = harness;
    await placeHolds(store, {
      h1: ask("Refund 50% of ORDER_7?", { key: "refund:7" }),
      h2: ask("Überweisung an ΟΔΟΣ freigeben?"),
      h3: { ask: null, key: "Deploy:Web", status: "decided" },
      h4: ask("Ship it?", { creator: "other", metadata: { note: "refund" } }),
      needle5: ask("Ship it?"),
      h6: askAbout({ customer: { name: 'Zoë "Z" Ångström' }, orders: [{ total: 1299.5 }] }),
      h7: askAbout("a text\u0000with what no database likes"),
      h8: askAbout([]),
    });
    await commit(store, { puts: [put(key("h9", "hold", "acme"), 0, holdBody(ask("refund")))] });
    const search = async (text: string, more = {}) =>
      ids((await store.searchHolds({ workspace: "default", text, limit: 10, ...more })).holds);
    expect(await search("refund")).toEqual(["h1"]);
    expect(await search("order_7")).toEqual(["h1"]);
    expect(await search("50%")).toEqual(["h1"]);
    expect(await search("überWEIS")).toEqual(["h2"]);
    expect(await search("οδοσ")).toEqual(["h2"]);
    expect(await search("deploy:w")).toEqual(["h3"]);
    expect(await search("NEEDLE")).toEqual(["needle5"]);
    expect(await search("ship")).toEqual(["needle5", "h4"]);
    expect(await search("ship", { creator: "other" })).toEqual(["h4"]);
    expect(await search("", { status: "decided" })).toEqual(["h3"]);
    expect(await search('zoë "z" ång')).toEqual(["h6"]);
    expect(await search("1299.5")).toEqual(["h6"]);
    expect(await search("customer")).toEqual(["h6"]);
    expect(await search("text\u0000with")).toEqual(["h7"]);
    expect(await search("ship", { creator: "other", status: "open" })).toEqual(["h4"]);
    expect(await search("ship", { creator: "other", status: "decided" })).toEqual([]);
    const page = await store.searchHolds({ workspace: "default", text: "refund:7", limit: 10 });
    expect(page.holds).toEqual(await store.load([key("h1")]));
  });

  it("a search continues where the page before ended", async () => {
    await using harness = await open();
    const { store } = harness;
    const holds = Array.from({ length: 5 }, (_, at) => [`h${at}`, ask("Pay?")] as const);
    await placeHolds(store, Object.fromEntries(holds));
    const search = { workspace: "default", text: "pay", limit: 2 };
    const first = await store.searchHolds(search);
    expect([ids(first.holds), first.resumeAfter]).toEqual([["h4", "h3"], "h3"]);
    const second = await store.searchHolds({ ...search, after: "h3" });
    expect([ids(second.holds), second.resumeAfter]).toEqual([["h2", "h1"], "h1"]);
    const third = await store.searchHolds({ ...search, after: "h1" });
    expect([ids(third.holds), third.resumeAfter]).toEqual([["h0"], null]);
  });
}

function describeCensus(open: Open): void {
  it("the census of an empty store counts nothing", async () => {
    await using harness = await open();
    expect(await harness.store.census(0)).toEqual({
      holds: {},
      openByAge: { minute: 0, hour: 0, day: 0, week: 0, older: 0 },
      oldestOpenAt: null,
      outboxWaiting: 0,
      outboxOldestDueAt: null,
      timersOldestDueAt: null,
    });
  });

  it("the census counts over all workspaces", async () => {
    await using harness = await open();
    const { store } = harness;
    const now = 1_000_000_000;
    const openSince = (ageMs: number) => ({ createdAt: now - ageMs });
    await placeHolds(store, {
      h1: openSince(59_999),
      h2: openSince(60_000),
      h3: openSince(3_600_000),
      h4: openSince(86_400_000),
      h5: openSince(604_800_000),
      h6: { status: "decided", createdAt: 1 },
    });
    await commit(store, {
      puts: [put(key("h7", "hold", "acme"), 0, holdBody(openSince(5)))],
      timers: [
        { key: key("h1"), dueAt: 70 },
        { key: key("h2"), dueAt: 60 },
      ],
      outbox: [
        message("m1", { dueAt: 50 }),
        message("m2", { dueAt: 40 }),
        message("m3", { state: "sent", dueAt: null }),
      ],
    });
    expect(await store.census(now)).toEqual({
      holds: { open: 6, decided: 1 },
      openByAge: { minute: 2, hour: 1, day: 1, week: 1, older: 1 },
      oldestOpenAt: now - 604_800_000,
      outboxWaiting: 2,
      outboxOldestDueAt: 40,
      timersOldestDueAt: 60,
    });
  });
}

function describeBackup(open: Open): void {
  it("a backup is one file with everything committed before it, and can be read while the store runs", async () => {
    await using harness = await open();
    const { store } = harness;
    await placeHolds(store, { h1: {}, h2: { status: "decided" } });
    await commit(store, {
      puts: [put(key("l1", "group"), 0, { thread: "h1" })],
      events: [event("hold:h1", 1), event("hold:h2", 1), event("hold:h2", 2)],
    });
    const path = harness.backupPath();
    const shares: number[] = [];
    await store.backup(path, (share) => shares.push(share));
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const expected = await store.load([key("h1")]);
    await commit(store, {
      puts: [put(key("h1"), 1, holdBody({ status: "decided" }))],
      events: [event("hold:h1", 2)],
    });

    const copy = await harness.openCopy(path);
    expect(await copy.load([key("h1"), key("none")])).toEqual(expected);
    expect(await copy.find("group", "l1")).toMatchObject({ workspace: "default" });
    expect(await copy.query({ workspace: "default", kind: "hold", limit: 5 })).toHaveLength(2);
    expect(await copy.lastPosition()).toBe(3);
    expect(await copy.events({ workspace: "default", stream: "hold:h2", after: 0, limit: 5 })).toHaveLength(
      2,
    );
    const pages = [];
    for await (const page of copy.scan({ after: 1 })) pages.push(...page);
    expect(pages.map(({ seq }) => seq)).toEqual([1, 2]);
    await copy.close();
  });

  it("a backup never replaces an existing file", async () => {
    await using harness = await open();
    const { store } = harness;
    const path = harness.backupPath();
    const results = await Promise.allSettled([store.backup(path), store.backup(path)]);
    // Either of the two may come first.
    expect(results.toSorted((one, other) => one.status.localeCompare(other.status))).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "backup_exists" } },
    ]);
    await expect(store.backup(path)).rejects.toMatchObject({
      name: "StoreError",
      code: "backup_exists",
      details: { path },
    });
  });

  it("a backup that cannot be written fails, and the store keeps working", async () => {
    await using harness = await open();
    const { store } = harness;
    await placeHolds(store, { h1: {} });
    const before = await readAll(store);
    await expect(store.backup(`${harness.backupPath()}/no/such/folder`)).rejects.toThrow();
    expect(await readAll(store)).toEqual(before);
  });
}
