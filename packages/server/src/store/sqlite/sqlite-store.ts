/**
 * The embedded store: one file, one writer.
 *
 * Batches run one at a time, so nothing a batch has loaded can change (S4) and reading needs no transaction; the only
 * transaction is the one inside `commit`. SQLite's calls block this thread, so only bounded work runs here; long commits are sent to
 * the commit thread, and the rest to the background thread.
 */

import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityOf } from "../../domains.ts";
import type { OutboxAttempt, OutboxRow, SealedEvent, StoredEvent, Timer } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { assertDeclared } from "../indexed.ts";
import { type LoadRoom, TurnMeter } from "../load-room.ts";
import {
  type Backlog,
  type BacklogName,
  type BacklogQuery,
  type Batch,
  type Census,
  type Changes,
  type Committed,
  type EventQuery,
  type HoldSearch,
  type HoldSearchPage,
  type LaneRooms,
  type OutboxQuery,
  type Put,
  type Query,
  type ScanQuery,
  SOLE,
  type Store,
  type Want,
} from "../port.ts";
import { QueueLock } from "../queue-lock.ts";
import { SerialBatch } from "../serial-batch.ts";
import { storeClosed } from "../store-error.ts";
import { typed, typedOne } from "../typed.ts";
import type {
  WaitingCount,
  WaitingFilter,
  WaitingGrouping,
  WaitingGroups,
  WaitingPage,
  WaitingQuery,
} from "../waiting.ts";
import type { Background } from "./background.ts";
import { Committer } from "./committer.ts";
import { EntityReader } from "./entity-reader.ts";
import { EntityWriter, type PreparedPut } from "./entity-writer.ts";
import { addEvent, EventLog } from "./event-log.ts";
import { readWindow } from "./event-windows.ts";
import { hasRoom } from "./faults.ts";
import { addForget, addMessage, isShortList, OutboxTable } from "./outbox-table.ts";
import { RecentRows } from "./recent-rows.ts";
import { scanEvents } from "./scan.ts";
import { Statements } from "./statements.ts";
import { addRest, addTimer, TimerTable } from "./timer-table.ts";
import { countWaiting, groupWaiting, listWaiting } from "./waiting.ts";
import { ThreadDied } from "./worker-thread.ts";
import { WriteList } from "./writes.ts";

/** How many events are read on this thread: about a millisecond. */
const OWN_WINDOW = 2000;
/** How many rows are written before the write-ahead log is copied into the file: a few megabytes. */
const ROWS_PER_CHECKPOINT = 2000;

