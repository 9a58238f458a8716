/** Groups of statements on a real connection. */

import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { type BatchConnection, connectForBatches, readAddress } from "./connect.ts";
import { Pipeline } from "./pipeline.ts";

let database: TestDatabase;
let connection: BatchConnection;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  connection = await connectForBatches(readAddress(database.url));
});
afterEach(() => connection.pipeline.end().catch(() => undefined));

const ask = (text: string, ...values: unknown[]) => connection.pipeline.query({ text, values });
const together = <T>(group: () => T) => connection.pipeline.together(group);

it("the statements of a group are answered in their order, with one Sync for all of them", async () => {
  const written: Buffer[] = [];
  const socket = connection.client.connection.stream;
  const write = socket.write.bind(socket);
  vi.spyOn(socket, "write").mockImplementation((data: unknown) => {
    written.push(data as Buffer);
    return write(data as Buffer);
  });
  const asked = together(() => [ask("SELECT 1 AS n"), ask("SELECT $1::bigint AS n, $2::text AS t", 2, null)]);
  const [first, second] = await Promise.all(asked);
  expect(first).toEqual({ rows: [{ n: 1 }], tag: "SELECT 1" });
  expect(second?.rows).toEqual([{ n: 2, t: null }]);
  // A Sync has the letter S and its own length, four.
  expect(written).toHaveLength(1);
  expect(written[0]?.toString("latin1").split("S\0\0\0\x04")).toHaveLength(2);
});

it("the database runs nothing that comes after a failed statement, and the connection can be used again", async () => {
  await ask("CREATE TEMPORARY TABLE kept (n int)");
  const group = together(() => [
    ask("BEGIN"),
    ask("INSERT INTO kept VALUES (1)"),
    ask("SELECT 1 / $1::int", 0),
    ask("INSERT INTO kept VALUES (2)"),
    ask("COMMIT"),
  ]);
  const results = await Promise.allSettled(group);
  expect(results.map(({ status }) => status)).toEqual([
    ...["fulfilled", "fulfilled", "rejected", "rejected", "rejected"],
  ]);
  expect(results.at(-1)).toMatchObject({ reason: { message: "division by zero" } });
  await ask("ROLLBACK");
  expect((await ask("SELECT count(*) AS n FROM kept")).rows).toEqual([{ n: 0 }]);
  // These were prepared by the group that failed, or not at all.
  expect((await ask("SELECT 1 / $1::int", 1)).rows).toEqual([{ "?column?": 1 }]);
  await ask("INSERT INTO kept VALUES (2)");
  expect((await ask("SELECT count(*) AS n FROM kept")).rows).toEqual([{ n: 1 }]);
});

it("a statement whose columns have changed fails once and is prepared again", async () => {
  await ask("CREATE TEMPORARY TABLE wide (a int)");
  await ask("INSERT INTO wide VALUES (1)");
  expect((await ask("SELECT * FROM wide")).rows).toEqual([{ a: 1 }]);
  await ask("ALTER TABLE wide ADD b text DEFAULT 'new'");
  await expect(ask("SELECT * FROM wide")).rejects.toThrow("cached plan must not change result type");
  expect((await ask("SELECT * FROM wide")).rows).toEqual([{ a: 1, b: "new" }]);
});

it("arrays, numbers and truth values are sent as the database reads them", async () => {
  const { rows } = await ask(
    "SELECT $1::text[] AS t, $2::bigint AS n, $3::boolean AS b",
    ['a "b"', "\\"],
    7,
    true,
  );
  expect(rows).toEqual([{ t: ['a "b"', "\\"], n: 7, b: true }]);
});

it("nothing is sent for a group whose statements could not be issued", () => {
  expect(() =>
    together(() => {
      throw new Error("nothing to ask");
    }),
  ).toThrow("nothing to ask");
});

it("a connection whose reply does not come in time is closed, and what was asked is rejected", async () => {
  const lost = new Promise((resolve) => connection.client.once("end", resolve));
  const impatient = new Pipeline(connection.client, 1);
  const asked = impatient.together(() => [
    impatient.query({ text: "SELECT pg_sleep(30)" }),
    impatient.query({ text: "SELECT 1" }),
  ]);
  const results = await Promise.allSettled(asked);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(results[0]).toMatchObject({
    reason: { message: "timeout: the database did not reply within 1 ms" },
  });
  await lost;
  expect(connection.isBroken()).toBe(true);
});

it("the time limit of replies also holds after the connection has been idle for longer than that", async () => {
  const impatient = new Pipeline(connection.client, 50);
  await impatient.query({ text: "SELECT 1" });
  await once(connection.client.connection.stream, "timeout");
  await expect(impatient.query({ text: "SELECT pg_sleep(30)" })).rejects.toThrow("timeout: the database did");
});

it("a group that waits for a statement without a reply is given up, however late it was issued", async () => {
  const impatient = new Pipeline(connection.client, 50);
  const stuck = connection.client.query("SELECT pg_sleep(30)").catch((fault: unknown) => fault);
  await once(connection.client.connection.stream, "timeout");
  await expect(impatient.query({ text: "SELECT 1" })).rejects.toThrow("timeout: the database did");
  expect(await stuck).toMatchObject({ message: "Connection terminated" });
});

it("a group that waits for another one, which prepares the same statement, has its columns too", async () => {
  const [first, second] = await Promise.all([ask("SELECT 7 AS n"), ask("SELECT 7 AS n")]);
  expect(first.rows).toEqual([{ n: 7 }]);
  expect(second.rows).toEqual([{ n: 7 }]);
});

it("nothing is sent of a group with a value that has no text, and the connection can be used again", async () => {
  const textless: unknown = Object.create(null);
  const group = together(() => [
    ask("CREATE TEMPORARY TABLE never (n int)"),
    ask("SELECT $1::text", textless),
  ]);
  const results = await Promise.allSettled(group);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await ask("SELECT to_regclass('never') AS t")).rows).toEqual([{ t: null }]);
  // Also if the group had to wait.
  const [before, waiting] = await Promise.allSettled([
    ask("SELECT 1 AS n"),
    ask("SELECT $1::text", textless),
  ]);
  expect([before.status, waiting.status]).toEqual(["fulfilled", "rejected"]);
  expect((await ask("SELECT 2 AS n")).rows).toEqual([{ n: 2 }]);
});

it("a time limit for the driver in the address does not give up statements of a connection that stays open", async () => {
  const limited = await connectForBatches(readAddress(`${database.url}?query_timeout=1`));
  const { rows } = await limited.pipeline.query({ text: "SELECT pg_sleep(0.05), 1 AS n" });
  expect(rows).toMatchObject([{ n: 1 }]);
  await limited.pipeline.end();
});

it("ending waits for the replies to what was sent", async () => {
  const asked = ask("SELECT pg_sleep(0.05), 1 AS n");
  await connection.pipeline.end();
  expect((await asked).rows).toMatchObject([{ n: 1 }]);
});
