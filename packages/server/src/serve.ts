/** A server on a port: configuration in, address out, and an end that loses no request. */

import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { indexOf } from "./core/indexes.ts";
import { channelsFrom, outgoingFrom } from "./deliveries.ts";
import { createServer, type LogEntry, type Server } from "./server.ts";
import type { Store } from "./store/port.ts";
import { HomeLock } from "./store/sqlite/home-lock.ts";
import { openSqliteStore } from "./store/sqlite/open.ts";
import { systemClock } from "./system/clock.ts";
import { type Config, ConfigError, type Environment, isLocal } from "./system/config.ts";
import { resultSignerFromFile, signerFromFile } from "./system/signing.ts";
import { loadWebPages } from "./web-pages.ts";
import { applySettings } from "./workspace-settings.ts";

export interface Serving {
  readonly server: Server;
  readonly config: Config;
  readonly address: string;
  close(): Promise<void>;
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
  const clock = systemClock;
  const store = openStore(config);
  const pages = await loadWebPages();
  const outgoing = outgoingFrom(config.webhookAllow, isLocal(config.publicUrl), clock);
  const server = createServer({
    store,
    clock,
    outgoing,
    signer: signerFromFile(config.signingKeyFile),
    resultSigner: resultSignerFromFile(config.resultKeyFile),
    publicUrl: config.publicUrl,
    keys: config.apiKeys,
    allowDev: config.allowDev,
    channels: channelsFrom(config.channels, env, outgoing, clock),
    recipients: recipientsOf(config),
    redact: config.redact,
    ...(pages === undefined ? {} : { pages }),
    log,
  });
  await server.start();
  await applySettings(server.engine, config);
  const http = createAdaptorServer({ fetch: server.app.fetch });
  // Longer than any proxy or client keeps an idle connection, so that it is never us who cut one just being used again.
  if ("keepAliveTimeout" in http) http.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(config.port, config.host, () => resolve());
  });
  const { port, address: host } = http.address() as AddressInfo;
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  lock.announce(address);
  return {
    server,
    config,
    address,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // Streams and long polls never end by themselves; idle connections hold nothing back.
      if ("closeIdleConnections" in http) http.closeIdleConnections();
      await server.stop();
      if ("closeAllConnections" in http) http.closeAllConnections();
      await closed;
      lock.release();
    },
  };
}

function openStore(config: Config): Store {
  const { databaseUrl } = config;
  if (!databaseUrl.startsWith("sqlite:")) {
    throw new ConfigError(`HOLDPOINT_DATABASE_URL: cannot open ${databaseUrl.split(":")[0]} databases`);
  }
  return openSqliteStore({ path: databaseUrl.slice("sqlite:".length), indexOf });
}

/** Whom agents may have told: people by name or address, and what is allowed besides. */
function recipientsOf({ people, notifyAllow }: Config): readonly string[] {
  const known = Object.entries(people).flatMap(([name, { email }]) =>
    email === undefined ? [name] : [name, email],
  );
  return [...known, ...notifyAllow];
}
