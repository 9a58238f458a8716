/** Runs a server on a port. Stopping it loses no request. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import {
  addressesOf,
  agUiFrom,
  channelsFrom,
  chatPlatformsFrom,
  chatsFrom,
  outgoingFrom,
  platformFrom,
  signInFrom,
  trustedProxiesFrom,
} from "./configured.ts";
import { TABLE } from "./domains.ts";
import { defaultHeaders } from "./faces/http/respond.ts";
import { seedPeople } from "./people-seed.ts";
import { createServer, type LogEntry, type Server } from "./server.ts";
import type { FileStore } from "./store/file-port.ts";
import type { Store } from "./store/port.ts";
import { filesFolderOf, folderFiles } from "./store/sqlite/folder-files.ts";
import { HomeLock } from "./store/sqlite/home-lock.ts";
import { openSqliteStore } from "./store/sqlite/open.ts";
import { anchorFile } from "./system/anchor-file.ts";
import { type Clock, systemClock } from "./system/clock.ts";
import { type Config, ConfigError, type Environment } from "./system/config.ts";
import { sealerOf } from "./system/sealing.ts";
import { sealerFromFile } from "./system/secret-key.ts";
import { resultSignerFromFile, signerFromFile } from "./system/signing.ts";
import { loadWebPages } from "./web-pages.ts";
import { applySettings } from "./workspace-settings.ts";

export interface Serving {
  readonly server: Server;
  readonly config: Config;
  readonly address: string;
  /**
   * Until `gone` resolves, the server still serves requests, reports not ready, and closes each connection after its
   * response, so that a load balancer can move to other servers.
   */
  close(gone?: Promise<void>): Promise<void>;
}

export async function serve(
  config: Config,
  env: Environment,
  log: (entry: LogEntry) => void,
): Promise<Serving> {
  const clock = systemClock;
  const lock = HomeLock.take(config.home, {
    pid: process.pid,
    since: new Date(clock.now()).toISOString(),
    url: null,
  });
  try {
    return await serveLocked(config, env, log, lock);
  } catch (fault) {
    lock.release();
    throw fault;
  }
}

async function serveLocked(
  config: Config,
  env: Environment,
  log: (entry: LogEntry) => void,
  lock: HomeLock,
): Promise<Serving> {
  const port = await takePort(config);
  try {
    const server = await startServer(config, port.publicUrl, env, log);
    const stopWatching = watchClock(server);
    port.handOver(server.app.fetch);
    lock.announce(port.address);
    return {
      server,
      config,
      address: port.address,
      async close(gone) {
        port.leave();
        await gone;
        const closed = port.refuseNew();
        stopWatching();
        await server.stop();
        port.hangUp();
        await closed;
        lock.release();
      },
    };
  } catch (fault) {
    port.hangUp();
    await port.refuseNew();
    throw fault;
  }
}

const LOOK_AT_CLOCK_MS = 30_000;

/** A server that nobody calls notices too that its clock was set back, and its timers come in time. Returns how to stop. */
function watchClock({ engine }: Server): () => void {
  let stop = () => {};
  const look = () => {
    engine.clock.now();
    stop = systemClock.at(systemClock.now() + LOOK_AT_CLOCK_MS, look);
  };
  look();
  return () => stop();
}

async function startServer(
  config: Config,
  publicUrl: string,
  env: Environment,
  log: (entry: LogEntry) => void,
): Promise<Server> {
  const opened = await openStore(config);
  let server: Server | undefined;
  try {
    server = await serverOver(opened, config, publicUrl, env, log);
    await server.start();
    await applySettings(server.engine, config);
    await seedPeople(server.engine, config);
    return server;
  } catch (fault) {
    // An open store would keep the process alive although it serves nothing.
    await server?.stop().catch(() => undefined);
    await opened.store.close().catch(() => undefined);
    await opened.files.close().catch(() => undefined);
    throw fault;
  }
}

