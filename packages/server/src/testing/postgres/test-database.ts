/** A database of its own for a test file, on the one PostgreSQL that all files of a run share. */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

export const POSTGRES_FOLDER = "HOLDPOINT_TEST_POSTGRES_FOLDER";
export const POSTGRES_RUNNER = "HOLDPOINT_TEST_POSTGRES_RUNNER";

export interface TestDatabase extends AsyncDisposable {
  /** Of a role that is no superuser. Add `?schema=` to have several stores in it. */
  readonly url: string;
}

interface Keeper {
  readonly pid: number;
  readonly port: number;
}

export function keeperOf(folder: string): Keeper | undefined {
  const ready = join(folder, "ready.json");
  return existsSync(ready) ? (JSON.parse(readFileSync(ready, "utf8")) as Keeper) : undefined;
}

export async function testDatabase(): Promise<TestDatabase> {
  const { port } = await keeper();
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const at = (database: string, role = "holdpoint") => `postgres://${role}@127.0.0.1:${port}/${database}`;
  await ask(at("postgres"), `CREATE DATABASE ${name}`);
  return {
    url: at(name),
    // The database's own housekeeping may be in it, and that only its owner may send away.
    [Symbol.asyncDispose]: () => ask(at("postgres", "postgres"), `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The first to ask starts it; the others wait with it. */
async function keeper(): Promise<Keeper> {
  const folder = process.env[POSTGRES_FOLDER];
  const runner = process.env[POSTGRES_RUNNER];
  if (folder === undefined || runner === undefined) throw new Error("tests with PostgreSQL run under vitest");
  if (isFirst(folder)) {
    const file = new URL("./keeper.child.ts", import.meta.url).pathname;
    const log = openSync(join(folder, "keeper.log"), "a");
    const child = spawn(process.execPath, [file, folder, runner], {
      detached: true,
      stdio: ["ignore", log, log],
    });
    child.unref();
    closeSync(log);
  }
  for (let waits = 0; waits < 1_000; waits += 1) {
    const ready = keeperOf(folder);
    if (ready !== undefined) return ready;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`PostgreSQL did not start: ${readFileSync(join(folder, "keeper.log"), "utf8")}`);
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, "starting"));
    return true;
  } catch {
    return false;
  }
}

export async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
