/**
 * The reference implementation of the store port, for tests and simulations. "Durable" means: in the `MemoryData`
 * that it was given and that the next store can be opened on.
 */

import type { EntityOf } from "../../domains.ts";
import type { OutboxAttempt, OutboxRow, StoredEvent, Timer } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { assertDeclared } from "../indexed.ts";
import { LanePick, Turns } from "../lane-pick.ts";
import type { LoadRoom } from "../load-room.ts";
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
  type Query,
  type ScanQuery,
  type Shared,
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
import { emptyMemory, findRow, type MemoryData, outboxName, type Row, writeMemory } from "./data.ts";
import type { MemoryPeers } from "./memory-peers.ts";
import {
  entityOf,
  findEntity,
  newestDue,
  queryBacklogs,
  queryEntities,
  queryEvents,
  queryOutbox,
  readyAt,
  searchHolds,
  settledBefore,
  takeCensus,
  timersByReady,
  waitingByDue,
} from "./read.ts";
import { countWaiting, groupWaiting, listWaiting } from "./waiting.ts";
import { applyChanges } from "./write.ts";

const SCAN_PAGE = 1000;

export interface MemoryStoreOptions {
  readonly indexes: IndexTable;
  readonly data?: MemoryData;
  /** Of other stores over the same data; none by default. */
  readonly peers?: MemoryPeers;
}

export class MemoryStore implements Store {
  readonly #indexes: IndexTable;
  readonly #data: MemoryData;
  readonly #turns = new Turns();
  readonly shared: Shared;
  readonly #peers: MemoryPeers | undefined;
  readonly #batchLock: QueueLock;
  #isClosed = false;

  constructor({ indexes, data = emptyMemory(), peers }: MemoryStoreOptions) {
    this.#indexes = indexes;
    this.#data = data;
    this.#peers = peers;
    this.#batchLock = peers?.batches ?? new QueueLock();
    this.shared = peers?.sharedOf(this, () => data.events.length) ?? SOLE;
  }

  async begin(): Promise<Batch> {
    this.#open();
    const unlock = await this.#batchLock.acquire();
    if (this.#isClosed) {
      unlock();
      throw storeClosed();
    }
    return new SerialBatch(this, (changes) => this.#commit(changes), unlock);
  }

  #commit(changes: Changes): Committed {
    const positions = applyChanges(this.#open(), changes, this.#indexes);
    if (changes.events.length > 0) this.#peers?.committed(this, changes.events);
    return { positions };
  }

  async load<K extends string>(wants: readonly Want<K>[], room?: LoadRoom): Promise<readonly EntityOf<K>[]> {
    const data = this.#open();
    const rows: Row[] = [];
    for (const want of wants) {
      const row = findRow(data, want);
      if (row === undefined) continue;
      if (room?.admits(want, row.body.length) === false) {
        room.refuse(wants.slice(wants.indexOf(want) + 1));
        break;
      }
      rows.push(row);
    }
    return typed(rows.map(entityOf));
  }

  async find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined> {
    return typedOne(findEntity(this.#open(), kind, id));
  }

  async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    assertDeclared(query, this.#indexes);
    return typed(queryEntities(this.#open(), query));
  }

  async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    return queryEvents(this.#open(), query);
  }

  async *scan(query: ScanQuery): AsyncIterable<readonly StoredEvent[]> {
    let { after } = query;
    for (;;) {
      const page = await this.events({ ...query, after, limit: SCAN_PAGE });
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      after = last.position;
    }
  }

  async lastPosition(): Promise<number> {
    return this.#open().events.length;
  }

  async dueTimers(now: number, limit: number): Promise<readonly Timer[]> {
    return this.readyTimers(now, limit);
  }

  readyTimers(now: number, limit: number): readonly Timer[] {
    return timersByReady(this.#open())
      .filter((timer) => readyAt(timer) <= now)
      .slice(0, limit)
      .map(({ key, dueAt }) => ({ key, dueAt }));
  }

  async nextTimerAt(): Promise<number | null> {
    const [first] = timersByReady(this.#open());
    return first === undefined ? null : readyAt(first);
  }

  async isWritable(): Promise<boolean> {
    return true;
  }

  async claimOutbox(
    now: number,
    leaseMs: number,
    limit: number,
    lanes?: LaneRooms,
  ): Promise<readonly OutboxRow[]> {
    const data = this.#open();
    const pick = new LanePick<OutboxRow>(limit, lanes);
    const due = waitingByDue(data).filter(({ dueAt }) => dueAt <= now);
    if (lanes === undefined) pick.take(due);
    else pick.takeInTurn(due, lanes, this.#turns);
    return pick.rows.map((row) => {
      const claimed = { ...row, dueAt: now + leaseMs, claim: row.claim + 1 };
      data.outbox.set(outboxName(row), claimed);
      return structuredClone(claimed);
    });
  }

  async nextOutboxAt(): Promise<number | null> {
    return waitingByDue(this.#open())[0]?.dueAt ?? null;
  }

  async settleOutbox(row: OutboxRow): Promise<boolean> {
    const data = this.#open();
    const stored = data.outbox.get(outboxName(row));
    if (stored?.claim !== row.claim) return false;
    const { state, attempts, dueAt, lane } = structuredClone(row);
    data.outbox.set(outboxName(row), { ...stored, state, attempts, dueAt, lane });
    return true;
  }

  async renewOutbox(rows: readonly OutboxRow[], until: number): Promise<readonly boolean[]> {
    const { outbox } = this.#open();
    return rows.map((row) => {
      const stored = outbox.get(outboxName(row));
      if (stored?.state !== "waiting" || stored.claim !== row.claim) return false;
      outbox.set(outboxName(row), { ...stored, dueAt: until });
      return true;
    });
  }

  async outbox(query: OutboxQuery): Promise<readonly OutboxRow[]> {
    return queryOutbox(this.#open(), query);
  }

  async pruneOutbox(before: number, limit: number): Promise<number> {
    const data = this.#open();
    const old = settledBefore(data, before).slice(0, limit);
    for (const row of old) data.outbox.delete(outboxName(row));
    return old.length;
  }

  async backlogs(query: BacklogQuery): Promise<readonly Backlog[]> {
    return queryBacklogs(this.#open(), query);
  }

  async dropOutbox(backlog: BacklogName, attempt: OutboxAttempt, limit: number): Promise<number> {
    const data = this.#open();
    const dropped = newestDue(data, backlog, attempt.at).slice(0, limit);
    for (const row of dropped) {
      const attempts = [...row.attempts, attempt];
      const given = { ...row, state: "failed", attempts, dueAt: null, claim: row.claim + 1 } as const;
      data.outbox.set(outboxName(row), given);
    }
    return dropped.length;
  }

  async searchHolds(search: HoldSearch): Promise<HoldSearchPage> {
    return searchHolds(this.#open(), search);
  }

  async listWaiting(query: WaitingQuery): Promise<WaitingPage> {
    return listWaiting(this.#open(), query);
  }

  async countWaiting(filter: WaitingFilter): Promise<WaitingCount> {
    return countWaiting(this.#open(), filter);
  }

  async groupWaiting(filter: WaitingFilter, by: WaitingGrouping): Promise<WaitingGroups> {
    return groupWaiting(this.#open(), filter, by);
  }

  async census(now: number): Promise<Census> {
    return takeCensus(this.#open(), now);
  }

  async backup(path: string, onProgress?: (share: number) => void): Promise<void> {
    await writeMemory(this.#open(), path);
    onProgress?.(1);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#peers?.left(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #open(): MemoryData {
    if (this.#isClosed) throw storeClosed();
    return this.#data;
  }
}