export class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #background: Background;
  readonly #statements: Statements;
  #recent = new RecentRows();
  readonly #entities: EntityReader;
  readonly #puts: EntityWriter;
  readonly #indexes: IndexTable;
  readonly #log: EventLog;
  readonly #commits: Committer;
  readonly #timers: TimerTable;
  readonly #outbox: OutboxTable;
  readonly shared = SOLE;
  readonly #batchLock = new QueueLock();
  #rowsSinceCheckpoint = 0;
  #lastCommit: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** `committer`: the program of the commit thread, for tests. */
  constructor(db: DatabaseSync, background: Background, indexes: IndexTable, committer?: URL) {
    this.#db = db;
    this.#background = background;
    this.#statements = new Statements(db);
    this.#entities = new EntityReader(this.#statements);
    this.#indexes = indexes;
    this.#puts = new EntityWriter(this.#statements, indexes);
    this.#log = new EventLog(this.#statements);
    this.#commits = new Committer(db, this.#statements, db.location() ?? "", committer);
    this.#timers = new TimerTable(this.#statements);
    this.#outbox = new OutboxTable(this.#statements);
  }

  async begin(): Promise<Batch> {
    this.#assertOpen();
    const unlock = await this.#batchLock.acquire();
    if (this.#isClosed) {
      unlock();
      throw storeClosed();
    }
    const commit = (changes: Changes) => {
      const committing = this.#commit(changes);
      this.#lastCommit = committing;
      return committing;
    };
    return new SerialBatch(this, commit, unlock);
  }

  async #commit(changes: Changes): Promise<Committed> {
    this.#assertOpen();
    const { puts, events, timers, rests = [], outbox, forget = [] } = changes;
    const prepared = await this.#prepare(puts);
    const list = new WriteList();
    for (const put of prepared) this.#puts.add(put, list);
    for (const event of events) addEvent(event, list);
    for (const { key, dueAt } of timers) addTimer(key, dueAt, list);
    for (const rest of rests) addRest(rest, list);
    for (const row of outbox) addMessage(row, list);
    for (const { workspace, holdId } of forget) addForget(workspace, holdId, list);
    const positions = await this.#commits.commit(list).catch((fault) => this.#afterFault(fault, events));
    for (const put of prepared) this.#recent.add(put);
    this.#countRows(puts.length + events.length + timers.length + outbox.length);
    return { positions };
  }

  /** A commit thread that died may have written its commit: then it counts, or its events would never be published. */
  #afterFault(fault: unknown, events: readonly SealedEvent[]): readonly number[] {
    this.#recent = new RecentRows();
    const written = fault instanceof ThreadDied ? this.#log.positionsOf(events) : undefined;
    if (written === undefined) throw fault;
    return written;
  }

  /** Writes the bodies as text, in several turns of the event loop if they are long (G13). */
  async #prepare(puts: readonly Put[]): Promise<readonly PreparedPut[]> {
    const prepared: PreparedPut[] = [];
    const meter = new TurnMeter();
    for (const put of puts) {
      const one = this.#puts.prepare(put);
      prepared.push(one);
      if (meter.isOver(one.text?.length ?? 0)) await nextTurn();
    }
    return prepared;
  }

  async load<K extends string>(wants: readonly Want<K>[], room?: LoadRoom): Promise<readonly EntityOf<K>[]> {
    this.#assertOpen();
    return typed(await this.#entities.load(wants, { recent: this.#recent, room }));
  }

  async find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined> {
    this.#assertOpen();
    return typedOne(this.#entities.find(kind, id));
  }

  async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    this.#assertOpen();
    assertDeclared(query, this.#indexes);
    return typed(await this.#entities.queryInTurns(query));
  }

  async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    const { events, rest } = readWindow(this.#log, query, OWN_WINDOW);
    if (rest === null) return events;
    return [...events, ...(await this.#background.ask({ kind: "events", query: rest }))];
  }

  scan(query: ScanQuery): AsyncIterable<readonly StoredEvent[]> {
    return scanEvents(query, (page) => this.#background.ask({ kind: "events", query: page }));
  }

  async lastPosition(): Promise<number> {
    this.#assertOpen();
    return this.#log.last();
  }

  /**
   * After a failed write, tries a write that changes nothing: a server that gets no requests until it is healthy
   * would otherwise never notice that it can write again.
   */
  async isWritable(): Promise<boolean> {
    this.#assertOpen();
    if (!this.#commits.isFailing) return true;
    if (!hasRoom(this.#db.location() ?? ".")) return false;
    const { user_version: schema } = this.#db.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    try {
      await this.#commits.write(() =>
        this.#commits.transaction(() => this.#db.exec(`PRAGMA user_version = ${schema}`)),
      );
    } catch {}
    return !this.#commits.isFailing;
  }

  async dueTimers(now: number, limit: number): Promise<readonly Timer[]> {
    return this.readyTimers(now, limit);
  }

  readyTimers(now: number, limit: number): readonly Timer[] {
    this.#assertOpen();
    return this.#timers.ready(now, limit);
  }

  async nextTimerAt(): Promise<number | null> {
    this.#assertOpen();
    return this.#timers.nextAt();
  }

  async claimOutbox(
    now: number,
    leaseMs: number,
    limit: number,
    lanes?: LaneRooms,
  ): Promise<readonly OutboxRow[]> {
    this.#assertOpen();
    return this.#unsynced(() =>
      this.#commits.transaction(() => this.#outbox.claim(now, leaseMs, limit, lanes)),
    );
  }

  async nextOutboxAt(): Promise<number | null> {
    this.#assertOpen();
    return this.#outbox.nextAt();
  }

  async settleOutbox(row: OutboxRow): Promise<boolean> {
    this.#assertOpen();
    return this.#unsynced(() => this.#outbox.settle(row));
  }

  async renewOutbox(rows: readonly OutboxRow[], until: number): Promise<readonly boolean[]> {
    this.#assertOpen();
    return this.#unsynced(() =>
      this.#commits.transaction(() => rows.map((row) => this.#outbox.renew(row, until))),
    );
  }

  async outbox(query: OutboxQuery): Promise<readonly OutboxRow[]> {
    this.#assertOpen();
    return isShortList(query) ? this.#outbox.list(query) : this.#background.ask({ kind: "outbox", query });
  }

  async pruneOutbox(before: number, limit: number): Promise<number> {
    this.#assertOpen();
    return this.#unsynced(() => this.#outbox.prune(before, limit));
  }

  backlogs(query: BacklogQuery): Promise<readonly Backlog[]> {
    return this.#background.ask({ kind: "backlogs", query });
  }

  async dropOutbox(backlog: BacklogName, attempt: OutboxAttempt, limit: number): Promise<number> {
    this.#assertOpen();
    return this.#unsynced(() => this.#outbox.drop(backlog, attempt, limit));
  }

  async searchHolds(search: HoldSearch): Promise<HoldSearchPage> {
    const { ids, resumeAfter } = await this.#background.ask({ kind: "search", search });
    const of = { workspace: search.workspace, kind: "hold" } as const;
    return { holds: typed(await this.#entities.loadInTurns(of, ids)), resumeAfter };
  }

  async listWaiting(query: WaitingQuery): Promise<WaitingPage> {
    this.#assertOpen();
    const { places, next } = listWaiting(this.#statements, query);
    const of = { workspace: query.workspace, kind: "hold" } as const;
    const holds = await this.#entities.loadInTurns(
      of,
      places.map(({ id }) => id),
    );
    return { holds: typed(holds), next };
  }

  async countWaiting(filter: WaitingFilter): Promise<WaitingCount> {
    this.#assertOpen();
    return countWaiting(this.#statements, filter);
  }

  async groupWaiting(filter: WaitingFilter, by: WaitingGrouping): Promise<WaitingGroups> {
    this.#assertOpen();
    return groupWaiting(this.#statements, filter, by);
  }

  census(now: number): Promise<Census> {
    return this.#background.ask({ kind: "census", now });
  }

  backup(path: string, onProgress?: (share: number) => void): Promise<void> {
    return this.#background.ask({ kind: "backup", path }, onProgress);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#lastCommit.catch(() => undefined);
    await this.#commits.close();
    await this.#background.close();
    this.#db.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Outbox state survives a crash of the process at once, and a power failure from the next commit on. An attempt
   * lost that way is repeated, like one whose end was never reported; a sync for each attempt is not worth its cost.
   */
  #unsynced<T>(write: () => T): Promise<T> {
    return this.#commits.write(() => {
      this.#db.exec("PRAGMA synchronous = NORMAL");
      try {
        return write();
      } finally {
        this.#db.exec("PRAGMA synchronous = FULL");
      }
    });
  }

  #countRows(rows: number): void {
    this.#rowsSinceCheckpoint += rows;
    if (this.#rowsSinceCheckpoint < ROWS_PER_CHECKPOINT) return;
    this.#rowsSinceCheckpoint = 0;
    // If it fails, the writer makes its own checkpoint once the log is long enough.
    this.#background.ask({ kind: "checkpoint" }).catch(() => undefined);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw storeClosed();
  }
}
