import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { commit, indexes, key, put } from "../suite/fixture.ts";
import { connect, readAddress } from "./connect.ts";
import { freshSchema } from "./harness.ts";
import { lockOf } from "./locks.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

const asAdmin = (url: string) => url.replace("//holdpoint@", "//postgres@");

const open = (url: string, more = {}) => openPostgresStore({ url, indexes, clock: systemClock, ...more });

it("M1 any number of servers can start at once on an empty database", async () => {
  const { url } = freshSchema(database);
  const stores = await Promise.all(Array.from({ length: 4 }, () => open(url)));
  expect(await Promise.all(stores.map((store) => store.lastPosition()))).toEqual([0, 0, 0, 0]);
  for (const store of stores) await store.close();
});

it("M1 a starting server waits for a running migration longer than lock_timeout", async () => {
  const { schema } = freshSchema(database);
  const [holder, other] = [0, 1].map(() => new pg.Client({ connectionString: database.url }));
  if (holder === undefined || other === undefined)
    throw new Error("Invariant: the test created fewer than two clients");
  await Promise.all([holder.connect(), other.connect()]);
  try {
    const lock = lockOf(schema, "migration");
    await holder.query("SELECT pg_advisory_lock($1, $2)", [...lock]);
    await other.query(`SET search_path TO ${schema}; SET lock_timeout = '10ms'`);
    const migrating = migrate(other, schema, lock, readMigrations());
    const [early] = await Promise.all([
      Promise.race([
        migrating.then(String, String),
        holder.query("SELECT pg_sleep(0.1)").then(() => "waits"),
      ]),
      migrating.catch(() => undefined),
      holder.query("SELECT pg_advisory_unlock($1, $2)", [...lock]),
    ]);
    expect(early).toBe("waits");
    expect(await migrating).toMatchObject({ from: 0 });
  } finally {
    await Promise.all([holder.end(), other.end()]);
  }
});

it("M1 a failed migration leaves the schema unchanged, and a successful one is reported once", async () => {
  const { url } = freshSchema(database);
  await (await open(url)).close();
  const known = readMigrations();
  await expect(
    open(url, { migrations: [...known, "CREATE TABLE more (id int); SELECT nonsense"] }),
  ).rejects.toThrow("nonsense");
  const upgrades: unknown[] = [];
  const options = {
    migrations: [...known, "CREATE TABLE more (id int)"],
    onUpgrade: (upgrade: unknown) => upgrades.push(upgrade),
  };
  await (await open(url, options)).close();
  await (await open(url, options)).close();
  expect(upgrades).toEqual([{ from: known.length, to: known.length + 1 }]);
});

it("the migration of the index of lists waits for a server that reads and then writes, and locks nothing meanwhile", async () => {
  const { url, schema } = freshSchema(database);
  await (await open(url, { migrations: readMigrations().slice(0, 7) })).close();
  const [server, looker] = [0, 1].map(() => new pg.Client({ connectionString: database.url }));
  if (server === undefined || looker === undefined) throw new Error("Invariant: the test made fewer clients");
  await Promise.all([server.connect(), looker.connect()]);
  try {
    await server.query(`SET search_path TO ${schema}; SET lock_timeout = '5s'; BEGIN; SELECT * FROM entity`);
    const migrating = open(url);
    const waits = `SELECT 1 FROM pg_locks WHERE relation = '${schema}.entity'::regclass AND NOT granted`;
    await expect.poll(async () => (await looker.query(waits)).rowCount, { timeout: 10_000 }).toBe(1);
    await server.query(
      "INSERT INTO entity (workspace, kind, id, version, seq, head, body) VALUES ('w', 'hold_key', 'k', 1, 0, '', '{}')",
    );
    await server.query("COMMIT");
    await (await migrating).close();
  } finally {
    await Promise.all([server.end(), looker.end()]);
  }
});

