/**
 * The store port: everything that Holdpoint stores goes through it, and every implementation passes `store.suite.ts`.
 *
 * S1  A commit is atomic and durable: when `commit` resolves, all of it survives `kill -9`; when it rejects, none of
 *     it happened.
 * S2  A put whose expected version is not the stored one fails the whole commit with `VersionConflict`.
 * S3  Event positions increase in commit order: a reader that has seen position n never later finds one at or below
 *     n.
 * S4  What a batch has loaded for writing does not change until the batch commits or is released.
 * S5  No statement reads a clock. `now` comes from the batch and is passed in.
 */

import type { EntityOf } from "../domains.ts";
import type { Body, Entity, EntityKey } from "../kernel/entity.ts";
import type { OutboxAttempt, OutboxRow, SealedEvent, StoredEvent, Timer } from "../kernel/record.ts";
import type { HoldWhere } from "./hold-text.ts";
import type { LoadRoom } from "./load-room.ts";
import type {
  WaitingCount,
  WaitingFilter,
  WaitingGrouping,
  WaitingGroups,
  WaitingPage,
  WaitingQuery,
} from "./waiting.ts";

export type { HoldWhere } from "./hold-text.ts";
export { LoadRoom } from "./load-room.ts";
export type {
  WaitingCount,
  WaitingFilter,
  WaitingGrouping,
  WaitingGroups,
  WaitingPlace,
} from "./waiting.ts";

/** An entity to load. It is locked for writing until the batch ends, unless `read` is set. */
export interface Want<K extends string = string> extends EntityKey<K> {
  readonly read?: true;
  /** The command that needs it goes on without it where the batch has no room. */
  readonly ifRoom?: true;
}

export interface Put {
  readonly key: EntityKey;
  /** Version when it was loaded; 0 if it did not exist. */
  readonly expected: number;
  readonly version: number;
  /** Number and hash of the last event in the entity's own stream; 0 and "" if it has no events. */
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
  /** Other timers that were `due` and whose command changed nothing: they are not due again before `until`. */
  readonly rests?: readonly (Timer & { readonly until: number })[];
  readonly outbox: readonly OutboxRow[];
  /** Holds whose content is erased: the recipients (`detail.to`) of the messages about them are removed too. */
  readonly forget?: readonly { readonly workspace: string; readonly holdId: string }[];
}

export interface Committed {
  /** The positions of `changes.events`, in the same order. */
  readonly positions: readonly number[];
}

/** Lists entities whose declared index has exactly this value, ordered by id. */
export interface Query<K extends string = string> {
  readonly workspace: string;
  readonly kind: K;
  /** Absent: all entities of the kind. */
  readonly index?: { readonly name: string; readonly value: string };
  /**
   * Only ids with this prefix, for ids that consist of two parts. Not allowed for holds or together with an index.
   */
  readonly prefix?: string;
  /** Only ids after this one, in the requested order. */
  readonly after?: string;
  readonly newestFirst?: boolean;
  readonly limit: number;
}

export interface EventQuery {
  readonly workspace?: string;
  /** `kind:id` of one entity. */
  readonly stream?: string;
  /** Only events with a higher number in their own stream; within one stream this is as fast as `after`. */
  readonly afterSeq?: number;
  /** Only events that this agent may see. */
  readonly audience?: string;
  readonly types?: readonly string[];
  readonly after: number;
  readonly upTo?: number;
  readonly limit: number;
}

export interface Reader {
  /** Returns the entities that exist, in no particular order. */
  load<K extends string>(wants: readonly Want<K>[]): Promise<readonly EntityOf<K>[]>;
  /**
   * Finds an entity by kind and id in all workspaces: a key, a link or a session is looked up before its workspace is
   * known. Such ids are unique across workspaces. It must be as fast as `load`, so the primary key is (kind, id,
   * workspace).
   */
  find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined>;
  query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]>;
  /** At most `limit` events, and fewer where they are long: `event-pages.ts` says whether there may be more. */
  events(query: EventQuery): Promise<readonly StoredEvent[]>;
}

/** A timer that is due, with its entity. */
export interface Due extends Timer {
  /** `undefined`: the entity was deleted and its timer remains. */
  readonly entity: Entity | undefined;
}

