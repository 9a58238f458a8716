import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { commit, holdBody, indexes, key, put } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import type { Upgrade } from "./migrate.ts";
import { type Migration, migration, readMigrations } from "./migrations.ts";
import { openSqliteCopy, openSqliteStore } from "./open.ts";

const KNOWN = readMigrations();
const NEXT = KNOWN.length + 1;
const ADDS = migration(NEXT, "CREATE TABLE note (id TEXT PRIMARY KEY) STRICT;");
const CHANGES = migration(
  NEXT + 1,
  "-- breaking: statuses get another name\nUPDATE hold SET status = 'pending';",
);
const FAILS = migration(
  NEXT + 1,
  "-- breaking: does not get far\nUPDATE hold SET status = 'x'; SELECT nonsense;",
);

describe("the migrations", () => {
  it("migrations are numbered from one without a gap, and the first line of a file says whether it is breaking", async () => {
    expect(KNOWN.map(({ number }) => number)).toEqual(KNOWN.map((_, at) => at + 1));
    await using folder = await temporaryFolder();
    const url = pathToFileURL(`${folder.path}/`);
    writeFileSync(join(folder.path, "000001.sql"), "CREATE TABLE a (b);");
    writeFileSync(join(folder.path, "000002.sql"), "-- breaking: why\nDROP TABLE a;");
    writeFileSync(join(folder.path, "notes.txt"), "not a migration");
    expect(readMigrations(url).map(({ isBreaking }) => isBreaking)).toEqual([false, true]);
    writeFileSync(join(folder.path, "000004.sql"), "");
    expect(() => readMigrations(url)).toThrow("migration 3 is missing");
  });

  it("the migrations create the schema of the snapshot", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    await openSqliteStore({ path, indexes }).close();
    await expect(schemaOf(path)).toMatchFileSnapshot("./schema.snapshot.sql");
  });

  it("opening a new or current file makes no copy and reports no upgrade", async () => {
    await using file = await writtenFile();
    const upgrades: Upgrade[] = [];
    await openSqliteStore({
      path: file.path,
      indexes,
      onUpgrade: (upgrade) => upgrades.push(upgrade),
    }).close();
    expect(upgrades).toEqual([]);
    expect(file.names()).toEqual(["holdpoint.db"]);
  });
});

describe("M1 an upgrade", () => {
  it("an upgrade applies all pending migrations and keeps the stored data", async () => {
    await using file = await writtenFile();
    const upgrades: Upgrade[] = [];
    const migrations = [...KNOWN, ADDS];
    await using store = openSqliteStore({
      path: file.path,
      indexes,
      migrations,
      onUpgrade: (one) => upgrades.push(one),
    });
    expect(upgrades).toEqual([{ from: KNOWN.length, to: NEXT, copy: null }]);
    expect(await store.load([key("h1")])).toHaveLength(1);
    await store.close();
    expect(file.names()).toEqual(["holdpoint.db"]);
    expect(schemaOf(file.path)).toContain("CREATE TABLE note");
  });

  it("an upgrade moves links stored under their hash alone to their hold", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    const older = openSqliteStore({ path, indexes, migrations: KNOWN.slice(0, 2) });
    const links = ["x", "y"].map((hash) => put(key(hash, "link"), 0, { holdId: "h1", hash }));
    await commit(older, { puts: [...links, put(key("p", "person"), 0, {})] });
    await older.close();
    const db = new DatabaseSync(path);
    db.exec(`UPDATE entity SET indexed = '[["hold","h1"]]' WHERE kind = 'link';
      INSERT INTO entity_index SELECT workspace, kind, 'hold', 'h1', id FROM entity WHERE kind = 'link'`);
    db.close();
    await using store = openSqliteStore({ path, indexes });
    const found = await store.query({ workspace: "default", kind: "link", limit: 5 });
    expect(found.map(({ id, body }) => [id, body.hash])).toEqual([
      ["h1.x", "x"],
      ["h1.y", "y"],
    ]);
    expect(await store.find("person", "p")).toBeDefined();
    await commit(store, { puts: [put(key("h1.x", "link"), 1, { holdId: "h1", hash: "x", revokedAt: 1 })] });
    await store.close();
    const after = new DatabaseSync(path, { readOnly: true });
    expect(after.prepare("SELECT count(*) AS n FROM entity_index").get()).toEqual({ n: 0 });
    after.close();
  });

  it("an upgrade lists the holds that were open before", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    await openSqliteStore({ path, indexes, migrations: KNOWN.slice(0, 5) }).close();
    const db = new DatabaseSync(path);
    const insert = db.prepare(
      `INSERT INTO hold (workspace, id, version, seq, head, status, creator, body)
        VALUES ('default', ?, 1, 0, '', 'open', 'bot', ?)`,
    );
    const ask = { type: "approval", context: { tool: "refund" } };
    insert.run("h1", JSON.stringify(holdBody({ ask: null })));
    insert.run("h2", JSON.stringify(holdBody({ ask, expiresAt: 90, deadlineAt: 70, openedAt: 5 })));
    insert.run(
      "h3",
      JSON.stringify(holdBody({ ask: { type: "input", context: { tool: 7 } }, expiresAt: 80 })),
    );
    db.close();
    await using store = openSqliteStore({ path, indexes });
    const list = async (filter: object) =>
      (await store.listWaiting({ workspace: "default", order: "urgency", limit: 5, ...filter })).holds.map(
        ({ id }) => id,
      );
    expect(await list({})).toEqual(["h2", "h3", "h1"]);
    expect(await list({ tool: "refund" })).toEqual(["h2"]);
    expect(await list({ type: "input" })).toEqual(["h3"]);
    expect(await list({ isUnseen: true })).toEqual(["h3", "h1"]);
  });

  it("a failed upgrade leaves the file unchanged, including the migrations before the failing one", async () => {
    await using file = await writtenFile();
    const before = schemaOf(file.path);
    expect(() => openSqliteStore({ path: file.path, indexes, migrations: [...KNOWN, ADDS, FAILS] })).toThrow(
      "nonsense",
    );
    expect(schemaOf(file.path)).toBe(before);
    await using store = openSqliteStore({ path: file.path, indexes });
    const index = { name: "status", value: "open" };
    expect(await store.query({ workspace: "default", kind: "hold", index, limit: 5 })).toHaveLength(1);
  });
});

