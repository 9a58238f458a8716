/**
 * The store port: everything Holdpoint remembers goes through here, and every implementation passes `store.suite.ts`.
 *
 * S1  A commit is atomic and durable: when `commit` resolves, all of it survives `kill -9`; when it rejects, none of it
 *     happened.
 * S2  A put whose expected version is not the stored one fails the whole commit with `VersionConflict`.
 * S3  Event positions grow in commit order: a reader that has seen position n never later finds one at or below n.
 * S4  What a batch has loaded for writing does not change under it until it commits or releases.
 * S5  No statement reads a clock. `now` comes from the batch and is passed in.
 */

import type { EntityOf } from "../domains.ts";
import type { Body, Entity, EntityKey } from "../kernel/entity.ts";
import type { OutboxAttempt, OutboxRow, SealedEvent, StoredEvent, Timer } from "../kernel/record.ts";

/** Wanted for writing (locked until the batch ends) unless it says `read`. */
export interface Want<K extends string = string> extends EntityKey<K> {
  readonly read?: true;
}

export interface Put {
  readonly key: EntityKey;
  /** Version found when loaded; 0 when it did not exist. */
  readonly expected: number;
  readonly version: number;
  /** Sequence and hash of the last event of the entity's own stream; 0 and "" when it has none. */
  readonly seq: number;
  readonly head: string;
  /** `null` deletes. */
  readonly body: Body | null;
}

export interface Changes {
  readonly puts: readonly Put[];
  readonly events: readonly SealedEvent[];
  /** One timer per entity: a later one replaces it, `dueAt: null` removes it. */
  readonly timers: readonly { readonly key: EntityKey; readonly dueAt: number | null }[];
  /** Other timers, which were `due` and came to nothing: they are not to be looked at before `until`. */
  readonly rests?: readonly (Timer & { readonly until: number })[];
  readonly outbox: readonly OutboxRow[];
  /** Holds whose content goes: whom messages about them went to (`detail.to`) goes with it. */
  readonly forget?: readonly { readonly workspace: string; readonly holdId: string }[];
}

export interface Committed {
  /** Positions given to `changes.events`, in the same order. */
  readonly positions: readonly number[];
}

/** Entities whose declared index has exactly this value, ordered by id. */
export interface Query<K extends string = string> {
  readonly workspace: string;
  readonly kind: K;
  /** Absent: all of the kind. */
  readonly index?: { readonly name: string; readonly value: string };
  /** Only ids that begin so: what lies together under a name of two parts. Not of holds, nor with an index. */
  readonly prefix?: string;
  /** Ids strictly beyond this one, in the order asked for. */
  readonly after?: string;
  readonly newestFirst?: boolean;
  readonly limit: number;
}

export interface EventQuery {
  readonly workspace?: string;
  /** `kind:id` of one entity. */
  readonly stream?: string;
  /** Only events numbered above this in their own stream; within one stream, as fast as `after`. */
  readonly afterSeq?: number;
  /** Only events that this agent may see. */
  readonly audience?: string;
  readonly types?: readonly string[];
  readonly after: number;
  readonly upTo?: number;
  readonly limit: number;
}

export interface Reader {
  /** Found entities only, in no particular order. */
  load<K extends string>(wants: readonly Want<K>[]): Promise<readonly EntityOf<K>[]>;
  /**
   * By kind and id alone, over all workspaces: a key, a link or a session says who it is before anybody knows whose it
   * is. Such ids are unique everywhere. Must be as fast as `load`: lay the primary key out as (kind, id, workspace).
   */
  find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined>;
  query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]>;
  events(query: EventQuery): Promise<readonly StoredEvent[]>;
}

/** A timer that is due, with its entity. */
export interface Due extends Timer {
  /** `undefined`: the entity is gone, and its timer was left behind. */
  readonly entity: Entity | undefined;
}

export interface Batch extends Reader {
  /**
   * What is due at or before `now` and does not rest, earliest first. It is locked as if loaded for writing; rows that
   * another server has locked are skipped, so that each server takes its own.
   */
  due(now: number, limit: number): Promise<readonly Due[]>;
  /** The time that counts for this batch: the store's own clock, read after the locks of the last load, or `serverNow`. */
  now(serverNow: number): number;
  /** Commits and ends the batch. */
  commit(changes: Changes): Promise<Committed>;
  /** Ends the batch with nothing written. Safe to call after `commit`. */
  release(): Promise<void>;
}

/** Text search and statistics: never on the commit path, on a connection of their own. */
export interface HoldSearch {
  readonly workspace: string;
  readonly text: string;
  readonly status?: string;
  readonly creator?: string;
  /** Ids strictly older than this one; holds are searched newest first. */
  readonly after?: string;
  readonly limit: number;
}

export interface HoldSearchPage {
  readonly holds: readonly EntityOf<"hold">[];
  /** Where to search on: the limit was reached or the time allowed was over. `null`: everything was looked at. */
  readonly resumeAfter: string | null;
}

/** Ages of open holds; each counts in the first span it fits. */
export const OPEN_AGES_MS = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  older: Number.POSITIVE_INFINITY,
} as const satisfies Readonly<Record<string, number>>;

/** Over all workspaces. */
export interface Census {
  /** Holds by status. */
  readonly holds: Readonly<Record<string, number>>;
  readonly openByAge: Readonly<Record<keyof typeof OPEN_AGES_MS, number>>;
  readonly oldestOpenAt: number | null;
  readonly outboxWaiting: number;
  readonly outboxOldestDueAt: number | null;
  readonly timersOldestDueAt: number | null;
}

