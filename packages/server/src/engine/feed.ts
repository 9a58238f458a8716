/**
 * The feed: notifies waiters and subscribers of what was committed. Waiting is only reading (G8): nothing here
 * changes a hold.
 *
 * F1  A waiter that registered before it read the state cannot miss the ending.
 * F2  A subscriber gets every event after the position it names, in order, once; replay joins the live stream without
 *     a gap.
 * F3  A subscriber that does not keep up is dropped and told so; it reconnects with the last position it has seen.
 * F4  If several servers share a store, this holds for the commits of all of them: the feed reads the log from the
 *     last position it has seen. A notification from the store is only a hint that there is more to read. While no
 *     stream is open, only the holds are read that a notification names and somebody waits for; what a lost one would
 *     have named is found by the regular look at the log.
 */

import type { AnyEntityOf } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";
import { ENDINGS } from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { StoredEvent } from "../kernel/record.ts";
import { markOf } from "../store/ended.ts";
import { cutPage } from "../store/event-pages.ts";
import type { Store } from "../store/port.ts";
import { ownTurn } from "../system/own-turn.ts";
import type { Commit, Engine } from "./engine.ts";
import { type Interest, LogFollower } from "./log-follower.ts";
import { pagesOf } from "./log-pages.ts";

export interface FeedFilter {
  readonly workspace: string;
  readonly audience?: string;
  /** Absent: all streams. */
  readonly streams?: readonly string[];
}

/** A slow reader is dropped when more events than this, or longer ones together, are buffered for it. */
const BUFFER_MAX = 10_000;
const BUFFER_CHARACTERS_MAX = 16 * 1024 * 1024;
/** Servers that share a database read its clock, so their times differ by less, unless the clock was set back. */
const AHEAD_MS = 1_000;
const HOLD_STREAM = "hold:";

export class FeedOverrun extends Error {
  override readonly name = "FeedOverrun";
}

type Settled = (hold: Entity<Hold>) => void;

interface Waiter {
  readonly workspace: string;
  readonly holdId: string;
  readonly settled: Settled;
}

export class Feed {
  readonly #store: Store;
  /** By the mark of the hold, which is what other servers name. */
  readonly #waiters = new Map<string, Set<Waiter>>();
  /** Subscribers of all streams. */
  readonly #broad = new Set<LiveBuffer>();
  /** Subscribers of certain streams. */
  readonly #narrow = new Set<LiveBuffer>();
  /** The same by stream: an event must not wake a thousand agents that wait for other holds (G13). */
  readonly #byStream = new Map<string, Set<LiveBuffer>>();
  readonly #othersListeners = new Set<() => void>();
  readonly #detach: () => void;
  readonly #log: LogFollower | null;