it("a migration moves links stored under their hash alone to their hold", async () => {
  const { url, schema } = freshSchema(database);
  await (await open(url, { migrations: readMigrations().slice(0, 4) })).close();
  await ask(
    database.url,
    `INSERT INTO ${schema}.entity (workspace, kind, id, version, seq, head, body)
      SELECT 'default', 'link', hash, 1, 0, '', format('{"odd":"\\u0000\\ud800 \\"holdId\\":\\"h9\\"","holdId":"h1","hash":"%s"}', hash)
      FROM unnest(ARRAY['x', 'y']) AS hash;
    INSERT INTO ${schema}.entity_index SELECT workspace, kind, id, 'hold', 'h1' FROM ${schema}.entity`,
  );
  const store = await open(url);
  const found = await store.query({ workspace: "default", kind: "link", limit: 5 });
  expect(found.map(({ id, body }) => [id, body.hash])).toEqual([
    ["h1.x", "x"],
    ["h1.y", "y"],
  ]);
  // The database rejects what a server of the previous version would write.
  await expect(
    commit(store, { puts: [put(key("z", "link"), 0, { holdId: "h1", hash: "z" })] }),
  ).rejects.toThrow("link_under_hold");
  await store.close();
  const { client } = await connect(readAddress(url));
  expect((await client.query("SELECT * FROM entity_index")).rows).toEqual([]);
  await client.end();
});

it("a migration lists the holds that were open before, whatever their bodies contain", async () => {
  const { url, schema } = freshSchema(database);
  await (await open(url, { migrations: readMigrations().slice(0, 6) })).close();
  const bodies = {
    h1: `{"ask":null}`,
    h2: `{"ask":{"type":"approval","prompt":"\\u0000\\ud800","context":{"tool":"refund"}},"expiresAt":90,"deadlineAt":70,"openedAt":5}`,
    h3: `{"ask":{"type":"input","context":{"tool":7}},"expiresAt":80}`,
  };
  for (const [id, body] of Object.entries(bodies))
    await ask(
      database.url,
      `INSERT INTO ${schema}.hold (workspace, id, version, seq, head, status, creator, body)
        VALUES ('default', '${id}', 1, 0, '', 'open', 'bot', '${body}')`,
    );
  const store = await open(url);
  const list = async (filter: object) =>
    (await store.listWaiting({ workspace: "default", order: "urgency", limit: 5, ...filter })).holds.map(
      ({ id }) => id,
    );
  expect(await list({})).toEqual(["h2", "h3", "h1"]);
  expect(await list({ tool: "refund" })).toEqual(["h2"]);
  expect(await list({ type: "input" })).toEqual(["h3"]);
  expect(await list({ isUnseen: true })).toEqual(["h3", "h1"]);
  await store.close();
});

it("M2 a newer schema and a schema of another program are refused and left unchanged", async () => {
  const { url, schema } = freshSchema(database);
  await (await open(url, { migrations: [...readMigrations(), "CREATE TABLE more (id int)"] })).close();
  await expect(open(url)).rejects.toMatchObject({
    name: "StoreError",
    code: "database_newer",
    details: { schema },
  });
  const foreign = freshSchema(database);
  await ask(database.url, `CREATE SCHEMA ${foreign.schema}; CREATE TABLE ${foreign.schema}.theirs (id int)`);
  await expect(open(foreign.url)).rejects.toMatchObject({ code: "database_foreign" });
});

it("an address without a database fails with StoreUnavailable", async () => {
  await expect(open("postgres://nobody@127.0.0.1:1/none")).rejects.toMatchObject({
    name: "StoreUnavailable",
  });
});

it("a role without permission and an invalid address get an error that says what to do, without the password", async () => {
  const { url, schema } = freshSchema(database);
  const role = `r${schema}`;
  await ask(asAdmin(database.url), `CREATE ROLE ${role} LOGIN`);
  try {
    await expect(open(url.replace("//holdpoint@", `//${role}@`))).rejects.toMatchObject({
      name: "StoreError",
      code: "database_forbidden",
      message: expect.stringContaining(`CREATE SCHEMA ${schema} AUTHORIZATION`),
    });
  } finally {
    await ask(asAdmin(database.url), `DROP ROLE ${role}`);
  }
  const unreadable = open("postgres://holdpoint:s3cret@db:port:more/x");
  await expect(unreadable).rejects.toMatchObject({ code: "database_address" });
  await expect(unreadable).rejects.not.toThrow(/s3cret/);
  await expect(open("postgres://nobody-here@127.0.0.1:1/x?schema=A;B")).rejects.toMatchObject({
    code: "database_address",
  });
});
