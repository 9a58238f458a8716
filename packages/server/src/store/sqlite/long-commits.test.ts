/** Long commits are written by a thread of their own, so that the server goes on meanwhile (G13), and are as whole as others (S1). */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { commit, event, holdBody, ids, indexes, key, message, put, readAll } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { Background } from "./background.ts";
import type { CommitPiece } from "./commit-worker.ts";
import { Committer } from "./committer.ts";
import { connectWriter } from "./connect.ts";
import { openHarness } from "./harness.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { openSqliteStore } from "./open.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { Statements } from "./statements.ts";
import { WorkerThread, workerFile } from "./worker-thread.ts";
import { WriteList, type Written } from "./writes.ts";

/** Eight MiB in sixteen rows. */
const LONG = Array.from({ length: 16 }, (_, at) =>
  put(key(`long${String(at).padStart(2, "0")}`), 0, holdBody({ text: "x".repeat(512 * 1024) })),
);
const HOLDS = { workspace: "default", kind: "hold", limit: 100 } as const;

describe("a long commit", () => {
  it("a long commit leaves turns of the event loop to others until it is on disk, and they do not see it before (G2, G13)", async () => {
    await using harness = await openHarness(indexes);
    const { store } = harness;
    let isCommitted = false;
    const committed = commit(store, { puts: LONG, events: [event("hold:long00", 1)] }).finally(() => {
      isCommitted = true;
    });
    const seen = new Set<number>();
    let turns = 0;
    for (; !isCommitted; turns += 1) {
      seen.add((await store.query(HOLDS)).length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await committed).positions).toEqual([1]);
    // One for each piece at least; a commit on this thread leaves none.
    expect(turns).toBeGreaterThan(8);
    expect([...seen].filter((count) => count !== 0 && count !== LONG.length)).toEqual([]);
    expect(await store.query(HOLDS)).toHaveLength(LONG.length);
  });

  it("messages are claimed, settled and renewed while a long commit is written, without an error from the locked file", async () => {
    await using harness = await openHarness(indexes);
    const { store } = harness;
    await commit(store, { outbox: [message("m1"), message("m2")] });
    const committing = commit(store, { puts: LONG });
    await new Promise((resolve) => setImmediate(resolve));
    const [row, other] = await store.claimOutbox(1000, 10, 2);
    if (row === undefined || other === undefined) throw new Error("two messages are due");
    expect(await store.settleOutbox({ ...row, state: "sent", dueAt: null }, 1000)).toBe(true);
    expect(await store.renewOutbox([other], 2000)).toEqual([true]);
    await committing;
    expect(await store.query(HOLDS)).toHaveLength(LONG.length);
  });

  it("a long commit whose last put lost against another writer changes nothing, and the next one is written", async () => {
    await using harness = await openHarness(indexes);
    const { store } = harness;
    await commit(store, { puts: [put(key("old"), 0, holdBody())] });
    const before = await readAll(store);
    const late = put(key("old"), 7, holdBody({ status: "decided" }));
    await expect(commit(store, { puts: [...LONG, late] })).rejects.toMatchObject({
      name: "VersionConflict",
      key: key("old"),
    });
    expect(await readAll(store)).toEqual(before);
    await commit(store, { puts: LONG });
    expect(await store.query(HOLDS)).toHaveLength(LONG.length + 1);
  });

  it("a long commit with an event whose number is taken changes nothing, and the store keeps working", async () => {
    await using harness = await openHarness(indexes);
    const { store } = harness;
    await commit(store, { events: [event("hold:h1", 1)] });
    const before = await readAll(store);
    await expect(commit(store, { puts: LONG, events: [event("hold:h1", 1)] })).rejects.toThrow("UNIQUE");
    expect(await readAll(store)).toEqual(before);
    await commit(store, { puts: LONG, events: [event("hold:h1", 2)] });
    expect(await store.query(HOLDS)).toHaveLength(LONG.length);
  });

  it("a row that was changed by a long commit is read as it was committed", async () => {
    await using harness = await openHarness(indexes);
    const { store } = harness;
    await commit(store, { puts: [put(key("small"), 0, holdBody({ text: "before" }))] });
    await commit(store, { puts: [...LONG, put(key("small"), 1, holdBody({ text: "after" }))] });
    expect(await store.load([key("small")])).toMatchObject([{ version: 2, body: { text: "after" } }]);
  });

  it("closing the store waits until a long commit is on disk", async () => {
    await using harness = await openHarness(indexes);
    const committing = commit(harness.store, { puts: LONG });
    await new Promise((resolve) => setImmediate(resolve));
    await harness.store.close();
    await committing;
    expect(ids(await (await harness.reopen()).query(HOLDS))).toHaveLength(LONG.length);
  });
});

