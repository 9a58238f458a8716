/** A primary and its standby, made with Debian's PostgreSQL: what npm brings has neither pg_basebackup nor pg_ctl. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type Cluster, clusterIn, createCluster, OWNER, ownFolder } from "./cluster.ts";

const run = promisify(execFile);
const INSTALLED = "/usr/lib/postgresql";

/** The folder of the newest version's programs. They are installed where they are missing and this process may do that. */
export async function debianBinaries(): Promise<string> {
  const found = () =>
    (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(INSTALLED, version, "bin"))
      .find((bin) => existsSync(join(bin, "pg_basebackup")) && existsSync(join(bin, "initdb")));
  const bin = found();
  if (bin !== undefined) return bin;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["install", "-y", "--no-install-recommends", "postgresql"], { env }).catch(() => null);
  const installed = found();
  if (installed === undefined)
    throw new Error("This test needs PostgreSQL's own tools: apt-get install postgresql");
  return installed;
}

export interface Replicated extends AsyncDisposable {
  readonly primary: Cluster;
  readonly standby: Cluster;
  /** Of a database that is on both. Connections lead to whichever of them is the primary, as behind a proxy. */
  readonly url: string;
  /** Resolves when the standby has applied everything that is committed now. */
  caughtUp(): Promise<void>;
  /** What happens when the machine of the primary fails. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary and leads connections there. */
  promote(): Promise<void>;
}

/** A commit is acknowledged once the standby has it on disk (`on`), once it has applied it, or without waiting for the standby. */
export type Waiting = "on" | "remote_apply" | "none";

export async function replicated(folder: string, waiting: Waiting): Promise<Replicated> {
  const isSynchronous = waiting !== "none";
  const bin = await debianBinaries();
  const binaries = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  const settings = isSynchronous ? [`synchronous_commit=${waiting}`] : [];
  const primary = await createCluster({ folder, binaries, settings });
  const copy = join(folder, "standby");
  ownFolder(copy);
  const from = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "postgres"];
  await run(join(bin, "pg_basebackup"), [...from, "-D", copy, "-R", "-X", "stream", "-c", "fast"], {
    ...{ ...OWNER, cwd: "/" },
  });
  const standby = await clusterIn(copy, binaries, {});
  await standby.start();
  if (isSynchronous) await sql(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await sql(primary, "SELECT pg_reload_conf()");
  while ((await stateOfStandby(primary)) !== (isSynchronous ? "sync" : "async"))
    await new Promise((resolve) => setTimeout(resolve, 20));
  await primary.createDatabase("test");
  const relay = await relayTo(primary.port);
  return {
    primary,
    standby,
    url: `postgres://holdpoint@127.0.0.1:${relay.port}/test`,
    async caughtUp() {
      while (!(await isCaughtUp(primary))) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    killPrimary: () => primary.stop("SIGQUIT"),
    async promote() {
      await run(join(bin, "pg_ctl"), ["promote", "-w", "-D", copy], { ...OWNER, cwd: "/" });
      relay.lead(standby.port);
    },
    async [Symbol.asyncDispose]() {
      await relay.close();
      for (const cluster of [primary, standby]) await cluster.stop("SIGQUIT");
    },
  };
}

async function sql({ port }: Cluster, statement: string) {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function stateOfStandby(primary: Cluster): Promise<unknown> {
  const [row] = await sql(primary, "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'");
  return row?.sync_state;
}

async function isCaughtUp(primary: Cluster): Promise<boolean> {
  const [row] = await sql(
    primary,
    "SELECT replay_lsn >= pg_current_wal_lsn() AS is FROM pg_stat_replication",
  );
  return row?.is === true;
}

async function relayTo(first: number) {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead(port: number): void {
      target = port;
      cut();
    },
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
