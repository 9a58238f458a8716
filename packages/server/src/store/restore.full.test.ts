/** A backup is restored: the copy opens, verifies, and the server goes on from the moment of the backup. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { TABLE } from "../domains.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { createCluster } from "../testing/postgres/cluster.ts";
import { debianBinaries } from "../testing/postgres/replicated.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { verifyLog } from "../verify-log.ts";
import type { Store } from "./port.ts";
import { openPostgresStore } from "./postgres/open.ts";
import { backUp } from "./sqlite/backup.ts";
import { openSqliteStore } from "./sqlite/open.ts";
import { temporaryFolder } from "./suite/temporary.ts";

const place = async ({ call, keys }: TestServer, key: string) => {
  const body = { key, type: "approval", prompt: `Do ${key}?`, timeout: "1h" };
  return (await call("POST", "/v1/holds", { key: keys.agent, body })).body;
};

const look = ({ call, keys }: TestServer, id: string) =>
  call("GET", `/v1/holds/${id}`, { key: keys.operator });

const approve = ({ call, keys }: TestServer, id: string) =>
  call("POST", `/v1/holds/${id}/answer`, { key: keys.operator, body: { action: "approve" } });

/** `restored` copies the database of the running server at once, and opens the copy later. */
async function playRestore(
  open: (clock: ManualClock) => Promise<Store>,
  backUpNow: () => Promise<(clock: ManualClock) => Promise<Store>>,
): Promise<void> {
  const clock = new ManualClock();
  const ids: Record<string, string> = {};
  let openCopy: (clock: ManualClock) => Promise<Store>;
  {
    await using before = await testServer({ clock, store: await open(clock) });
    for (const key of ["decided", "open", "due"]) ids[key] = (await place(before, key)).id;
    await approve(before, ids["decided"] as string);
    openCopy = await backUpNow();
    ids["later"] = (await place(before, "later")).id;
    expect((await approve(before, ids["open"] as string)).status).toBe(200);
  }
  await using after = await testServer({ clock, store: await openCopy(clock) });
  expect((await verifyLog(after.store)).breaks).toEqual([]);
  expect((await look(after, ids["decided"] as string)).body).toMatchObject({
    outcome: { action: "approve" },
  });
  // What happened after the backup is gone: the hold, and the answer to another one, which is asked for again.
  expect((await look(after, ids["later"] as string)).status).toBe(404);
  expect((await place(after, "later")).id).not.toBe(ids["later"]);
  expect((await look(after, ids["open"] as string)).body).toMatchObject({ status: "open" });
  expect((await place(after, "open")).id).toBe(ids["open"]);
  expect((await approve(after, ids["open"] as string)).status).toBe(200);
  await clock.advance(3_600_000);
  expect((await look(after, ids["due"] as string)).body).toMatchObject({ outcome: { kind: "expired" } });
  expect((await verifyLog(after.store)).breaks).toEqual([]);
}

it("a server goes on from a backup of its SQLite file", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  const copy = join(folder.path, "copy.db");
  const opened = async (file: string) => openSqliteStore({ path: file, indexes: TABLE });
  await playRestore(
    () => opened(path),
    async () => {
      await backUp(path, copy, () => undefined);
      return () => opened(copy);
    },
  );
});

it("a server goes on from a dump of its PostgreSQL database, restored with PostgreSQL's own tools", {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  const bin = await debianBinaries();
  const run = (tool: string, args: readonly string[]) => promisify(execFile)(join(bin, tool), args);
  const binaries = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  await using cluster = await createCluster({ folder: folder.path, binaries });
  for (const name of ["original", "restored"]) await cluster.createDatabase(name);
  const opened = (name: string, clock: ManualClock) =>
    openPostgresStore({ url: cluster.url(name), indexes: TABLE, clock, lookMs: 1e12 });
  const dump = join(folder.path, "holdpoint.dump");
  await playRestore(
    (clock) => opened("original", clock),
    async () => {
      await run("pg_dump", ["-Fc", "-f", dump, "-d", cluster.url("original")]);
      await run("pg_restore", ["--exit-on-error", "--no-owner", "-d", cluster.url("restored"), dump]);
      return (clock) => opened("restored", clock);
    },
  );
});
