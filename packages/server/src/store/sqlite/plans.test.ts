/** No statement of a running server scans a table or sorts: with a million rows each one costs what it returns. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import type { Query, Store } from "../port.ts";
import { commit, event, holdBody, indexes, key, message, put } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { Background } from "./background.ts";
import { takeCensus } from "./census.ts";
import { connectWriter } from "./connect.ts";
import { searchHolds } from "./hold-search.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { OutboxTable } from "./outbox-table.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { Statements } from "./statements.ts";

class RecordingDatabase extends DatabaseSync {
  readonly texts = new Set<string>();

  override prepare(sql: string): ReturnType<DatabaseSync["prepare"]> {
    this.texts.add(sql);
    return super.prepare(sql);
  }

  plans(): readonly string[] {
    return [...this.texts]
      .filter((sql) => /^(SELECT|INSERT|UPDATE|DELETE)/.test(sql))
      .flatMap((sql) => super.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
      .map(({ detail }) => detail as string);
  }
}

interface Opened extends AsyncDisposable {
  readonly db: RecordingDatabase;
  readonly store: SqliteStore;
}

async function open(): Promise<Opened> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  const writer = connectWriter(path);
  migrate(writer, path, readMigrations());
  writer.close();
  const db = new RecordingDatabase(path);
  const store = new SqliteStore(db, new Background({ path, searchMs: 1000 }), indexes);
  const dispose = async () => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  };
  return { db, store, [Symbol.asyncDispose]: dispose };
}

const HOLDS = { workspace: "default", kind: "hold", limit: 5 } as const;

async function writeEverything(store: Store): Promise<void> {
  await commit(store, {
    puts: [put(key("h1"), 0, holdBody()), put(key("l1", "group"), 0, { thread: "h1" })],
    events: [event("hold:h1", 1)],
    timers: [
      { key: key("h1"), dueAt: 1 },
      { key: key("h2"), dueAt: null },
    ],
    outbox: [message("m1")],
  });
  await commit(store, {
    puts: [put(key("h1"), 1, holdBody()), put(key("l1", "group"), 1, { thread: "h2" })],
  });
  await commit(store, { puts: [put(key("h1"), 2, null), put(key("l1", "group"), 2, null)] });
  await commit(store, { puts: [put(key("h1"), 0, null), put(key("l1", "group"), 0, null)] });
}

async function readEverything(store: Store): Promise<void> {
  await store.load([key("h1"), key("l1", "group")]);
  await store.find("hold", "h1");
  await store.find("group", "l1");
  for (const newestFirst of [true, false]) {
    for (const name of indexes.indexNames("hold")) {
      await store.query({ ...HOLDS, newestFirst, index: { name, value: "bot\u0000open" } });
    }
    await store.query({ ...HOLDS, newestFirst });
    await store.query({ ...HOLDS, newestFirst, kind: "group" });
    await store.query({ ...HOLDS, newestFirst, kind: "group", index: { name: "thread", value: "h1" } });
  }
  await store.events({ after: 0, limit: 5 });
  await store.events({ after: 0, limit: 5, workspace: "default", stream: "hold:h1" });
  await store.lastPosition();
  await store.dueTimers(10, 5);
  await store.nextTimerAt();
  const [row] = await store.claimOutbox(2000, 10, 5);
  if (row !== undefined) await store.settleOutbox(row, 2000);
  await store.nextOutboxAt();
}

describe("the statements", () => {
  it("every statement of a running store searches an index and never scans or sorts", async () => {
    await using opened = await open();
    await writeEverything(opened.store);
    await readEverything(opened.store);
    const outbox = new OutboxTable(new Statements(opened.db));
    for (const query of [
      {},
      { id: "m1" },
      { holdId: "h1" },
      { state: "failed" },
      { state: "no_channel" },
    ] as const) {
      outbox.list({ workspace: "default", limit: 5, ...query });
    }
    const plans = opened.db.plans();
    expect(plans.length).toBeGreaterThan(40);
    const allowed = /^(SEARCH|LIST SUBQUERY|CREATE BLOOM FILTER|SCAN json_each VIRTUAL TABLE)/;
    expect(plans.filter((plan) => !allowed.test(plan))).toEqual([]);
  });

  it("searches never sort, and the census scans indexes instead of the table", async () => {
    await using opened = await open();
    const statements = new Statements(opened.db);
    for (const filter of [{}, { status: "open" }, { creator: "bot", status: "open" }]) {
      const search = { workspace: "default", text: "x", limit: 5, ...filter };
      await searchHolds(statements, search, { isOver: () => true, pause: async () => {} });
    }
    takeCensus(statements, 0);
    expect(opened.db.plans().filter((plan) => plan.includes("TEMP B-TREE"))).toEqual([]);
    const scans = opened.db.plans().filter((plan) => plan.startsWith("SCAN"));
    expect(scans).toEqual([
      "SCAN hold USING COVERING INDEX hold_status",
      "SCAN outbox USING COVERING INDEX outbox_due",
      // Reads one row, the first of the index.
      "SCAN timer USING INDEX timer_ready",
    ]);
  });

  const INDEX_OF_LIST = {
    status: "hold_status (workspace=? AND status=? AND id<?)",
    creator_status: "hold_creator_status (workspace=? AND creator=? AND status=? AND id<?)",
    thread: "hold_thread (workspace=? AND thread=? AND id<?)",
    intent: "hold_intent (workspace=? AND intent=? AND id<?)",
    group: "hold_group (workspace=? AND group_id=? AND id<?)",
    previous: "hold_previous (workspace=? AND previous=? AND id<?)",
  } as const;

  it.each(Object.entries(INDEX_OF_LIST))(
    "listing holds by %s reads one range of one index",
    async (name, range) => {
      await using opened = await open();
      const query: Query = { ...HOLDS, newestFirst: true, index: { name, value: "bot\u0000open" } };
      await opened.store.query(query);
      expect(opened.db.plans()).toEqual([`SEARCH hold USING INDEX ${range}`]);
    },
  );

  it.each([
    ["creator", "hold_creator_status (workspace=? AND creator=? AND status=? AND id<?)"],
    ["everything", "hold_status (workspace=? AND status=? AND id<?)"],
  ])("listing holds by %s reads one index range per status", async (name, range) => {
    await using opened = await open();
    await commit(opened.store, { puts: [put(key("h1"), 0, holdBody())] });
    opened.db.texts.clear();
    const index = name === "everything" ? {} : { index: { name, value: "bot" } };
    await opened.store.query({ ...HOLDS, newestFirst: true, ...index });
    expect(opened.db.plans()).toContain(`SEARCH hold USING COVERING INDEX ${range}`);
  });

  const WAITING = {
    workspace: "default",
    order: "urgency",
    limit: 5,
    after: { endsAt: 1, id: "h1" },
  } as const;

  it.each([
    [{}, "hold_urgency (workspace=? AND (ends_at,id)>(?,?))"],
    [
      { creator: "bot", isUnseen: true, type: "approval" },
      "hold_urgency (workspace=? AND (ends_at,id)>(?,?))",
    ],
    [{ tool: "refund", creator: "bot" }, "hold_open_tool (workspace=? AND tool=? AND (ends_at,id)>(?,?))"],
    [{ assignee: "ada" }, "hold_open_assignee (workspace=? AND assignee=? AND (ends_at,id)>(?,?))"],
  ] as const)("open holds filtered by %o are read from one index in order", async (filter, range) => {
    await using opened = await open();
    await opened.store.listWaiting({ ...WAITING, ...filter });
    const plans = opened.db.plans();
    for (const plan of plans) expect(plan).toContain(range);
    await opened.store.countWaiting({ workspace: "default", ...filter });
    for (const by of ["creator", "tool", "assignee"] as const)
      for (const narrowing of [{}, filter])
        await opened.store.groupWaiting({ workspace: "default", ...narrowing }, by);
    await opened.store.listWaiting({ ...WAITING, ...filter, order: "newest" });
    expect(opened.db.plans().filter((plan) => !plan.startsWith("SEARCH hold USING"))).toEqual([]);
  });

  it("reading one stream searches by its number, and reading several searches by position", async () => {
    await using opened = await open();
    await opened.store.events({ after: 5, limit: 5, workspace: "default", stream: "hold:h1" });
    const range = "sqlite_autoindex_event_1 (workspace=? AND stream=? AND seq>?)";
    expect(opened.db.plans()).toContain(`SEARCH event USING INDEX ${range}`);
    await opened.store.events({ after: 5, limit: 5, workspace: "default" });
    expect(opened.db.plans()).toContain("SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
  });
});
