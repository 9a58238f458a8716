/** What the parts of the suite share: holds and other entities, and functions to write them. */

import type { Body, EntityKey } from "../../kernel/entity.ts";
import type { OutboxRow, SealedEvent } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import type { Changes, Committed, Put, ReadStore, Store } from "../port.ts";

/** One implementation under test, with everything that must survive a restart. */
export interface Harness extends AsyncDisposable {
  readonly store: Store;
  /** Opens the stored data again, as after a restart. The previous store is no longer used. */
  reopen(): Promise<Store>;
  /** A path where no file exists yet. */
  backupPath(): string;
  /** Opens a backup for reading. */
  openCopy(path: string): Promise<ReadStore>;
}

export interface StoreUnderTest {
  readonly name: string;
  open(indexes: IndexTable): Promise<Harness>;
}

const HOLD_INDEXES = ["status", "creator", "creator_status", "thread", "intent", "group", "previous"];

/** The bodies of the suite contain their index values directly, so that every index can be tested. */
export const indexes: IndexTable = {
  indexNames(kind) {
    if (kind === "hold") return HOLD_INDEXES;
    return kind === "group" || kind === "api_key" ? ["thread", "name"] : [];
  },
  indexValues(kind, body) {
    const said: Readonly<Record<string, unknown>> = { ...body };
    const both = `${said["creator"]}\u0000${said["status"]}`;
    return Object.fromEntries(
      this.indexNames(kind).map((name) => [name, name === "creator_status" ? both : text(said[name])]),
    );
  },
};

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function key(id: string, kind = "hold", workspace = "default"): EntityKey {
  return { workspace, kind, id };
}

export function holdBody(members: Body = {}): Body {
  return { status: "open", creator: "bot", createdAt: 1000, ...members };
}

export function put(at: EntityKey, expected: number, body: Body | null, members: Partial<Put> = {}): Put {
  return { key: at, expected, version: expected + 1, seq: 0, head: "", body, ...members };
}

export function event(stream: string, seq: number, members: Partial<SealedEvent> = {}): SealedEvent {
  return {
    workspace: "default",
    stream,
    seq,
    type: "hold.placed",
    at: 1000,
    actor: "key:dev",
    audience: null,
    data: "{}",
    previous: "",
    hash: `hash of ${stream} ${seq}`,
    ...members,
  };
}

export function message(id: string, members: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id,
    workspace: "default",
    kind: "webhook",
    endpoint: "hooks",
    lane: "hooks.example",
    holdId: null,
    event: { stream: "hold:h1", seq: 1, type: "hold.placed" },
    detail: {},
    state: "waiting",
    attempts: [],
    createdAt: 1000,
    dueAt: 1000,
    claim: 0,
    ...members,
  };
}

const NOTHING: Changes = { puts: [], events: [], timers: [], outbox: [] };

export async function commit(store: Store, changes: Partial<Changes>): Promise<Committed> {
  const batch = await store.begin();
  return batch.commit({ ...NOTHING, ...changes });
}

export async function placeHolds(store: Store, holds: Readonly<Record<string, Body>>): Promise<void> {
  await commit(store, { puts: Object.entries(holds).map(([id, body]) => put(key(id), 0, holdBody(body))) });
}

export function ids(found: readonly { readonly id: string }[]): readonly string[] {
  return found.map(({ id }) => id);
}

/** Everything that can be read from a store, to compare two stores or the time before and after. */
export async function readAll(store: Store, workspaces: readonly string[] = ["default"]): Promise<unknown> {
  const entities = [];
  const outbox = [];
  const waiting = [];
  for (const workspace of workspaces) {
    for (const kind of ["hold", "group", "person"] as const) {
      entities.push(await store.query({ workspace, kind, limit: 1000 }));
    }
    outbox.push(await store.outbox({ workspace, limit: 1000 }));
    waiting.push(await store.listWaiting({ workspace, order: "urgency", limit: 1000 }));
    waiting.push(await store.countWaiting({ workspace, assignee: "v1", isUnseen: true }));
    waiting.push(
      await store.groupWaiting({ workspace }, "creator"),
      await store.groupWaiting({ workspace }, "tool"),
    );
  }
  return {
    entities,
    outbox,
    waiting,
    events: await store.events({ after: 0, limit: 1000 }),
    timers: await store.dueTimers(Number.MAX_SAFE_INTEGER, 1000),
    census: await store.census(100_000),
  };
}
