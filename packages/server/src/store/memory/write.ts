/**
 * Commits in two steps: first everything that can fail, then everything that cannot. A failed commit therefore
 * changes nothing (S1).
 */

import { keyText } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { assertGrows } from "../indexed.ts";
import { type Changes, type Put, VersionConflict } from "../port.ts";
import { eventName, findRow, indexName, type MemoryData, outboxName, type Row, tableName } from "./data.ts";

type PreparedPut = { readonly put: Put; readonly row: Row | null };

export function applyChanges(data: MemoryData, changes: Changes, indexes: IndexTable): readonly number[] {
  const puts = preparePuts(data, changes.puts, indexes);
  assertNew("event", changes.events.map(eventName), data.eventNames);
  assertNew("outbox row", changes.outbox.map(outboxName), data.outbox);
  const outbox = structuredClone(changes.outbox);

  for (const { put, row } of puts) replaceRow(data, put, row, indexes);
  const positions = changes.events.map((event) => {
    data.eventNames.add(eventName(event));
    return data.events.push({ ...event, position: data.events.length + 1 });
  });
  for (const { key, dueAt } of changes.timers) {
    if (dueAt === null) data.timers.delete(keyText(key));
    else data.timers.set(keyText(key), { key, dueAt });
  }
  for (const { key, dueAt, until } of changes.rests ?? []) {
    const timer = data.timers.get(keyText(key));
    if (timer?.dueAt === dueAt) data.timers.set(keyText(key), { ...timer, restsUntil: until });
  }
  for (const row of outbox) data.outbox.set(outboxName(row), row);
  for (const of of changes.forget ?? []) forgetRecipients(data, of);
  return positions;
}

function forgetRecipients(
  data: MemoryData,
  of: { readonly workspace: string; readonly holdId: string },
): void {
  for (const [name, row] of data.outbox) {
    if (row.workspace !== of.workspace || row.holdId !== of.holdId) continue;
    const { to: _to, ...detail } = row.detail;
    data.outbox.set(name, { ...row, detail });
  }
}

function preparePuts(data: MemoryData, puts: readonly Put[], indexes: IndexTable): readonly PreparedPut[] {
  const versions = new Map<string, number>();
  return puts.map((put) => {
    assertGrows(put);
    const name = keyText(put.key);
    const stored = versions.get(name) ?? findRow(data, put.key)?.version ?? 0;
    if (stored !== put.expected) throw new VersionConflict(put.key);
    versions.set(name, put.body === null ? 0 : put.version);
    if (put.body === null) return { put, row: null };
    const { key, version, seq, head } = put;
    const index = indexes.indexValues(key.kind, put.body);
    return { put, row: { key, version, seq, head, body: JSON.stringify(put.body), index } };
  });
}

function assertNew(what: string, names: readonly string[], stored: { has(name: string): boolean }): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (stored.has(name) || seen.has(name)) throw new Error(`Invariant: ${what} ${name} already exists`);
    seen.add(name);
  }
}

function replaceRow(data: MemoryData, { key }: Put, row: Row | null, indexes: IndexTable): void {
  const name = tableName(key);
  const table = data.tables.get(name) ?? new Map<string, Row>();
  data.tables.set(name, table);
  const old = table.get(key.id);
  for (const index of indexes.indexNames(key.kind)) {
    const oldValue = old?.index[index];
    const newValue = row?.index[index];
    if (oldValue === newValue) continue;
    if (oldValue !== undefined) data.indexes.get(indexName(name, index, oldValue))?.delete(key.id);
    if (newValue === undefined) continue;
    const ids = data.indexes.get(indexName(name, index, newValue)) ?? new Set<string>();
    data.indexes.set(indexName(name, index, newValue), ids.add(key.id));
  }
  if (row === null) table.delete(key.id);
  else table.set(key.id, row);
}
