import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { commit, event, holdBody, ids, indexes, key, placeHolds, put } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { Background } from "./background.ts";
import { startChild } from "./child.ts";
import { openHarness } from "./harness.ts";
import { openSqliteCopy, openSqliteStore } from "./open.ts";

const LARGE = "x".repeat(8000);

function manyHolds(count: number, members = {}) {
  return Array.from({ length: count }, (_, at) => {
    const id = `h${String(at).padStart(5, "0")}`;
    return put(key(id), 0, holdBody({ ask: { prompt: at === 3 ? "needle" : "hay" }, ...members }));
  });
}

describe("the background thread", () => {
  it("commits continue while a backup runs", async () => {
    await using harness = await openHarness(indexes);
    const { store } = harness;
    await commit(store, { puts: manyHolds(1500, { text: LARGE }) });
    const during: Promise<unknown>[] = [];
    await store.backup(harness.backupPath(), () => {
      during.push(commit(store, { events: [event("hold:during", during.length + 1)] }));
    });
    await Promise.all(during);
    expect(during.length).toBeGreaterThan(1);
    expect(await store.lastPosition()).toBe(during.length);
  });

  it("closing the store ends a running backup and leaves no partial file", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    const store = openSqliteStore({ path, indexes });
    await commit(store, { puts: manyHolds(1500, { text: LARGE }) });
    const refused = expect(store.backup(join(folder.path, "backup.db"))).rejects.toMatchObject({
      code: "store_closed",
    });
    await store.close();
    await refused;
    expect(readdirSync(folder.path)).toEqual(["holdpoint.db"]);
  });

  it("a search that reaches its time limit says where to continue until everything was searched", async () => {
    await using folder = await temporaryFolder();
    await using store = openSqliteStore({ path: join(folder.path, "holdpoint.db"), indexes, searchMs: 0 });
    await commit(store, { puts: manyHolds(4500) });
    const search = { workspace: "default", text: "needle", limit: 5 };
    const first = await store.searchHolds(search);
    expect(first).toEqual({ holds: [], resumeAfter: "h02500" });
    const second = await store.searchHolds({ ...search, after: "h02500" });
    expect(second).toEqual({ holds: [], resumeAfter: "h00500" });
    const last = await store.searchHolds({ ...search, after: "h00500" });
    expect([ids(last.holds), last.resumeAfter]).toEqual([["h00003"], null]);
  });

  it("a search within its time limit reads through many slices", async () => {
    await using harness = await openHarness(indexes);
    await commit(harness.store, { puts: manyHolds(4500) });
    const found = await harness.store.searchHolds({ workspace: "default", text: "NEEDLE", limit: 5 });
    expect([ids(found.holds), found.resumeAfter]).toEqual([["h00003"], null]);
  });

  it("the background thread is started again after it died", async () => {
    await using folder = await temporaryFolder();
    const file = pathToFileURL(join(folder.path, "dies.mjs"));
    writeFileSync(
      file,
      `import { parentPort } from "node:worker_threads";
       parentPort.on("message", ({ id, request }) => {
         if (request.now === 1) throw new Error("out of memory, say");
         parentPort.postMessage({ kind: "done", id, result: "alive" });
       });`,
    );
    const background = new Background({ path: "unused", searchMs: 1 }, file);
    await expect(background.ask({ kind: "census", now: 1 })).rejects.toMatchObject({
      message: "the store's background thread ended unexpectedly; repeat the request",
      cause: { message: "out of memory, say" },
    });
    expect(await background.ask({ kind: "census", now: 2 })).toBe("alive");
    await expect(background.ask({ kind: "census", now: 1 })).rejects.toThrow("ended");
    await background.close();
    await expect(background.ask({ kind: "census", now: 2 })).rejects.toMatchObject({ code: "store_closed" });
  });

  it("the background thread keeps the process alive only while it works", async () => {
    await using folder = await temporaryFolder();
    await using child = startChild("./idle.child.ts", join(folder.path, "holdpoint.db"));
    expect(await child.lines.next()).toMatchObject({ value: "answered" });
    expect(await child.lines.next()).toMatchObject({ done: true });
  });

  it("the background thread copies the write-ahead log into the file, and a clean close leaves one file", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    const store = openSqliteStore({ path, indexes });
    for (let at = 0; at < 3; at += 1) {
      await commit(store, { events: Array.from({ length: 1500 }, (_, seq) => event(`hold:${at}`, seq + 1)) });
    }
    await placeHolds(store, { h1: {} });
    // The thread answers in order, so the copies requested before are done now.
    expect((await store.census(0)).holds).toEqual({ open: 1 });
    expect(statSync(path).size).toBeGreaterThan(300_000);
    await store.close();
    expect(readdirSync(folder.path)).toEqual(["holdpoint.db"]);
    const copy = openSqliteCopy(path);
    expect(await copy.lastPosition()).toBe(4500);
    await copy.close();
  });
});