  constructor(engine: Engine) {
    this.#store = engine.store;
    const reader = {
      interest: () => this.#interest(),
      lookAt: (marks: readonly string[]) => this.#lookAt(marks),
      deliver: (events: readonly StoredEvent[]) => this.#deliver(events),
      isAhead: (at: number) => at - engine.clock.now() > AHEAD_MS,
      onTime: (at: number) => engine.notBefore(at),
      onHint: () => {
        for (const listener of this.#othersListeners) listener();
      },
    };
    this.#log = engine.store.shared.hasOthers ? new LogFollower(engine.store, reader) : null;
    this.#detach = engine.onCommit((commit) => this.#publish(commit));
  }

  close(): void {
    this.#detach();
    this.#log?.stop();
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  get subscribers(): number {
    return this.#broad.size + this.#narrow.size;
  }

  /** Calls back whenever another server may have committed something. Nothing is read for it. */
  onOthers(listener: () => void): () => void {
    this.#othersListeners.add(listener);
    return () => this.#othersListeners.delete(listener);
  }

  /** Calls back once, when the hold is settled. Returns a function that stops waiting. */
  onSettled(workspace: string, holdId: string, settled: Settled): () => void {
    return addTo(this.#waiters, markOf(holdId), { workspace, holdId, settled });
  }

  #interest(): Interest {
    if (this.subscribers > 0) return "all";
    return this.#waiters.size > 0 ? "endings" : "none";
  }

  /** Yields every stored event after `after` that passes the filter, then the live ones, until the signal aborts. */
  async *follow(
    filter: FeedFilter,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[]> {
    const live = new LiveBuffer(filter);
    const unsubscribe = this.#subscribe(live, filter);
    const stop = () => live.end();
    signal.addEventListener("abort", stop, { once: true });
    const { streams, ...rest } = filter;
    const [only, ...others] = streams ?? [];
    const replayed = only === undefined || others.length > 0 ? rest : { ...rest, stream: only };
    try {
      let seen = after;
      for await (const page of pagesOf(this.#store, { ...replayed, after, limit: Number.MAX_SAFE_INTEGER })) {
        const wanted = streams === undefined ? page : page.filter(({ stream }) => streams.includes(stream));
        if (wanted.length > 0) yield wanted;
        seen = page.at(-1)?.position ?? seen;
        if (signal.aborted) break;
      }
      while (!signal.aborted) {
        const fresh = (await live.take()).filter((event) => event.position > seen);
        if (fresh.length === 0) continue;
        seen = fresh.at(-1)?.position ?? seen;
        yield fresh;
        if (live.isBehind) await ownTurn();
      }
    } finally {
      unsubscribe();
      signal.removeEventListener("abort", stop);
    }
  }

  #publish({ entities, events }: Commit): void {
    this.#notifyWaiters(entities);
    if (events.length === 0) return;
    // Other servers may have committed earlier events; the log follower delivers those first.
    if (this.#log !== null) this.#log.committed(events);
    else this.#push(events);
  }

  #subscribe(live: LiveBuffer, { workspace, streams }: FeedFilter): () => void {
    const keys = streams?.map((stream) => `${workspace}\u0000${stream}`);
    const leave = keys?.map((key) => addTo(this.#byStream, key, live)) ?? [];
    const all = streams === undefined ? this.#broad : this.#narrow;
    all.add(live);
    return () => {
      all.delete(live);
      for (const each of leave) each();
    };
  }

  #push(events: readonly StoredEvent[]): void {
    for (const live of this.#broad) live.push(events);
    if (this.#byStream.size === 0) return;
    for (const event of events)
      for (const live of this.#byStream.get(`${event.workspace}\u0000${event.stream}`) ?? [])
        live.push([event]);
  }

  async #deliver(events: readonly StoredEvent[]): Promise<void> {
    if (this.#waiters.size > 0) await this.#notifyOfEndings(events);
    this.#push(events);
  }

  async #notifyOfEndings(events: readonly StoredEvent[]): Promise<void> {
    const waitedFor = events
      .filter(({ type }) => ENDINGS.has(type))
      .map(({ workspace, stream }) => ({ workspace, id: stream.slice(HOLD_STREAM.length) }))
      .filter(({ id }) => this.#waiters.has(markOf(id)))
      .map(({ workspace, id }) => holdKey(workspace, id));
    if (waitedFor.length > 0) this.#notifyWaiters(await this.#store.load(waitedFor));
  }

  /** If the holds cannot be read now, the log follower's next look finds how they ended. */
  #lookAt(marks: readonly string[]): void {
    const waiters = marks.flatMap((mark) => [...(this.#waiters.get(mark) ?? [])]);
    if (waiters.length === 0) return;
    const holds = waiters.map(({ workspace, holdId }) => holdKey(workspace, holdId));
    this.#store.load(holds).then(
      (found) => this.#notifyWaiters(found),
      () => undefined,
    );
  }

  #notifyWaiters(entities: readonly AnyEntityOf[]): void {
    if (this.#waiters.size === 0) return;
    for (const entity of entities) {
      if (entity.kind !== "hold" || entity.body.status === "open") continue;
      const mark = markOf(entity.id);
      for (const waiter of this.#waiters.get(mark) ?? []) {
        if (waiter.holdId !== entity.id || waiter.workspace !== entity.workspace) continue;
        takeFrom(this.#waiters, mark, waiter);
        waiter.settled(entity);
      }
    }
  }
}

function holdKey(workspace: string, id: string) {
  return { workspace, kind: "hold", id, read: true } as const;
}

/** Adds to the set under this key. Returns a function that takes it out again. */
function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): () => void {
  const set = sets.get(key) ?? new Set();
  set.add(value);
  sets.set(key, set);
  return () => takeFrom(sets, key, value);
}

function takeFrom<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}

class LiveBuffer {
  readonly #filter: FeedFilter;
  #events: StoredEvent[] = [];
  #characters = 0;
  #wake: (() => void) | null = null;
  #ended = false;
  #overrun = false;

  constructor(filter: FeedFilter) {
    this.#filter = filter;
  }

  push(events: readonly StoredEvent[]): void {
    const { workspace, audience } = this.#filter;
    for (const event of events) {
      if (event.workspace !== workspace) continue;
      if (audience !== undefined && event.audience !== audience) continue;
      this.#events.push(event);
      this.#characters += event.data.length;
    }
    if (this.#events.length > BUFFER_MAX || this.#characters > BUFFER_CHARACTERS_MAX) {
      this.#overrun = true;
      this.#events = [];
      this.#characters = 0;
    }
    if (this.#events.length > 0 || this.#overrun) this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** More was buffered than the last page took. */
  get isBehind(): boolean {
    return this.#events.length > 0;
  }

  /** Waits for events, and takes a page of them. The result is empty only after `end`. */
  async take(): Promise<readonly StoredEvent[]> {
    if (this.#events.length === 0 && !this.#ended && !this.#overrun) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#overrun)
      throw new FeedOverrun(
        "the reader did not keep up with the events; reconnect with the last position you have seen",
      );
    const page = cutPage(this.#events);
    this.#events = this.#events.slice(page.length);
    for (const { data } of page) this.#characters -= data.length;
    return page;
  }
}
