/**
 * The store for several servers over one database.
 *
 * Each server has one connection for its batches, which run there one at a time; batches of different servers are
 * isolated by the locks on the rows they load (S4). Everything else uses a connection pool.
 */

import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { EntityOf } from "../../domains.ts";
import type { OutboxAttempt, OutboxRow, StoredEvent, Timer } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { assertDeclared } from "../indexed.ts";
import type {
  Backlog,
  BacklogName,
  BacklogQuery,
  Census,
  EventQuery,
  Hint,
  HoldSearch,
  HoldSearchPage,
  LaneRooms,
  OutboxQuery,
  Query,
  ScanQuery,
  Shared,
  Spending,
  Spent,
  Store,
  Want,
  Watching,
} from "../port.ts";
import { QueueLock } from "../queue-lock.ts";
import { StoreUnavailable, storeClosed } from "../store-error.ts";
import { typed, typedOne } from "../typed.ts";
import type {
  WaitingCount,
  WaitingFilter,
  WaitingGrouping,
  WaitingGroups,
  WaitingPage,
  WaitingQuery,
} from "../waiting.ts";
import { copyOut } from "./backup.ts";
import { PostgresBatch } from "./batch.ts";
import { takeCensus } from "./census.ts";
import { type Address, type BatchConnection, connect, connectForBatches } from "./connect.ts";
import { DatabaseClock, type LocalClock } from "./database-clock.ts";
import { findEntity, loadEntities, queryEntities } from "./entity-reader.ts";
import { lastPosition, readEvents } from "./event-log.ts";
import { isRefused, storeFault } from "./faults.ts";
import { FreshPlans } from "./fresh-plans.ts";
import { GroupedLoads } from "./grouped-loads.ts";
import { searchHolds } from "./hold-search.ts";
import { type LockName, lockOf } from "./locks.ts";
import { OutboxClaims } from "./outbox-claims.ts";
import {
  dropOutbox,
  listOutbox,
  nextOutboxAt,
  pruneOutbox,
  readBacklogs,
  renewOutbox,
  settleOutbox,
} from "./outbox-table.ts";
import { spend } from "./spending-table.ts";
import { type Sql, sqlOver } from "./sql.ts";
import { dueTimers, nextTimerAt } from "./timer-table.ts";
import { countWaiting, groupWaiting, listWaiting } from "./waiting.ts";
import { toldChannel, Watch } from "./watch.ts";

const SCAN_PAGE = 1000;
const LOST_CONNECTIONS_MAX = 3;

export interface StoreParts {
  readonly address: Address;
  readonly pool: pg.Pool;
  readonly indexes: IndexTable;
  readonly clock: LocalClock;
  readonly isDatabaseTime: boolean;
  readonly searchMs: number;
  readonly lookMs: number;
  /** The end of the log when the store was opened. */
  readonly openedAt: number;
}

