/**
 * The reference implementation of the store port, for tests and simulations. "Durable" means: in the `MemoryData` given to
 * it, which the next store may be opened on.
 */

import type { Entity, IndexOf, Kind } from "../../core/entity.ts";
import type { OutboxAttempt, OutboxRow, StoredEvent, Timer } from "../../core/record.ts";
import { LanePick } from "../lane-pick.ts";
import type {
  Backlog,
  BacklogName,
  BacklogQuery,
  Batch,
  Census,
  Changes,
  Committed,
  EventQuery,
  HoldSearch,
  HoldSearchPage,
  LaneRooms,
  OutboxQuery,
  Query,
  ScanQuery,
  Store,
  Want,
} from "../port.ts";
import { storeClosed } from "../store-error.ts";
import { TurnBatch } from "../turn-batch.ts";
import { Turns } from "../turns.ts";
import { emptyMemory, findRow, type MemoryData, outboxName, type Row, writeMemory } from "./data.ts";
import {
  entityOf,
  findEntity,
  newestDue,
  queryBacklogs,
  queryEntities,
  queryEvents,
  queryOutbox,
  searchHolds,
  settledBefore,
  takeCensus,
  timersByDue,
  waitingByDue,
} from "./read.ts";
import { applyChanges } from "./write.ts";

const SCAN_PAGE = 1000;

export interface MemoryStoreOptions {
  readonly indexOf: IndexOf;
  readonly data?: MemoryData;
}

export class MemoryStore implements Store {
  readonly #indexOf: IndexOf;
  readonly #data: MemoryData;
  readonly #turns = new Turns();
  #isClosed = false;

  constructor({ indexOf, data = emptyMemory() }: MemoryStoreOptions) {
    this.#indexOf = indexOf;
    this.#data = data;
  }

  async begin(): Promise<Batch> {
    this.#open();
    const endTurn = await this.#turns.take();
    if (this.#isClosed) {
      endTurn();
      throw storeClosed();
    }
    return new TurnBatch(this, (changes) => this.#commit(changes), endTurn);
  }

  #commit(changes: Changes): Committed {
    return { positions: applyChanges(this.#open(), changes, this.#indexOf) };
  }

  async load(wants: readonly Want[]): Promise<readonly Entity[]> {
    const data = this.#open();
    return wants
      .map((want) => findRow(data, want))
      .filter((row): row is Row => row !== undefined)
      .map(entityOf);
  }

  async find(kind: Kind, id: string): Promise<Entity | undefined> {
    return findEntity(this.#open(), kind, id);
  }

  async query(query: Query): Promise<readonly Entity[]> {
    return queryEntities(this.#open(), query);
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
    return timersByDue(this.#open())
      .filter(({ dueAt }) => dueAt <= now)
      .slice(0, limit);
  }

  async nextTimerAt(): Promise<number | null> {
    return timersByDue(this.#open())[0]?.dueAt ?? null;
  }

  async claimOutbox(
    now: number,
    leaseMs: number,
    limit: number,
    lanes?: LaneRooms,
  ): Promise<readonly OutboxRow[]> {
    const data = this.#open();
    const pick = new LanePick<OutboxRow>(limit, lanes);
    pick.take(waitingByDue(data).filter(({ dueAt }) => dueAt <= now));
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

  async census(now: number): Promise<Census> {
    return takeCensus(this.#open(), now);
  }

  async backup(path: string, onProgress?: (share: number) => void): Promise<void> {
    await writeMemory(this.#open(), path);
    onProgress?.(1);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #open(): MemoryData {
    if (this.#isClosed) throw storeClosed();
    return this.#data;
  }
}