async function serverOver(
  { store, files, clock }: Opened,
  config: Config,
  publicUrl: string,
  env: Environment,
  log: (entry: LogEntry) => void,
): Promise<Server> {
  const pages = await loadWebPages();
  const isTrustedProxy = trustedProxiesFrom(config.trustedProxies);
  const outgoing = outgoingFrom(config.webhookAllow, config.isLocal, clock);
  return createServer({
    store,
    files,
    clock,
    outgoing,
    signer: signerFromFile(config.signingKeyFile),
    anchor: anchorFile(config.anchorFile),
    resultSigner: resultSignerFromFile(config.resultKeyFile),
    publicUrl,
    keys: config.apiKeys,
    isLocal: config.isLocal,
    allowDev: config.allowDev,
    corsOrigins: config.corsOrigins,
    ...(isTrustedProxy === undefined ? {} : { isTrustedProxy }),
    signIn: signInFrom(config, env),
    ...(config.mcpOAuth === undefined ? {} : { mcpOAuth: config.mcpOAuth }),
    people: Object.keys(config.people),
    channels: channelsFrom(config, { env, outgoing, clock }),
    chats: chatsFrom(config, { env, clock }),
    sealer:
      config.secretKey === undefined ? sealerFromFile(config.secretKeyFile) : sealerOf(config.secretKey),
    chatPlatforms: chatPlatformsFrom(config),
    platform: platformFrom(config),
    rotas: config.rotas,
    addressOf: addressesOf(config),
    activationGate: config.activationGate,
    defaultAccess: config.defaultAccess,
    agUi: agUiFrom(config, clock),
    ...(pages === undefined ? {} : { pages }),
    log,
  });
}

function notReady(headers: Readonly<Record<string, string>>): Response {
  const body = { status: "not_ready", checks: { serving: "failing" } };
  return Response.json(body, { status: 503, headers });
}

type Fetch = Server["app"]["fetch"];

/** Listens before the server is built: review links contain the port number, and a taken port is reported first. */
async function takePort({ port: wanted, host, publicUrl }: Config) {
  const headers = defaultHeaders(publicUrl);
  let fetch: Fetch = () => new Response(null, { status: 503, headers: { ...headers, "retry-after": "1" } });
  const http = createAdaptorServer({ fetch: (request, env) => fetch(request, env) });
  // Longer than proxies and clients keep idle connections, so that this server never closes one that is about to be reused.
  if ("keepAliveTimeout" in http) http.keepAliveTimeout = 120_000;
  let isLeaving = false;
  http.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (isLeaving) response.shouldKeepAlive = false;
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", (fault) => reject(portFault(fault, `${host}:${wanted}`)));
    http.listen(wanted, host, () => resolve());
  });
  const { port, address } = http.address() as AddressInfo;
  return {
    address: `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    publicUrl: publicUrl.replace(/:0$/, `:${port}`),
    handOver(handler: Fetch) {
      fetch = handler;
    },
    leave() {
      isLeaving = true;
      const serving = fetch;
      fetch = (request, env) =>
        new URL(request.url).pathname === "/readyz" ? notReady(headers) : serving(request, env);
    },
    refuseNew(): Promise<void> {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // Streams and long polls do not end by themselves, so closing waits for hangUp(); idle connections are closed now.
      if ("closeIdleConnections" in http) http.closeIdleConnections();
      return closed;
    },
    hangUp() {
      if ("closeAllConnections" in http) http.closeAllConnections();
    },
  };
}

/** Explains the most common errors of a first start and says what to do. */
function portFault(fault: NodeJS.ErrnoException, place: string): Error {
  if (fault.code === "EADDRINUSE") {
    return new ConfigError(
      `${place} is taken by another program: stop it, or set HOLDPOINT_PORT to a free port`,
    );
  }
  if (fault.code === "EACCES") return new ConfigError(`HOLDPOINT_PORT: this user may not listen on ${place}`);
  if (fault.code === "EADDRNOTAVAIL" || fault.code === "ENOTFOUND") {
    return new ConfigError(`HOLDPOINT_HOST: ${place} is not an address of this machine`);
  }
  return fault;
}

interface Opened {
  readonly store: Store;
  readonly files: FileStore;
  readonly clock: Clock;
}

/** Servers that share a PostgreSQL database use the database's clock. */
export async function openStore({ databaseUrl }: Config): Promise<Opened> {
  if (databaseUrl.startsWith("sqlite:")) {
    const path = databaseUrl.slice("sqlite:".length);
    const files = folderFiles(filesFolderOf(path));
    return { store: openSqliteStore({ path, indexes: TABLE }), files, clock: systemClock };
  }
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError(`HOLDPOINT_DATABASE_URL: cannot open ${databaseUrl.split(":")[0]} databases`);
  }
  const { openPostgresStore } = await import("./store/postgres/open.ts");
  const store = await openPostgresStore({
    url: databaseUrl,
    indexes: TABLE,
    clock: systemClock,
    isDatabaseTime: true,
  });
  const { postgresFiles } = await import("./store/postgres/file-table.ts");
  return { store, files: postgresFiles(databaseUrl), clock: store.clock };
}
