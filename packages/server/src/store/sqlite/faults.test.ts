/**
 * A full disk, a broken disk or a foreign lock fails a commit without writing anything, and the store keeps working
 * (S1).
 */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { commit, event, holdBody, indexes, key, message, put, readAll } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { Background } from "./background.ts";
import { connectWriter } from "./connect.ts";
import { hasRoom } from "./faults.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { SqliteStore } from "./sqlite-store.ts";

interface Opened extends AsyncDisposable {
  readonly path: string;
  readonly db: DatabaseSync;
  readonly store: SqliteStore;
}

/** Opens a store whose connection the test can use. */
async function openWithConnection(): Promise<Opened> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  const db = connectWriter(path);
  migrate(db, path, readMigrations());
  const store = new SqliteStore(db, new Background({ path, searchMs: 1000 }), indexes);
  const dispose = async () => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  };
  return { path, db, store, [Symbol.asyncDispose]: dispose };
}

function numberOf(db: DatabaseSync, pragma: string): number {
  return Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] as number;
}

describe("S1 a commit", () => {
  it("a commit on a full disk writes nothing, and succeeds once there is space", async () => {
    await using opened = await openWithConnection();
    const { db, store } = opened;
    await commit(store, { puts: [put(key("h0"), 0, holdBody())], outbox: [message("m0")] });
    const before = await readAll(store);
    db.exec(`PRAGMA max_page_count = ${numberOf(db, "page_count") + 2}`);
    const large = {
      puts: Array.from({ length: 50 }, (_, at) =>
        put(key(`h${at + 1}`), 0, holdBody({ text: "x".repeat(4000) })),
      ),
      events: [event("hold:h1", 1)],
    };
    const fault = await commit(store, large).catch((cause) => cause);
    // By this name faces recognise that a retry helps.
    expect(fault).toMatchObject({ name: "StoreUnavailable", message: expect.stringContaining("full") });
    expect(db.isTransaction).toBe(false);
    expect(await readAll(store)).toEqual(before);
    const claimed = await store.claimOutbox(1000, 10, 1);
    expect(claimed).toHaveLength(1);
    db.exec("PRAGMA max_page_count = 1000000");
    await commit(store, large);
    expect(await store.query({ workspace: "default", kind: "hold", limit: 100 })).toHaveLength(51);
  });

  it("a failed write makes the store not writable until a test write succeeds", async () => {
    await using opened = await openWithConnection();
    const { db, store } = opened;
    const changes = { puts: [put(key("h1"), 0, holdBody())] };
    expect(await store.isWritable()).toBe(true);
    db.exec("PRAGMA query_only = ON");
    await expect(commit(store, changes)).rejects.toMatchObject({ name: "StoreUnavailable" });
    expect(await store.isWritable()).toBe(false);
    db.exec("PRAGMA query_only = OFF");
    const schema = numberOf(db, "user_version");
    expect(await store.isWritable()).toBe(true);
    expect(numberOf(db, "user_version")).toBe(schema);
  });

  it("hasRoom reads the free space of the file system", async () => {
    await using opened = await openWithConnection();
    expect(hasRoom(opened.path)).toBe(true);
    expect(hasRoom(opened.path, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it("a commit on a file that another process has locked writes nothing, and succeeds once it is unlocked", async () => {
    await using opened = await openWithConnection();
    const { db, store, path } = opened;
    db.exec("PRAGMA busy_timeout = 0");
    const stranger = new DatabaseSync(path);
    stranger.exec("BEGIN IMMEDIATE");
    const changes = { puts: [put(key("h1"), 0, holdBody())] };
    const fault = await commit(store, changes).catch((cause) => cause);
    expect(fault).toMatchObject({ name: "StoreUnavailable", message: expect.stringContaining("locked") });
    stranger.exec("ROLLBACK");
    stranger.close();
    expect(await store.load([key("h1")])).toEqual([]);
    await commit(store, changes);
    expect(await store.load([key("h1")])).toHaveLength(1);
  });

  it("a commit rejects if its connection is closed", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    const db = connectWriter(path);
    migrate(db, path, readMigrations());
    const store = new SqliteStore(db, new Background({ path, searchMs: 1000 }), indexes);
    db.close();
    await expect(commit(store, { puts: [put(key("h1"), 0, holdBody())] })).rejects.toThrow("not open");
    await expect(commit(store, { puts: [put(key("h1"), 0, holdBody())] })).rejects.toThrow("not open");
  });

  it("a commit is synced to disk, also after outbox writes that were not synced or that failed", async () => {
    await using opened = await openWithConnection();
    const { db, store, path } = opened;
    const FULL = 2;
    expect(numberOf(db, "synchronous")).toBe(FULL);
    await commit(store, { outbox: [message("m1")] });
    const [row] = await store.claimOutbox(1000, 10, 1);
    expect(numberOf(db, "synchronous")).toBe(FULL);
    if (row === undefined) throw new Error("nothing to claim");
    await store.settleOutbox({ ...row, state: "sent", dueAt: null });
    expect(numberOf(db, "synchronous")).toBe(FULL);
    db.exec("PRAGMA busy_timeout = 0");
    const stranger = new DatabaseSync(path);
    stranger.exec("BEGIN IMMEDIATE");
    await expect(store.claimOutbox(1000, 10, 1)).rejects.toThrow("locked");
    stranger.close();
    expect(numberOf(db, "synchronous")).toBe(FULL);
  });
});

describe("the writer's connection", () => {
  it("the writer uses a write-ahead log, checks references and overwrites erased content", async () => {
    await using opened = await openWithConnection();
    const { db } = opened;
    expect(numberOf(db, "journal_mode")).toBe("wal");
    expect(numberOf(db, "foreign_keys")).toBe(1);
    const FAST = 2;
    expect(numberOf(db, "secure_delete")).toBe(FAST);
    expect(numberOf(db, "page_size")).toBe(4096);
  });
});

describe("the index of a hold by creator and status", () => {
  it("a hold whose creator_status differs from its creator and status is refused", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    const db = connectWriter(path);
    migrate(db, path, readMigrations());
    const background = new Background({ path, searchMs: 1000 });
    await using store = new SqliteStore(db, background, {
      indexNames: indexes.indexNames,
      indexValues: () => ({ status: "open", creator: "bot", creator_status: "bot open" }),
    });
    await expect(commit(store, { puts: [put(key("h1"), 0, holdBody())] })).rejects.toThrow("creator_status");
  });
});
