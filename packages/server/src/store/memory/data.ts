/**
 * The data of a memory store. It is separate from the store object, like a database file, so that tests can simulate
 * a restart.
 */

import { readFile, writeFile } from "node:fs/promises";
import type { EntityKey, IndexValues } from "../../kernel/entity.ts";
import type { OutboxRow, StoredEvent, Timer } from "../../kernel/record.ts";
import { StoreError } from "../store-error.ts";

export interface Row {
  readonly key: EntityKey;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  /** JSON text, so that a reader never shares objects with the writer. */
  readonly body: string;
  readonly index: IndexValues;
}

export interface RestingTimer extends Timer {
  /** The timer is not due before this time. */
  readonly restsUntil?: number;
}

export interface MemoryData {
  /** By `tableName`, then by id. */
  readonly tables: Map<string, Map<string, Row>>;
  /** Ids by `indexName`. */
  readonly indexes: Map<string, Set<string>>;
  /** The event at position n has index n - 1. */
  readonly events: StoredEvent[];
  readonly eventNames: Set<string>;
  /** By `keyText`. */
  readonly timers: Map<string, RestingTimer>;
  /** By `outboxName`. */
  readonly outbox: Map<string, OutboxRow>;
}

export function emptyMemory(): MemoryData {
  return {
    tables: new Map(),
    indexes: new Map(),
    events: [],
    eventNames: new Set(),
    timers: new Map(),
    outbox: new Map(),
  };
}

export function tableName(of: { readonly workspace: string; readonly kind: string }): string {
  return `${of.workspace}\u0000${of.kind}`;
}

export function indexName(table: string, name: string, value: string): string {
  return `${table}\u0000${name}\u0000${value}`;
}

export function eventName(event: Pick<StoredEvent, "workspace" | "stream" | "seq">): string {
  return `${event.workspace}\u0000${event.stream}\u0000${event.seq}`;
}

export function outboxName(row: Pick<OutboxRow, "workspace" | "id">): string {
  return `${row.workspace}\u0000${row.id}`;
}

export function findRow(data: MemoryData, key: EntityKey): Row | undefined {
  return data.tables.get(tableName(key))?.get(key.id);
}

export async function writeMemory(data: MemoryData, path: string): Promise<void> {
  const text = JSON.stringify(data, (_name, value: unknown) =>
    value instanceof Map || value instanceof Set ? { entries: [...value] } : value,
  );
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new StoreError("backup_exists", `${path} already exists; choose another path.`, { path }, cause);
  }
}

interface Written<T> {
  readonly entries: readonly T[];
}

export async function readMemory(path: string): Promise<MemoryData> {
  const found = JSON.parse(await readFile(path, "utf8"));
  const tables = (found.tables as Written<[string, Written<[string, Row]>]>).entries;
  return {
    tables: new Map(tables.map(([name, table]) => [name, new Map(table.entries)])),
    indexes: new Map(
      (found.indexes as Written<[string, Written<string>]>).entries.map(([name, ids]) => [
        name,
        new Set(ids.entries),
      ]),
    ),
    events: found.events,
    eventNames: new Set((found.eventNames as Written<string>).entries),
    timers: new Map((found.timers as Written<[string, RestingTimer]>).entries),
    outbox: new Map((found.outbox as Written<[string, OutboxRow]>).entries),
  };
}
