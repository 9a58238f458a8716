/** Reads over memory, written as simply as possible: the suite compares the other implementations with them. */

import type { Entity } from "../../kernel/entity.ts";
import type { OutboxRow, StoredEvent } from "../../kernel/record.ts";
import { cutPage } from "../event-pages.ts";
import { createdAtOf, holdTextOf, textMatcher, whereMatcher } from "../hold-text.ts";
import {
  type Backlog,
  type BacklogName,
  type BacklogQuery,
  type Census,
  type EventQuery,
  type HoldSearch,
  type HoldSearchPage,
  OPEN_AGES_MS,
  type OutboxQuery,
  type Query,
} from "../port.ts";
import { compareText } from "../text-order.ts";
import { typed } from "../typed.ts";
import { indexName, type MemoryData, type RestingTimer, type Row, tableName } from "./data.ts";

export function entityOf(row: Row): Entity {
  const { key, version, seq, head, body } = row;
  return { workspace: key.workspace, kind: key.kind, id: key.id, version, seq, head, body: JSON.parse(body) };
}

export function findEntity(data: MemoryData, kind: string, id: string): Entity | undefined {
  for (const [name, table] of data.tables) {
    const row = name.endsWith(`\u0000${kind}`) ? table.get(id) : undefined;
    if (row !== undefined) return entityOf(row);
  }
  return undefined;
}

export function queryEntities(data: MemoryData, query: Query): readonly Entity[] {
  const name = tableName(query);
  const table = data.tables.get(name) ?? new Map<string, Row>();
  const { index, after, prefix = "" } = query;
  const ids =
    index === undefined ? table.keys() : (data.indexes.get(indexName(name, index.name, index.value)) ?? []);
  const sign = query.newestFirst === true ? -1 : 1;
  return [...ids]
    .filter((id) => id.startsWith(prefix) && (after === undefined || sign * compareText(id, after) > 0))
    .sort((a, b) => sign * compareText(a, b))
    .slice(0, query.limit)
    .map((id) => entityOf(table.get(id) as Row));
}

export function queryEvents(data: MemoryData, query: EventQuery): readonly StoredEvent[] {
  const found: StoredEvent[] = [];
  const end = Math.min(query.upTo ?? data.events.length, data.events.length);
  for (let position = query.after + 1; position <= end && found.length < query.limit; position += 1) {
    const event = data.events[position - 1] as StoredEvent;
    if (matches(event, query)) found.push({ ...event });
  }
  return cutPage(found);
}

function matches(event: StoredEvent, query: EventQuery): boolean {
  if (query.workspace !== undefined && event.workspace !== query.workspace) return false;
  if (query.stream !== undefined && event.stream !== query.stream) return false;
  if (query.afterSeq !== undefined && event.seq <= query.afterSeq) return false;
  if (query.audience !== undefined && event.audience !== query.audience) return false;
  return query.types === undefined || query.types.includes(event.type);
}

/** When a timer is due, taking its rest into account. */
export function readyAt({ dueAt, restsUntil = dueAt }: RestingTimer): number {
  return restsUntil;
}

export function timersByReady(data: MemoryData): readonly RestingTimer[] {
  return [...data.timers.values()].sort(
    (a, b) =>
      readyAt(a) - readyAt(b) ||
      compareText(a.key.workspace, b.key.workspace) ||
      compareText(a.key.kind, b.key.kind) ||
      compareText(a.key.id, b.key.id),
  );
}

export type WaitingRow = OutboxRow & { readonly dueAt: number };

export function waitingByDue(data: MemoryData): readonly WaitingRow[] {
  return [...data.outbox.values()]
    .filter((row): row is WaitingRow => row.state === "waiting" && row.dueAt !== null)
    .sort((a, b) => a.dueAt - b.dueAt || compareText(a.workspace, b.workspace) || compareText(a.id, b.id));
}

export function settledBefore(data: MemoryData, before: number): readonly OutboxRow[] {
  return [...data.outbox.values()]
    .filter(({ state, createdAt }) => state !== "waiting" && createdAt < before)
    .sort(
      (a, b) => a.createdAt - b.createdAt || compareText(a.workspace, b.workspace) || compareText(a.id, b.id),
    );
}

