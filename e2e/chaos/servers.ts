/** Three servers over one PostgreSQL, and everything that can happen to them. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type Cluster, createCluster } from "../../packages/server/src/testing/postgres/cluster.ts";

const MAIN = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));

const COMPLAINT_MAX = 2_000;

export const AGENT = "chaos-agent-key";
export const OPERATOR = "chaos-operator-key";
export const ADMIN = "chaos-admin-key";

export interface ChaosServer {
  readonly name: string;
  url(): string;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Gone between two instructions. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** What every server is started with, besides its own folder. */
export interface ChaosSettings {
  /** The text of `holdpoint.yaml`. */
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program of another version; absent: this one. */
  readonly main?: string;
}

export function chaosServer(
  name: string,
  databaseUrl: string,
  { config, env, main = MAIN }: ChaosSettings,
): ChaosServer & { forget(): void } {
  const home = mkdtempSync(join(tmpdir(), `holdpoint-chaos-${name}-`));
  const settings = join(home, "holdpoint.yaml");
  writeFileSync(settings, config);
  let child: ChildProcess | null = null;
  let url = "";
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = once(ending, "exit");
    ending.kill(signal);
    await gone;
  };
  return {
    name,
    url: () => url,
    async start() {
      const started = spawn(process.execPath, ["--conditions=@holdpoint/source", main, "start"], {
        env: {
          ...process.env,
          ...env,
          HOLDPOINT_CONFIG: settings,
          HOLDPOINT_HOME: home,
          HOLDPOINT_PORT: "0",
          HOLDPOINT_DATABASE_URL: databaseUrl,
          HOLDPOINT_API_KEYS: `${AGENT}=agent:bot,${OPERATOR}=operator:ada,${ADMIN}=admin:root`,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      let complained = "";
      started.stderr?.on("data", (chunk: Buffer) => {
        complained = (complained + chunk.toString()).slice(-COMPLAINT_MAX);
      });
      await new Promise<void>((resolve, reject) => {
        let heard = "";
        started.stdout?.on("data", (chunk: Buffer) => {
          heard += chunk.toString();
          if (heard.includes("Next, in another terminal")) resolve();
        });
        started.once("exit", (code) => reject(new Error(`${name} ended with ${code}: ${complained}`)));
      });
      url = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")).url;
    },
    signal: (signal) => void child?.kill(signal),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    forget: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface Chaos extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly databaseUrl: string;
  readonly servers: readonly ChaosServer[];
  cutConnections(like: string): Promise<void>;
}

export async function startChaos(count: number, settings: ChaosSettings): Promise<Chaos> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-chaos-postgres-"));
  const cluster = await createCluster({ folder, isDurable: true });
  await cluster.createDatabase("chaos");
  const databaseUrl = cluster.url("chaos");
  const servers = Array.from({ length: count }, (_, at) =>
    chaosServer(`server-${at + 1}`, databaseUrl, settings),
  );
  await Promise.all(servers.map((server) => server.start()));
  return {
    cluster,
    databaseUrl,
    servers,
    async cutConnections(like) {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on("error", () => undefined);
      await client.connect();
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1`,
        [like],
      );
      await client.end();
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.signal("SIGCONT");
      await Promise.all(servers.map((server) => server.kill()));
      for (const server of servers) server.forget();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