/** All events that match, without holding up commits. */
export type ScanQuery = Omit<EventQuery, "limit">;

/** A store opened for reading only, such as a backup copy: what verification and export work on. */
export interface ReadStore extends Reader {
  /** Pages in order of position. */
  scan(query: ScanQuery): AsyncIterable<readonly StoredEvent[]>;
  /** The newest position, 0 when there are no events. */
  lastPosition(): Promise<number>;
  close(): Promise<void>;
}

/** A store that several servers share hears of what the others commit. */
export interface Watching {
  /** The end of the log before the store was opened: what comes after it is what there is to hear. */
  readonly after: number;
  stop(): Promise<void>;
}

/** So much more was spent under a name, whose budget is for `windowMs` from now unless it is for another time already. */
export interface Spending {
  readonly name: string;
  readonly count: number;
  readonly windowMs: number;
}

/** What all servers together have spent under a name, and when it is forgotten. */
export interface Spent {
  readonly name: string;
  readonly spent: number;
  readonly endsAt: number;
}

/** What servers need of a store that they share. */
export interface Shared {
  /** There may be other servers. */
  readonly hasOthers: boolean;
  /** How often to look for what a server that is gone has left undone. */
  readonly lookMs: number;
  /**
   * Calls `onMore` whenever there may be events that this server did not commit, with the position up to which there are
   * if that is known.
   */
  watch(onMore: (upTo?: number) => void): Watching;
  /** Runs `work` while no other server does the same. */
  alone<T>(name: "checkpoint", work: () => Promise<T>): Promise<T>;
  /** Adds to budgets that all servers share, and says what was spent by all of them; names are different ones. */
  spend(spendings: readonly Spending[], now: number): Promise<readonly Spent[]>;
}

/** A store that only one server uses: there is nobody to hear of or to wait for. */
export const SOLE: Shared = {
  hasOthers: false,
  lookMs: Number.POSITIVE_INFINITY,
  watch: () => ({ after: 0, stop: async () => undefined }),
  alone: (_name, work) => work(),
  spend: async () => [],
};

export interface Store extends ReadStore {
  readonly shared: Shared;
  /** Not so of a standby, of a database that was closed to writers, or while the disk is full. */
  isWritable(): Promise<boolean>;

  /** Waits for the batch before it to end. */
  begin(): Promise<Batch>;

  /** Timers to be looked at by `now`, the first to be looked at first; those at rest when their rest is over. */
  dueTimers(now: number, limit: number): Promise<readonly Timer[]>;
  /** When the earliest timer is due, those at rest when their rest is over. */
  nextTimerAt(): Promise<number | null>;

  /**
   * Claims outbox rows due at or before `now` until `now + leaseMs`; a claimed row is not given out again before. Of each lane it
   * takes no more than there is room for. What waits in lanes without room costs next to nothing, however many rows that are.
   */
  claimOutbox(now: number, leaseMs: number, limit: number, lanes?: LaneRooms): Promise<readonly OutboxRow[]>;
  nextOutboxAt(): Promise<number | null>;
  /** Ends one try, and corrects the row's lane. `false`: the claim was lost meanwhile and nothing was written. */
  settleOutbox(row: OutboxRow, now: number): Promise<boolean>;
  /** Keeps claimed rows until `until`; says of each whether it still is the claimer's. */
  renewOutbox(rows: readonly OutboxRow[], until: number): Promise<readonly boolean[]>;
  outbox(query: OutboxQuery): Promise<readonly OutboxRow[]>;
  /** Deletes the oldest messages that are settled and were made before `before`; how many that were. */
  pruneOutbox(before: number, limit: number): Promise<number>;

  /** What waits for each endpoint, the longest first. Not on the commit path. */
  backlogs(query: BacklogQuery): Promise<readonly Backlog[]>;
  /** Gives up on the newest messages of a backlog that are due and nobody has claimed; how many that were. */
  dropOutbox(backlog: BacklogName, attempt: OutboxAttempt, limit: number): Promise<number>;

  /** Case-insensitive substring of prompt, key or id. */
  searchHolds(search: HoldSearch): Promise<HoldSearchPage>;
  census(now: number): Promise<Census>;

  /** A consistent copy while running, as one file at `path`, which must not exist yet. */
  backup(path: string, onProgress?: (share: number) => void): Promise<void>;
}

/** How many rows of each lane may be claimed. */
export interface LaneRooms {
  /** Of a lane that is not named in `rooms`. */
  readonly usual: number;
  readonly rooms: readonly LaneRoom[];
}

/** Workspaces do not share lanes, so none can fill another's. */
export interface LaneRoom {
  readonly workspace: string;
  readonly lane: string;
  readonly room: number;
}

/** Callbacks are told apart by their host, everything else by its endpoint. */
export type BacklogName = Pick<OutboxRow, "workspace" | "kind" | "endpoint" | "lane">;

export interface Backlog extends BacklogName {
  readonly waiting: number;
  readonly oldestAt: number;
}

export interface BacklogQuery {
  /** Absent: of all. */
  readonly workspace?: string;
  /** Only those with so many messages or more. */
  readonly atLeast: number;
  readonly limit: number;
}

export interface OutboxQuery {
  readonly workspace: string;
  readonly endpoint?: string;
  readonly holdId?: string;
  readonly state?: OutboxRow["state"];
  readonly id?: string;
  readonly before?: string;
  readonly limit: number;
}

export class VersionConflict extends Error {
  override readonly name = "VersionConflict";
  readonly key: EntityKey;

  constructor(key: EntityKey) {
    super(`${key.kind} ${key.id} changed under the batch`);
    this.key = key;
  }
}