export function queryOutbox(data: MemoryData, query: OutboxQuery): readonly OutboxRow[] {
  return [...data.outbox.values()]
    .filter(
      (row) =>
        row.workspace === query.workspace &&
        (query.endpoint === undefined || row.endpoint === query.endpoint) &&
        (query.holdId === undefined || row.holdId === query.holdId) &&
        (query.state === undefined || row.state === query.state) &&
        (query.id === undefined || row.id === query.id) &&
        (query.before === undefined || compareText(row.id, query.before) < 0),
    )
    .sort((a, b) => compareText(b.id, a.id))
    .slice(0, query.limit)
    .map((row) => structuredClone(row));
}

function backlogName({ workspace, lane, kind, endpoint }: BacklogName): string {
  return [workspace, lane, kind, endpoint].join("\u0000");
}

export function queryBacklogs(data: MemoryData, query: BacklogQuery): readonly Backlog[] {
  const waiting = waitingByDue(data).filter(
    ({ workspace }) => query.workspace === undefined || workspace === query.workspace,
  );
  return [...Map.groupBy(waiting, backlogName)]
    .filter(([, rows]) => rows.length >= query.atLeast)
    .sort(([a, some], [b, others]) => others.length - some.length || compareText(a, b))
    .slice(0, query.limit)
    .map(([, rows]) => {
      const { workspace, kind, endpoint, lane } = rows[0] as OutboxRow;
      const oldestAt = rows.reduce(
        (oldest, { createdAt }) => Math.min(oldest, createdAt),
        Number.POSITIVE_INFINITY,
      );
      return { workspace, kind, endpoint, lane, waiting: rows.length, oldestAt };
    });
}

/** The due, unclaimed messages of a backlog, newest first. */
export function newestDue(data: MemoryData, backlog: BacklogName, now: number): readonly OutboxRow[] {
  return waitingByDue(data)
    .filter((row) => row.dueAt <= now && backlogName(row) === backlogName(backlog))
    .sort((a, b) => b.createdAt - a.createdAt || compareText(b.id, a.id));
}

export function searchHolds(data: MemoryData, search: HoldSearch): HoldSearchPage {
  const hasText = textMatcher(search.text);
  const isWanted = whereMatcher(search.where);
  const { workspace, after } = search;
  const all = queryEntities(data, {
    workspace,
    kind: "hold",
    newestFirst: true,
    limit: Number.POSITIVE_INFINITY,
    ...(after === undefined ? {} : { after }),
  });
  const table = data.tables.get(tableName({ workspace, kind: "hold" }));
  const holds = all
    .filter(({ id, body }) => {
      const index = table?.get(id)?.index;
      if (search.status !== undefined && index?.status !== search.status) return false;
      if (search.creator !== undefined && index?.creator !== search.creator) return false;
      const text = holdTextOf(id, body);
      return isWanted(text) && hasText(text);
    })
    .slice(0, search.limit);
  return {
    holds: typed(holds),
    resumeAfter: holds.length < search.limit ? null : (holds.at(-1)?.id ?? null),
  };
}

export function takeCensus(data: MemoryData, now: number): Census {
  const rows = [...data.tables]
    .filter(([name]) => name.endsWith("\u0000hold"))
    .flatMap(([, table]) => [...table.values()]);
  const open = rows
    .filter((row) => row.index.status === "open")
    .map((row) => createdAtOf(JSON.parse(row.body)))
    .filter((at) => at !== null);
  const holds = Object.groupBy(rows, (row) => row.index.status ?? "");
  const ages = Object.entries(OPEN_AGES_MS);
  const byAge = Object.groupBy(open, (at) => ages.find(([, spanMs]) => now - at < spanMs)?.[0] ?? "older");
  const waiting = [...data.outbox.values()].filter((row) => row.state === "waiting");
  return {
    holds: Object.fromEntries(Object.entries(holds).map(([status, found]) => [status, found?.length ?? 0])),
    openByAge: {
      minute: byAge.minute?.length ?? 0,
      hour: byAge.hour?.length ?? 0,
      day: byAge.day?.length ?? 0,
      week: byAge.week?.length ?? 0,
      older: byAge.older?.length ?? 0,
    },
    oldestOpenAt: open.length === 0 ? null : open.reduce((a, b) => Math.min(a, b)),
    outboxWaiting: waiting.length,
    outboxOldestDueAt: waitingByDue(data)[0]?.dueAt ?? null,
    timersOldestDueAt: timersByReady(data)[0]?.dueAt ?? null,
  };
}
