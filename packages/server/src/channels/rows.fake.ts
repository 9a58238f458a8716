/** An outbox for tests: rows, and an in-memory store that holds them. */

import { TABLE } from "../domains.ts";
import type { OutboxRow } from "../kernel/record.ts";
import { emptyMemory, type MemoryData } from "../store/memory/data.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import type { Store } from "../store/port.ts";

export const START = Date.UTC(2026, 0, 1);

export function outboxRow(changes: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id: "msg_1",
    workspace: "default",
    kind: "webhook",
    endpoint: "hook",
    lane: changes.endpoint ?? "hook",
    holdId: "hold_1",
    event: { stream: "hold:hold_1", seq: 3, type: "hold.decided" },
    detail: {},
    state: "waiting",
    attempts: [],
    createdAt: START,
    dueAt: START,
    claim: 0,
    ...changes,
  };
}

export function outboxRows(
  count: number,
  changes: (n: number) => Partial<OutboxRow> = () => ({}),
): readonly OutboxRow[] {
  return Array.from({ length: count }, (_, n) => outboxRow({ id: `msg_${n}`, ...changes(n) }));
}

export class TestOutbox {
  /** The data that survives a crash; a second store can be opened on it. */
  readonly data: MemoryData;
  readonly store: Store;

  constructor(data: MemoryData = emptyMemory()) {
    this.data = data;
    this.store = new MemoryStore({ indexes: TABLE, data });
  }

  async add(...rows: readonly OutboxRow[]): Promise<void> {
    const batch = await this.store.begin();
    await batch.commit({ puts: [], events: [], timers: [], outbox: rows });
  }

  async row(id = "msg_1"): Promise<OutboxRow> {
    const [found] = await this.store.outbox({ workspace: "default", id, limit: 1 });
    if (!found) throw new Error(`the test outbox has no row ${id}`);
    return found;
  }

  rows(): Promise<readonly OutboxRow[]> {
    return this.store.outbox({ workspace: "default", limit: 10_000 });
  }
}
