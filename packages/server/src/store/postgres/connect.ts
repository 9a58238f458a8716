/** Connections to the database, each set up for its use. */

import type { Writable } from "node:stream";
import pg from "pg";
import { StoreError } from "../store-error.ts";
import { storeFault } from "./faults.ts";
import { TYPES } from "./sql.ts";

/** Reads, claims and searches of one server; commits have a connection of their own. */
const POOL_MAX = 8;
const CONNECT_MS = 10_000;
/** No statement of a batch, a read or a claim takes this long: the database ends it, and with it what it has locked. */
const STATEMENT_MS = 20_000;
/** A database that has not said a word by now is gone, and so is the connection. */
const REPLY_MS = 25_000;

export interface Address {
  /** As the driver takes it. */
  readonly url: string;
  readonly schema: string;
  /** Servers wake each other with NOTIFY; without, they only look at the log now and then. */
  readonly notify: boolean;
}

/** `schema` and `notify=off` in the address are ours, the rest is the driver's. What is wrong is said without the password. */
export function readAddress(text: string): Address {
  if (!URL.canParse(text)) {
    throw new StoreError(
      "database_address",
      "The database's address is not a URL. Signs in its password must be percent-encoded.",
    );
  }
  const url = new URL(text);
  const schema = url.searchParams.get("schema") ?? "holdpoint";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StoreError("database_address", `Not a schema's name: ${schema}`, { schema });
  }
  const notify = url.searchParams.get("notify") !== "off";
  url.searchParams.delete("schema");
  url.searchParams.delete("notify");
  return { url: url.href, schema, notify };
}

/**
 * A server that is paused or cut off in the middle of a batch must not keep its locks: the database ends its session. Nor
 * does one wait for ever for a lock. A database that acknowledges before it has synced is told not to (S1). What a role or
 * a database sets for its sessions is for others: statements here must see what was committed before they began (S3).
 *
 * A plan made while the tables were still small is kept for a while, and reads them from end to end once they are large.
 * Every statement here has an index made for it and names the rows it wants (`looked-up.ts`), so plans that read a table, or
 * one list for every row of another, are not considered; nor is any worth compiling.
 */
function settingsFor({ schema }: Address, statementMs: number): string {
  return `SET search_path TO "${schema}"; SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '15s';
    SET statement_timeout = ${statementMs}; SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
    SELECT set_config(name, 'off', false) FROM pg_settings
      WHERE name IN ('enable_seqscan', 'enable_nestloop', 'enable_mergejoin', 'jit')`;
}

/**
 * What a batch asks leaves nothing to choose, so one plan does for all values: to plan a look-up anew for each list of ids,
 * as the database would, takes longer than to do it. Not so of lists, which depend on how many rows a value has.
 */
const ONE_PLAN =
  "SELECT set_config(name, 'force_generic_plan', false) FROM pg_settings WHERE name = 'plan_cache_mode'";

export function openPool(address: Address): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: "holdpoint",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: REPLY_MS,
    max: POOL_MAX,
    types: TYPES,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settingsFor(address, STATEMENT_MS));
    },
  });
  // A connection that breaks while nobody uses it is simply not used again.
  pool.on("error", () => undefined);
  return pool;
}

export interface Connection {
  readonly client: pg.Client;
  isBroken(): boolean;
  /** All that is asked meanwhile leaves in one packet: to write is most of what a statement costs this side. */
  together<T>(ask: () => T): T;
}

export interface ConnectOptions {
  readonly onBroken?: () => void;
  /** For batches, whose statements are short and always the same; a migration or a copy takes what it takes. */
  readonly isForBatches?: boolean;
}

/** Statements on it are sent without waiting for the answers to those before. */
export async function connect(address: Address, options: ConnectOptions = {}): Promise<Connection> {
  const { onBroken = () => undefined, isForBatches = false } = options;
  const client = new pg.Client({
    connectionString: address.url,
    application_name: "holdpoint",
    connectionTimeoutMillis: CONNECT_MS,
    types: TYPES,
    pipeline: true,
    keepAlive: true,
    ...(isForBatches ? { query_timeout: REPLY_MS } : {}),
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
    await client.query(settingsFor(address, isForBatches ? STATEMENT_MS : 0));
    if (isForBatches) await client.query(ONE_PLAN);
  } catch (fault) {
    lose();
    await client.end().catch(() => undefined);
    throw storeFault(fault, false);
  }
  return { client, isBroken: () => broken, together: (ask) => corked(client, ask) };
}

function corked<T>(client: pg.Client, ask: () => T): T {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}