export class PostgresStore implements Store, Shared {
  readonly hasOthers = true;
  readonly #parts: StoreParts;
  readonly #sql: Sql;
  readonly #claims: OutboxClaims;
  readonly #loads = new GroupedLoads((wants) => loadEntities(this.#sql, wants));
  readonly #batchLock = new QueueLock();
  readonly #watches = new Set<Watch>();
  readonly #heard = new Set<(text: string) => void>();
  readonly #databaseClock: DatabaseClock;
  readonly #plans: FreshPlans;
  /** Distinguishes this server's notifications from the others'. */
  readonly #name = randomUUID();
  readonly #channel: string;
  readonly #positionLock: readonly [number, number];
  #writer: BatchConnection | null = null;
  #isClosed = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    const { schema } = parts.address;
    this.#channel = `holdpoint_${schema}`;
    this.#positionLock = lockOf(schema, "position");
    this.#databaseClock = new DatabaseClock(parts.clock);
    this.#plans = new FreshPlans(parts.clock);
    parts.pool.on("acquire", (client) => this.#plans.refresh(client));
    const sql = sqlOver(parts.pool, (fault) => (this.#isClosed ? storeClosed() : storeFault(fault)));
    this.#sql = {
      all: async <Row>(text: string, values?: readonly unknown[]) => {
        this.#assertOpen();
        for (let triesLeft = LOST_CONNECTIONS_MAX; ; triesLeft -= 1) {
          try {
            return await sql.all<Row>(text, values);
          } catch (fault) {
            // The database was restarted, and the pool still has broken connections. Each of these statements can be
            // repeated: a claim that was made without our knowledge expires, and settling an attempt twice changes
            // nothing.
            if (triesLeft === 0 || !(fault instanceof StoreUnavailable) || isRefused(fault)) throw fault;
          }
        }
      },
    };
    this.#claims = new OutboxClaims(this.#sql);
  }

  get shared(): Shared {
    return this;
  }

  get lookMs(): number {
    return this.#parts.lookMs;
  }

  /** The time that all servers of this database share. */
  get clock(): LocalClock {
    return this.#parts.isDatabaseTime ? this.#databaseClock : this.#parts.clock;
  }

  async begin(): Promise<PostgresBatch> {
    this.#assertOpen();
    const unlock = await this.#batchLock.acquire();
    try {
      this.#assertOpen();
      const connection = await this.#connected();
      this.#plans.refresh(connection.client);
      const { address, indexes, isDatabaseTime } = this.#parts;
      return new PostgresBatch({
        connection,
        indexes,
        positionLock: this.#positionLock,
        notice: address.notify ? [this.#channel, this.#name] : null,
        ...(isDatabaseTime ? { onClock: (now: number) => this.#databaseClock.set(now) } : {}),
        assertOpen: () => this.#assertOpen(),
        onLost: () => this.#drop(connection),
        onEnd: unlock,
      });
    } catch (fault) {
      unlock();
      throw fault;
    }
  }

  async load<K extends string>(wants: readonly Want<K>[]): Promise<readonly EntityOf<K>[]> {
    return typed(await this.#ifOpen(() => this.#loads.load(wants)));
  }

  async find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined> {
    return typedOne(await findEntity(this.#sql, kind, id));
  }

  async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    assertDeclared(query, this.#parts.indexes);
    return typed(await queryEntities(this.#sql, query));
  }

  events(query: EventQuery): Promise<readonly StoredEvent[]> {
    return readEvents(this.#sql, query);
  }

  async *scan(query: ScanQuery): AsyncIterable<readonly StoredEvent[]> {
    let after: number | undefined = query.after;
    while (after !== undefined) {
      const page: readonly StoredEvent[] = await this.events({ ...query, after, limit: SCAN_PAGE });
      if (page.length > 0) yield page;
      after = page.at(-1)?.position;
    }
  }

  async isWritable(): Promise<boolean> {
    const [found] = await this.#sql.all<{ readonly writable: boolean }>(
      "SELECT current_setting('transaction_read_only') = 'off' AS writable",
    );
    return found?.writable === true;
  }

  lastPosition(): Promise<number> {
    return lastPosition(this.#sql);
  }

  dueTimers(now: number, limit: number): Promise<readonly Timer[]> {
    return dueTimers(this.#sql, now, limit);
  }

  nextTimerAt(): Promise<number | null> {
    // Every server calls this regularly, so that a server without commits also follows the database's time.
    return nextTimerAt(this.#sql, (now) => this.#databaseClock.set(now));
  }

  claimOutbox(now: number, leaseMs: number, limit: number, lanes?: LaneRooms): Promise<readonly OutboxRow[]> {
    return this.#claims.claim(now, leaseMs, limit, lanes);
  }

  nextOutboxAt(): Promise<number | null> {
    return nextOutboxAt(this.#sql);
  }

  settleOutbox(row: OutboxRow): Promise<boolean> {
    return settleOutbox(this.#sql, row);
  }

  pruneOutbox(before: number, limit: number): Promise<number> {
    return pruneOutbox(this.#sql, before, limit);
  }

  renewOutbox(rows: readonly OutboxRow[], until: number): Promise<readonly boolean[]> {
    return renewOutbox(this.#sql, rows, until);
  }

  spend(spendings: readonly Spending[], now: number): Promise<readonly Spent[]> {
    return spend(this.#sql, spendings, now);
  }

  outbox(query: OutboxQuery): Promise<readonly OutboxRow[]> {
    return listOutbox(this.#sql, query);
  }

  backlogs(query: BacklogQuery): Promise<readonly Backlog[]> {
    return readBacklogs(this.#sql, query);
  }

  dropOutbox(backlog: BacklogName, attempt: OutboxAttempt, limit: number): Promise<number> {
    return dropOutbox(this.#sql, backlog, attempt, limit);
  }

  searchHolds(search: HoldSearch): Promise<HoldSearchPage> {
    const { clock, searchMs } = this.#parts;
    const endsAt = clock.now() + searchMs;
    return searchHolds(this.#sql, search, () => clock.now() >= endsAt);
  }

  listWaiting(query: WaitingQuery): Promise<WaitingPage> {
    return listWaiting(this.#sql, query);
  }

  countWaiting(filter: WaitingFilter): Promise<WaitingCount> {
    return countWaiting(this.#sql, filter);
  }

  groupWaiting(filter: WaitingFilter, by: WaitingGrouping): Promise<WaitingGroups> {
    return groupWaiting(this.#sql, filter, by);
  }

  census(now: number): Promise<Census> {
    return takeCensus(this.#sql, now);
  }

  backup(path: string, onProgress: (share: number) => void = () => undefined): Promise<void> {
    const { address, indexes } = this.#parts;
    return this.#ifOpen(() => copyOut(address, path, indexes, onProgress));
  }

  watch(onMore: (hint?: Hint) => void): Watching {
    const { address, clock, openedAt, lookMs } = this.#parts;
    const onTold = (text: string) => {
      for (const heard of this.#heard) heard(text);
    };
    const names = { channel: this.#channel, self: this.#name };
    const watch = new Watch({ address, clock, onMore, onTold, lookMs, ...names });
    this.#watches.add(watch);
    return {
      after: openedAt,
      stop: async () => {
        this.#watches.delete(watch);
        await watch.stop();
      },
    };
  }

  tell(text: string): void {
    if (!this.#parts.address.notify || this.#isClosed) return;
    const values = [toldChannel(this.#channel), `${this.#name} ${text}`];
    this.#sql.all("SELECT pg_notify($1, $2)", values).catch(() => undefined);
  }

  hear(heard: (text: string) => void): void {
    this.#heard.add(heard);
  }

  async alone<T>(name: LockName, work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    const connection = await connect(this.#parts.address);
    try {
      await connection.client.query("SELECT pg_advisory_lock($1::int, $2::int)", [
        ...lockOf(this.#parts.address.schema, name),
      ]);
      return await work();
    } catch (fault) {
      throw storeFault(fault);
    } finally {
      // Closing the connection releases the lock.
      await connection.client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([...this.#watches].map((watch) => watch.stop()));
    await this.#writer?.pipeline.end().catch(() => undefined);
    await this.#parts.pool.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #connected(): Promise<BatchConnection> {
    if (this.#writer !== null && !this.#writer.isBroken()) return this.#writer;
    const fresh = await connectForBatches(this.#parts.address);
    if (this.#isClosed) {
      // `close` did not know of it, and it would keep the process alive.
      this.#drop(fresh);
      throw storeClosed();
    }
    this.#writer = fresh;
    return fresh;
  }

  #drop(connection: BatchConnection): void {
    if (this.#writer === connection) this.#writer = null;
    connection.client.end().catch(() => undefined);
  }

  async #ifOpen<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    return work();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw storeClosed();
  }
}
