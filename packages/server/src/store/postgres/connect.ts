/** Opens connections to the database, each with the settings for its use. */

import pg from "pg";
import { StoreError } from "../store-error.ts";
import { storeFault } from "./faults.ts";
import { Pipeline } from "./pipeline.ts";
import { TYPES } from "./sql.ts";

/** For the reads, claims and searches of one server; commits use a connection of their own. */
const POOL_MAX = 8;
const CONNECT_MS = 10_000;
/**
 * No statement of a batch, a read or a claim takes this long. The database cancels a longer one, which releases its
 * locks.
 */
const STATEMENT_MS = 20_000;
/** A connection on which the database has not replied for this long is closed. */
const REPLY_MS = 25_000;

export interface Address {
  /** The URL as the driver takes it. */
  readonly url: string;
  readonly schema: string;
  /** Servers wake each other with NOTIFY; without it, they poll the log. */
  readonly notify: boolean;
}

/**
 * `schema` and `notify=off` in the address are our own parameters, the rest is for the driver. Errors never show the
 * password.
 *
 * `query_timeout` is left out, because every use of a connection has a time limit of its own: the driver's would give
 * up a statement but keep the connection, and the late reply would be taken for that of another statement.
 */
export function readAddress(text: string): Address {
  if (!URL.canParse(text)) {
    throw new StoreError(
      "database_address",
      "The database address is not a URL. Percent-encode special characters in its password.",
    );
  }
  const url = new URL(text);
  const schema = url.searchParams.get("schema") ?? "holdpoint";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StoreError(
      "database_address",
      `The schema name ${schema} is invalid. Use lower-case letters, digits and underscores.`,
      { schema },
    );
  }
  const notify = url.searchParams.get("notify") !== "off";
  for (const name of ["schema", "notify", "query_timeout"]) url.searchParams.delete(name);
  return { url: url.href, schema, notify };
}

/**
 * Settings of every session. The database ends the session of a server that is paused or cut off in the middle of a
 * batch, so that it does not keep its locks; and no session waits for a lock without limit. Synchronous commits are
 * turned on if they are off (S1). Defaults that a role or a database sets are overridden: statements here must see
 * what was committed before they began (S3).
 *
 * A plan made while the tables were small is cached for a while and would then scan large tables. Every statement
 * here has an index made for it and names the rows it wants (`key-conditions.ts`), so sequential scans, nested loops
 * and merge joins are turned off; so is JIT compilation.
 */
function settingsFor({ schema }: Address, statementMs: number): string {
  return `SET search_path TO "${schema}"; SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '15s';
    SET statement_timeout = ${statementMs}; SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
    SELECT set_config(name, 'off', false) FROM pg_settings
      WHERE name IN ('enable_seqscan', 'enable_nestloop', 'enable_mergejoin', 'jit')`;
}

/**
 * Generic plans for batch connections. Batch statements look rows up by key, so one plan fits all values, and
 * planning each list of ids again takes longer than running it. Lists do not use this: their best plan depends on how
 * many rows a value has.
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
  // The pool does not reuse an idle connection that broke.
  pool.on("error", () => undefined);
  return pool;
}

export interface Connection {
  readonly client: pg.Client;
  isBroken(): boolean;
}

export interface ConnectOptions {
  readonly onBroken?: () => void;
}

/** For migrations, copies and LISTEN: the driver pipelines statements, and they run without a time limit. */
export function connect(address: Address, options: ConnectOptions = {}): Promise<Connection> {
  return opened(address, { pipeline: true }, [settingsFor(address, 0)], options.onBroken);
}

export interface BatchConnection extends Connection {
  readonly pipeline: Pipeline;
}

/** For batches, whose statements are short and always the same. */
export async function connectForBatches(address: Address): Promise<BatchConnection> {
  const settings = [settingsFor(address, STATEMENT_MS), ONE_PLAN];
  const connection = await opened(address, {}, settings);
  return { ...connection, pipeline: new Pipeline(connection.client, REPLY_MS) };
}

async function opened(
  address: Address,
  config: pg.ClientConfig,
  settings: readonly string[],
  onBroken: () => void = () => undefined,
): Promise<Connection> {
  const client = new pg.Client({
    connectionString: address.url,
    application_name: "holdpoint",
    connectionTimeoutMillis: CONNECT_MS,
    types: TYPES,
    keepAlive: true,
    ...config,
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
    for (const text of settings) {
      const limited = { text, query_timeout: REPLY_MS };
      await client.query(limited);
    }
  } catch (fault) {
    lose();
    await client.end().catch(() => undefined);
    throw storeFault(fault, false);
  }
  return { client, isBroken: () => broken };
}
