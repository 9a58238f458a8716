import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { connect, readAddress } from "./connect.ts";
import { assertSession } from "./session.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

async function sessions() {
  const address = readAddress(database.url);
  const [a, b] = [await connect(address), await connect(address)];
  const end = async () => {
    await a.client.end();
    await b.client.end();
  };
  return { all: [a.client, b.client] as const, [Symbol.asyncDispose]: end };
}

/** Gives each caller the first session that is not in another caller's transaction. */
function transactionPooler(all: readonly pg.Client[]): () => pg.ClientBase {
  const taken = new Set<pg.Client>();
  return () => {
    let own: pg.Client | undefined;
    const query = async (text: string, values?: unknown[]) => {
      const session = own ?? all.find((each) => !taken.has(each));
      if (session === undefined) throw new Error("Invariant: no session is free");
      if (text === "BEGIN") {
        own = session;
        taken.add(session);
      }
      const result = await session.query(text, values);
      if (text === "ROLLBACK") {
        own = undefined;
        taken.delete(session);
      }
      return result;
    };
    return { query } as unknown as pg.ClientBase;
  };
}

it("the session check leaves session settings unchanged", async () => {
  await using opened = await sessions();
  const [a, b] = opened.all;
  await a.query("SET lock_timeout = '7s'");
  await assertSession(a, b);
  const { rows } = await a.query("SELECT current_setting('lock_timeout') AS found");
  expect(rows).toEqual([{ found: "7s" }]);
});

it("a pooler in transaction mode is refused with an error that says what to do", async () => {
  await using opened = await sessions();
  const client = transactionPooler(opened.all);
  await expect(assertSession(client(), client())).rejects.toMatchObject({
    code: "database_address",
    message: expect.stringContaining("session mode"),
  });
});