export interface Batch extends Reader {
  /** Loads in the order of `wants` until `room` is used up; the room then knows what was left out. */
  load<K extends string>(wants: readonly Want<K>[], room?: LoadRoom): Promise<readonly EntityOf<K>[]>;
  /**
   * Timers that are due at or before `now` and do not rest, earliest first. They are locked as if they were loaded
   * for writing. Rows that another server has locked are skipped, so that each server takes different ones. Timers
   * for whose entities there is no `room` are left out.
   */
  due(now: number, limit: number, room?: LoadRoom): Promise<readonly Due[]>;
  /** The time of this batch: the store's own clock, read after the locks of the last load, or `serverNow`. */
  now(serverNow: number): number;
  /** Commits and ends the batch. */
  commit(changes: Changes): Promise<Committed>;
  /** Ends the batch and writes nothing. Safe to call after `commit`. */
  release(): Promise<void>;
}

/** Text search and statistics. They never run on the commit path and use a connection of their own. */
export interface HoldSearch {
  readonly workspace: string;
  readonly text: string;
  readonly status?: string;
  readonly creator?: string;
  readonly where?: HoldWhere;
  /** Only ids older than this one; holds are searched newest first. */
  readonly after?: string;
  readonly limit: number;
}

export interface HoldSearchPage {
  readonly holds: readonly EntityOf<"hold">[];
  /** Where to continue if the limit or the time limit was reached. `null`: everything was searched. */
  readonly resumeAfter: string | null;
}

/** Age ranges of open holds; each hold counts in the first range it fits. */
export const OPEN_AGES_MS = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  older: Number.POSITIVE_INFINITY,
} as const satisfies Readonly<Record<string, number>>;

/** Statistics over all workspaces. */
export interface Census {
  /** Holds by status. */
  readonly holds: Readonly<Record<string, number>>;
  readonly openByAge: Readonly<Record<keyof typeof OPEN_AGES_MS, number>>;
  readonly oldestOpenAt: number | null;
  readonly outboxWaiting: number;
  readonly outboxOldestDueAt: number | null;
  readonly timersOldestDueAt: number | null;
}

/** Reads all events that match without delaying commits. */
export type ScanQuery = Omit<EventQuery, "limit">;

/** A store opened for reading only, such as a backup copy, for verification and export. */
export interface ReadStore extends Reader {
  /** Yields pages in order of position. */
  scan(query: ScanQuery): AsyncIterable<readonly StoredEvent[]>;
  /** The newest position, 0 if there are no events. */
  lastPosition(): Promise<number>;
  close(): Promise<void>;
}

/** What is said of another server's commit. It is only a hint: it may come from a program that is no server. */
export interface Hint {
  /** The time of the last event. */
  readonly at?: number | undefined;
  /** Marks of the holds that ended (`ended.ts`); absent: any may have. */
  readonly ended?: readonly string[] | undefined;
}

/** A subscription to the commits of other servers. */
export interface Watching {
  /** The end of the log when the store was opened. The subscription covers the events after it. */
  readonly after: number;
  stop(): Promise<void>;
}

/** Adds `count` to the budget `name`. A new budget lasts `windowMs` from now; an existing one keeps its end. */
export interface Spending {
  readonly name: string;
  readonly count: number;
  readonly windowMs: number;
}

/** What all servers together have spent of a budget, and when the budget resets. */
export interface Spent {
  readonly name: string;
  readonly spent: number;
  readonly endsAt: number;
}

/** What several servers need from a store that they share. */
export interface Shared {
  /** Whether there may be other servers. */
  readonly hasOthers: boolean;
  /** How often to look for work that a dead server left. */
  readonly lookMs: number;
  /** Calls `onMore` whenever there may be events that this server did not commit. */
  watch(onMore: (hint?: Hint) => void): Watching;
  /** Tells the other servers something that is worth nothing a minute later. It may be lost. */
  tell(text: string): void;
  /** Calls `heard` with what other servers tell. */
  hear(heard: (text: string) => void): void;
  /** Runs `work` under a lock that only one server can hold. */
  alone<T>(name: "checkpoint", work: () => Promise<T>): Promise<T>;
  /** Adds to budgets that all servers share and returns the totals. Each name must occur once. */
  spend(spendings: readonly Spending[], now: number): Promise<readonly Spent[]>;
}

/** For a store that only one server uses: there are no other servers to watch or to wait for. */
export const SOLE: Shared = {
  hasOthers: false,
  lookMs: Number.POSITIVE_INFINITY,
  watch: () => ({ after: 0, stop: async () => undefined }),
  tell: () => undefined,
  hear: () => undefined,
  alone: (_name, work) => work(),
  spend: async () => [],
};

