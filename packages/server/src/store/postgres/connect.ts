/** Connections to the database, each set up for its use. */

import pg from "pg";
import { storeFault } from "./faults.ts";
import { TYPES } from "./sql.ts";

/** Reads, claims and searches of one server; commits have a connection of their own. */
const POOL_MAX = 8;
const CONNECT_MS = 10_000;

export interface Address {
  /** As the driver takes it. */
  readonly url: string;
  readonly schema: string;
  /** Servers wake each other with NOTIFY; without, they only look at the log now and then. */
  readonly notify: boolean;
}

/** `schema` and `notify=off` in the address are ours, the rest is the driver's. */
export function readAddress(text: string): Address {
  const url = new URL(text);
  const schema = url.searchParams.get("schema") ?? "holdpoint";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`not a schema's name: ${schema}`);
  const notify = url.searchParams.get("notify") !== "off";
  url.searchParams.delete("schema");
  url.searchParams.delete("notify");
  return { url: url.href, schema, notify };
}

/**
 * A server that is paused or cut off in the middle of a batch must not keep its locks: the database ends its session. Nor
 * does one wait for ever for a lock. A database that acknowledges before it has synced is told not to (S1).
 */
function settingsFor({ schema }: Address): string {
  return `SET search_path TO "${schema}"; SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '15s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
}

export function openPool(address: Address): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: "holdpoint",
    connectionTimeoutMillis: CONNECT_MS,
    max: POOL_MAX,
    types: TYPES,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settingsFor(address));
    },
  });
  // A connection that breaks while nobody uses it is simply not used again.
  pool.on("error", () => undefined);
  return pool;
}

export interface Connection {
  readonly client: pg.Client;
  isBroken(): boolean;
}

/** Statements on it are sent without waiting for the answers to those before. */
export async function connect(address: Address, onBroken: () => void = () => undefined): Promise<Connection> {
  const client = new pg.Client({
    connectionString: address.url,
    application_name: "holdpoint",
    connectionTimeoutMillis: CONNECT_MS,
    types: TYPES,
    pipeline: true,
    keepAlive: true,
  });
  let broken = false;
  const lose = () => {
    if (broken) return;
    broken = true;
    onBroken();
  };
  client.on("error", lose);
  client.on("end", lose);
  try {
    await client.connect();
    await client.query(settingsFor(address));
  } catch (fault) {
    lose();
    await client.end().catch(() => undefined);
    throw storeFault(fault, false);
  }
  return { client, isBroken: () => broken };
}