describe("M2 before a breaking migration", () => {
  it("before a breaking migration the old file is copied, and the older program can open the copy", async () => {
    await using file = await writtenFile();
    const migrations = [...KNOWN, ADDS, CHANGES];
    const copy = `${file.path}.before-${String(NEXT + 1).padStart(6, "0")}`;
    // The files that an interrupted upgrade left are replaced.
    writeFileSync(copy, "an older copy");
    writeFileSync(`${copy}.unfinished`, "half a copy");
    const upgrades: Upgrade[] = [];
    await openSqliteStore({
      path: file.path,
      indexes,
      migrations,
      onUpgrade: (one) => upgrades.push(one),
    }).close();
    expect(upgrades).toEqual([{ from: KNOWN.length, to: NEXT + 1, copy }]);
    expect(existsSync(`${copy}.unfinished`)).toBe(false);
    await using upgraded = openSqliteStore({ path: file.path, indexes, migrations });
    const open = {
      workspace: "default",
      kind: "hold",
      index: { name: "status", value: "open" },
      limit: 5,
    } as const;
    expect(await upgraded.query(open)).toEqual([]);
    await using older = openSqliteStore({ path: copy, indexes });
    expect(await older.query(open)).toHaveLength(1);
  });
});

describe("M3 a file", () => {
  it("a file with a newer schema is refused and left unchanged", async () => {
    await using file = await writtenFile();
    await openSqliteStore({ path: file.path, indexes, migrations: [...KNOWN, ADDS] }).close();
    const bytes = readFileSync(file.path);
    const refusal = expect.objectContaining({
      name: "StoreError",
      code: "database_newer",
      message: expect.stringContaining(
        `has schema ${NEXT}, but this program only knows up to ${KNOWN.length}`,
      ),
      details: { path: file.path, found: NEXT, known: KNOWN.length },
    });
    expect(() => openSqliteStore({ path: file.path, indexes })).toThrow(refusal);
    expect(() => openSqliteCopy(file.path)).toThrow(refusal);
    expect(readFileSync(file.path).equals(bytes)).toBe(true);
  });

  it("a file with an older schema cannot be opened for reading before it is upgraded", async () => {
    await using file = await writtenFile();
    const migrations: readonly Migration[] = [...KNOWN, ADDS];
    expect(() => openSqliteCopy(file.path, migrations)).toThrow(
      expect.objectContaining({
        code: "database_older",
        details: { path: file.path, found: NEXT - 1, known: NEXT },
      }),
    );
  });

  it("a file that is not a Holdpoint database is refused and left unchanged", async () => {
    await using folder = await temporaryFolder();
    const other = join(folder.path, "other.db");
    const db = new DatabaseSync(other);
    db.exec("CREATE TABLE hold (id); PRAGMA user_version = 1");
    db.close();
    const noDatabase = join(folder.path, "letter.txt");
    writeFileSync(noDatabase, "Dear reader, this is a letter and not a database. ".repeat(100));
    for (const path of [other, noDatabase]) {
      const bytes = readFileSync(path);
      const refusal = expect.objectContaining({ code: "database_foreign", details: { path } });
      expect(() => openSqliteStore({ path, indexes })).toThrow(refusal);
      expect(() => openSqliteCopy(path)).toThrow(refusal);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }
  });

  it("opening a missing file for reading does not create it", async () => {
    await using folder = await temporaryFolder();
    expect(() => openSqliteCopy(join(folder.path, "none.db"))).toThrow("unable to open");
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

function schemaOf(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY tbl_name, type DESC, name",
    )
    .all();
  db.close();
  return `${rows.map(({ sql }) => `${sql};`).join("\n\n")}\n`;
}

async function writtenFile(): Promise<
  AsyncDisposable & { readonly path: string; names(): readonly string[] }
> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  const store = openSqliteStore({ path, indexes });
  await commit(store, { puts: [put(key("h1"), 0, holdBody())] });
  await store.close();
  return { path, names: () => readdirSync(folder.path), [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}