export interface Store extends ReadStore {
  readonly shared: Shared;
  /** `false` for a standby, for a database that is closed to writers, or while the disk is full. */
  isWritable(): Promise<boolean>;

  /** Starts a batch. A store with one writer waits until the batch before has ended. */
  begin(): Promise<Batch>;

  /** Timers that are due at or before `now`, earliest first. A resting timer is due when its rest ends. */
  dueTimers(now: number, limit: number): Promise<readonly Timer[]>;
  /** When the next timer is due. A resting timer is due when its rest ends. */
  nextTimerAt(): Promise<number | null>;

  /**
   * Claims outbox rows due at or before `now` until `now + leaseMs`; a claimed row is not claimed again before. From
   * each lane it takes at most as many as the lane has free slots. Rows in lanes without free slots cost almost
   * nothing, no matter how many there are.
   */
  claimOutbox(now: number, leaseMs: number, limit: number, lanes?: LaneRooms): Promise<readonly OutboxRow[]>;
  nextOutboxAt(): Promise<number | null>;
  /**
   * Ends one attempt and corrects the row's lane. `false`: the claim was lost in the meantime and nothing was
   * written.
   */
  settleOutbox(row: OutboxRow, now: number): Promise<boolean>;
  /** Extends the claims of these rows until `until`; returns for each whether the caller still holds it. */
  renewOutbox(rows: readonly OutboxRow[], until: number): Promise<readonly boolean[]>;
  outbox(query: OutboxQuery): Promise<readonly OutboxRow[]>;
  /** Deletes the oldest settled messages made before `before` and returns how many. */
  pruneOutbox(before: number, limit: number): Promise<number>;

  /** How many messages wait for each endpoint, longest backlog first. Not on the commit path. */
  backlogs(query: BacklogQuery): Promise<readonly Backlog[]>;
  /** Marks the newest due, unclaimed messages of a backlog as failed and returns how many. */
  dropOutbox(backlog: BacklogName, attempt: OutboxAttempt, limit: number): Promise<number>;

  /** Finds holds by a case-insensitive part of prompt, context, key or id. */
  searchHolds(search: HoldSearch): Promise<HoldSearchPage>;
  /** Open holds of a workspace, sorted and filtered; the cost does not grow with their number. */
  listWaiting(query: WaitingQuery): Promise<WaitingPage>;
  countWaiting(filter: WaitingFilter): Promise<WaitingCount>;
  /** Open holds by agent, tool or assignee, the largest group first. */
  groupWaiting(filter: WaitingFilter, by: WaitingGrouping): Promise<WaitingGroups>;
  census(now: number): Promise<Census>;

  /** Writes a consistent copy of the running store to one file at `path`, which must not exist yet. */
  backup(path: string, onProgress?: (share: number) => void): Promise<void>;
}

/**
 * How many rows may be claimed from each lane. Lanes take turns: a claim takes one row of each before a second of any. Where only
 * `rooms` have free slots, they come in that order; otherwise a claim goes on after the lane that the one before served last.
 */
export interface LaneRooms {
  /** Only these lanes. Absent: all. */
  readonly of?: LaneKind;
  /** Not from lanes of these workspaces. */
  readonly without?: readonly string[];
  /** The free slots of a lane that is not listed in `rooms`. */
  readonly usual: number;
  readonly rooms: readonly LaneRoom[];
}

/** The operator's channels, or hosts that callers name. */
export type LaneKind = "channels" | "hosts";

/** Lanes belong to one workspace, so that no workspace can fill another's. */
export interface LaneRoom {
  readonly workspace: string;
  readonly lane: string;
  readonly room: number;
}

/** Callbacks are grouped by host, all other messages by endpoint. */
export type BacklogName = Pick<OutboxRow, "workspace" | "kind" | "endpoint" | "lane">;

export interface Backlog extends BacklogName {
  readonly waiting: number;
  readonly oldestAt: number;
}

export interface BacklogQuery {
  /** Absent: all workspaces. */
  readonly workspace?: string;
  /** Only backlogs with at least this many messages. */
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
    super(`${key.kind} ${key.id} was changed by another writer after the batch loaded it; retry the batch`);
    this.key = key;
  }
}
