/**
 * One batch is one transaction. Statements are sent together to save round trips: BEGIN with the first load, and
 * everything that is written with the COMMIT.
 */

import type { EntityOf } from "../../domains.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { endedBy, endedText } from "../ended.ts";
import type { LoadRoom } from "../load-room.ts";
import type { Batch, Changes, Committed, Due, EventQuery, Query, Want } from "../port.ts";
import { StoreUnavailable } from "../store-error.ts";
import { typed, typedOne } from "../typed.ts";
import type { BatchConnection } from "./connect.ts";
import { findEntity, lockEntities, queryEntities } from "./entity-reader.ts";
import { inParts, type PreparedPut, preparePuts, writePuts } from "./entity-writer.ts";
import { appendEvents, prepareEvents, readEvents } from "./event-log.ts";
import { storeFault } from "./faults.ts";
import { OneStatement } from "./one-statement.ts";
import { forgetRecipients, insertOutbox } from "./outbox-table.ts";
import type { Reply } from "./pipeline.ts";
import { type Sql, sqlOver } from "./sql.ts";
import { restTimers, takeDue, writeTimers } from "./timer-table.ts";

const CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at";

export interface BatchParts {
  readonly connection: BatchConnection;
  readonly indexes: IndexTable;
  readonly positionLock: readonly [number, number];
  /** The channel that other servers listen on, and this server's name; `null`: notifications are off. */
  readonly notice: readonly [channel: string, from: string] | null;
  /** Called with the database's time whenever it was read; absent: it is not read. */
  readonly onClock?: (now: number) => void;
  assertOpen(): void;
  /** Called when the state of the connection is unknown. */
  onLost(): void;
  onEnd(): void;
}

export class PostgresBatch implements Batch {
  readonly #parts: BatchParts;
  readonly #sql: Sql;
  #hasBegun = false;
  #isCommitting = false;
  /** A batch of timers waits for no row: another server that has locked one may wait for a row of this batch. */
  #isForTimers = false;
  #hasEnded = false;
  /** Set even if the connection still answers: after a failover, an old connection stays read-only. */
  #isLost = false;
  #now: number | undefined;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    // Once COMMIT was sent, a lost connection leaves it unknown whether the commit happened.
    this.#sql = sqlOver(parts.connection.pipeline, (fault) => {
      const known = storeFault(fault, !this.#isCommitting);
      this.#isLost ||= known instanceof StoreUnavailable;
      return known;
    });
  }

  now(serverNow: number): number {
    return this.#now ?? serverNow;
  }

  async load<K extends string>(wants: readonly Want<K>[], room?: LoadRoom): Promise<readonly EntityOf<K>[]> {
    const isAtOnce = this.#isForTimers;
    return typed(await this.#locking((sql) => lockEntities(sql, wants, { isAtOnce, room })));
  }

  due(now: number, limit: number, room?: LoadRoom): Promise<readonly Due[]> {
    this.#isForTimers = true;
    return this.#locking((sql) => takeDue(sql, { now, limit, room }));
  }

  async find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined> {
    return typedOne(await this.#together(() => findEntity(this.#begin(), kind, id)));
  }

  async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    return typed(await this.#together(() => queryEntities(this.#begin(), query)));
  }

  async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    return this.#together(() => readEvents(this.#begin(), query));
  }

  async commit(changes: Changes): Promise<Committed> {
    this.#assertRunning();
    try {
      this.#parts.assertOpen();
      const parts = inParts(await preparePuts(changes.puts, this.#parts.indexes));
      // An error while the statements are issued must not leave some of them before a COMMIT.
      const events = prepareEvents(changes.events);
      if (parts.length > 1) await this.#sendEarly(parts.slice(0, -1));
      const puts = parts.at(-1) ?? [];
      const { appended, written, committed } = this.#together(() => this.#send(puts, events, changes));
      await throwFirstFailure([...written, appended]);
      await this.#confirm(committed);
      return { positions: await appended };
    } catch (fault) {
      await this.#rollBack();
      throw fault;
    } finally {
      this.#end();
    }
  }

  async release(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#rollBack();
    this.#end();
  }

  /** Loads with locks, and reads the database's time after the locks are held. */
  async #locking<T>(ask: (sql: Sql) => Promise<T>): Promise<T> {
    const [locked, at] = await this.#together(() => {
      const sql = this.#begin();
      const locking = ask(sql);
      const clock = this.#parts.onClock === undefined ? null : sql.all<{ readonly at: number }>(CLOCK);
      return Promise.allSettled([locking, clock]);
    });
    if (locked.status === "rejected") throw locked.reason;
    if (at.status === "fulfilled" && at.value?.[0] !== undefined) {
      this.#now = at.value[0].at;
      this.#parts.onClock?.(this.#now);
    }
    return locked.value;
  }

  /** Where there are too many long rows for one statement, each part is sent when the one before is written (G13). */
  async #sendEarly(parts: readonly (readonly PreparedPut[])[]): Promise<void> {
    for (const puts of parts) {
      const statements = this.#together(() => {
        const rows = new OneStatement();
        writePuts(rows, puts);
        return rows.send(this.#begin());
      });
      await throwFirstFailure(statements);
    }
  }

  #send(puts: readonly PreparedPut[], events: ReturnType<typeof prepareEvents>, changes: Changes) {
    const sql = this.#begin();
    const { connection, positionLock, notice } = this.#parts;
    this.#isCommitting = true;
    const rows = new OneStatement();
    writePuts(rows, puts);
    writeTimers(rows, changes.timers);
    restTimers(rows, changes.rests ?? []);
    const written = [
      ...rows.send(sql),
      ...insertOutbox(sql, changes.outbox),
      ...forgetRecipients(sql, changes.forget ?? []),
    ];
    const told = notice && ([...notice, endedText(endedBy(changes.events))] as const);
    const appended = appendEvents(sql, positionLock, events, told);
    const committed = connection.pipeline.query({ text: "COMMIT" });
    // If a statement before it fails, so does the COMMIT.
    committed.catch(() => undefined);
    return { appended, written, committed };
  }

  #together<T>(ask: () => T): T {
    return this.#parts.connection.pipeline.together(ask);
  }

  /** Sends BEGIN before the first statement, without waiting for its reply. */
  #begin(): Sql {
    this.#assertRunning();
    this.#parts.assertOpen();
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      // If it fails, so does the statement after it.
      this.#parts.connection.pipeline.query({ text: "BEGIN" }).catch(() => undefined);
    }
    return this.#sql;
  }

  /** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK instead of an error. */
  async #confirm(committed: Promise<Reply>): Promise<void> {
    let tag: string;
    try {
      ({ tag } = await committed);
    } catch (fault) {
      this.#parts.onLost();
      throw storeFault(fault, false);
    }
    this.#hasBegun = false;
    if (tag !== "COMMIT")
      throw new Error(`the transaction was not committed: PostgreSQL answered COMMIT with ${tag}`);
  }

  async #rollBack(): Promise<void> {
    if (!this.#hasBegun) return;
    this.#hasBegun = false;
    try {
      await this.#parts.connection.pipeline.query({ text: "ROLLBACK" });
    } catch {
      this.#parts.onLost();
    }
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#isLost) this.#parts.onLost();
    this.#parts.onEnd();
  }

  #assertRunning(): void {
    if (this.#hasEnded) throw new Error("Invariant: the batch has ended and cannot be used again");
  }
}

/** Waits for every statement, then throws the error of the first one that failed. */
async function throwFirstFailure(statements: readonly (Promise<unknown> | null)[]): Promise<void> {
  const results = await Promise.allSettled(statements);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