it("the commit thread never writes the rest of a commit without its beginning, nor what an abandoned one began (S1)", async () => {
  await using folder = await temporaryFolder();
  await using store = openSqliteStore({ path: join(folder.path, "some.db"), indexes });
  const setup = { path: join(folder.path, "some.db") };
  const file = workerFile("commit-worker");
  const thread = new WorkerThread<CommitPiece, Written>({ file, setup, whenDead: "dead" });
  const timer = (id: string): CommitPiece["flat"] => ["set_timer", "default", "hold", id, 1];
  const [first, last] = [
    { isFirst: true, isLast: false },
    { isFirst: false, isLast: true },
  ];
  await expect(thread.ask({ flat: timer("rest"), ...last })).rejects.toThrow("pieces before");
  await thread.ask({ flat: timer("abandoned"), ...first });
  await thread.ask({ flat: timer("whole"), ...first });
  await thread.ask({ flat: timer("whole too"), ...last });
  await thread.close();
  const due = await store.dueTimers(1, 10);
  expect(due.map(({ key: { id } }) => id)).toEqual(["whole", "whole too"]);
});

it("a long commit fails with a message that says so if its thread dies, and the next one starts another thread", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "some.db");
  const dying = join(folder.path, "dying.mjs");
  writeFileSync(
    dying,
    `import { parentPort } from "node:worker_threads"; parentPort.once("message", () => process.exit(1));`,
  );
  const db = connectWriter(path);
  const committer = new Committer(db, new Statements(db), path, pathToFileURL(dying));
  for (let time = 0; time < 2; time += 1) {
    const list = new WriteList();
    for (const each of ["a", "b"]) list.add("clear_timer", "default", "hold", each.repeat(2 * 1024 * 1024));
    await expect(committer.commit(list)).rejects.toThrow("commit thread ended unexpectedly");
  }
  await committer.close();
  db.close();
});

it("a long commit counts if its thread dies after it was written, and not if it died before (S1)", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "some.db");
  const program = join(folder.path, "dying.mjs");
  // It ends instead of answering the last piece, whose transaction is committed by then, or at once.
  const dies = (when: "after" | "before") =>
    writeFileSync(
      program,
      `import { parentPort } from "node:worker_threads";
      let isLast = false;
      const on = parentPort.on.bind(parentPort);
      parentPort.on = (name, listen) => on(name, (message) => {
        isLast = message.request?.isLast === true;
        if (isLast && "${when}" === "before") process.exit(1);
        listen(message);
      });
      const answer = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (message) => (isLast ? process.exit(1) : answer(message));
      await import(${JSON.stringify(workerFile("commit-worker").href)});`,
    );
  const db = connectWriter(path);
  migrate(db, path, readMigrations());
  const background = new Background({ path, searchMs: 1000 });
  await using store = new SqliteStore(db, background, indexes, pathToFileURL(program));
  await commit(store, { events: [event("hold:other", 1)] });
  dies("before");
  await expect(commit(store, { puts: LONG, events: [event("hold:long00", 1)] })).rejects.toThrow(
    "ended unexpectedly",
  );
  expect(await store.query(HOLDS)).toEqual([]);
  dies("after");
  expect(await commit(store, { puts: LONG, events: [event("hold:long00", 1)] })).toEqual({ positions: [2] });
  expect(await store.query(HOLDS)).toHaveLength(LONG.length);
});

it("a commit of one very long row, and nothing after it, goes to the commit thread too (G13)", () => {
  const list = new WriteList();
  list.add("clear_timer", "default", "hold", "x");
  expect(list.isLong).toBe(false);
  list.add("clear_timer", "default", "hold", "x".repeat(2 * 1024 * 1024));
  expect([list.isLong, list.pieces.length]).toEqual([true, 1]);
});
