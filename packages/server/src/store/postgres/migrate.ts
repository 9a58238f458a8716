/**
 * Upgrades a schema to what this program uses.
 *
 * M1  All pending migrations run in one transaction, under a lock: any number of servers may start at once.
 * M2  A schema that is newer, or of another program, is left unchanged.
 * M3  No superuser is needed: the role must be allowed to create a schema, or own the one it is given.
 */

import type { ClientBase } from "pg";
import { StoreError } from "../store-error.ts";

const SCHEMA_EXISTS = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
const IS_OURS = "SELECT to_regclass('migration') IS NOT NULL AS ours";
const TABLES =
  "SELECT count(*)::int AS tables FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'";
const ENCODING = "SELECT current_setting('server_encoding') AS encoding";

export interface Upgrade {
  readonly from: number;
  readonly to: number;
}

export async function migrate(
  client: ClientBase,
  schema: string,
  lock: readonly [number, number],
  migrations: readonly string[],
): Promise<Upgrade> {
  await assertUtf8(client);
  await client.query("BEGIN");
  try {
    await lockMigrations(client, lock);
    const { rowCount } = await client.query(SCHEMA_EXISTS, [schema]);
    if (rowCount === 0) await client.query(`CREATE SCHEMA "${schema}"`);
    const from = await schemaNumber(client, schema, migrations.length);
    for (const [at, sql] of migrations.entries()) {
      if (at < from) continue;
      await client.query(sql);
      await client.query("INSERT INTO migration (number) VALUES ($1)", [at + 1]);
    }
    await client.query("COMMIT");
    return { from, to: migrations.length };
  } catch (fault) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw isForbidden(fault) ? forbidden(schema, fault) : fault;
  }
}

/** A starting server waits for a running migration without a time limit; waiting for table locks keeps its limit. */
async function lockMigrations(client: ClientBase, lock: readonly [number, number]): Promise<void> {
  const { rows } = await client.query<{ usual: string }>("SELECT current_setting('lock_timeout') AS usual");
  await client.query("SET LOCAL lock_timeout = 0");
  await client.query("SELECT pg_advisory_xact_lock($1::int, $2::int)", [...lock]);
  await client.query("SELECT set_config('lock_timeout', $1, true)", [rows[0]?.usual ?? "0"]);
}

const INSUFFICIENT_PRIVILEGE = "42501";

function isForbidden(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === INSUFFICIENT_PRIVILEGE;
}

function forbidden(schema: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : "";
  return new StoreError(
    "database_forbidden",
    `The role may not set up schema ${schema} (${why}). Let it own that schema (CREATE SCHEMA ${schema} AUTHORIZATION …) or create one (GRANT CREATE ON DATABASE … TO …).`,
    { schema },
    cause,
  );
}

async function schemaNumber(client: ClientBase, schema: string, known: number): Promise<number> {
  const { rows } = await client.query<{ ours: boolean }>(IS_OURS);
  if (rows[0]?.ours !== true) {
    const { rows: counted } = await client.query<{ tables: number }>(TABLES, [schema]);
    if (counted[0]?.tables !== 0) {
      throw new StoreError(
        "database_foreign",
        `Schema ${schema} contains tables that are not Holdpoint's. Choose another schema with ?schema=.`,
        {
          schema,
        },
      );
    }
    await client.query("CREATE TABLE migration (number int PRIMARY KEY)");
    return 0;
  }
  const { rows: found } = await client.query<{ number: number }>(
    "SELECT coalesce(max(number), 0)::int AS number FROM migration",
  );
  const number = found[0]?.number ?? 0;
  if (number <= known) return number;
  throw new StoreError(
    "database_newer",
    `Schema ${schema} has version ${number}, but this program only knows up to ${known}. Run the newer Holdpoint that wrote it.`,
    { schema, found: number, known },
  );
}

async function assertUtf8(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(ENCODING);
  const encoding = rows[0]?.encoding ?? "";
  if (encoding === "UTF8") return;
  throw new StoreError(
    "database_foreign",
    `The database encoding is ${encoding}, but Holdpoint needs UTF8. Create the database with ENCODING 'UTF8'.`,
    {
      encoding,
    },
  );
}
