/**
 * The feed: notifies waiters and subscribers of what was committed. Waiting is only reading (G8): nothing here
 * changes a hold.
 *
 * F1  A waiter that registered before it read the state cannot miss the ending.
 * F2  A subscriber gets every event after the position it names, in order, once; replay joins the live stream without
 *     a gap.
 * F3  A subscriber that does not keep up is dropped and told so; it reconnects with the last position it has seen.
 * F4  If several servers share a store, this holds for the commits of all of them: the feed reads the log from the
 *     last position it has seen. A notification from the store is only a hint that there is more to read.
 */

import type { AnyEntityOf } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import { ENDING } from "../kernel/hold/settle.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { Store } from "../store/port.ts";
import type { Commit, Engine } from "./engine.ts";
import { LogFollower } from "./log-follower.ts";

export interface FeedFilter {
  readonly workspace: string;
  readonly audience?: string;
  readonly stream?: string;
}

/** A slow reader is dropped when more events than this are buffered for it. */
const BUFFER_MAX = 10_000;
const REPLAY_PAGE = 500;
const HOLD_STREAM = "hold:";
const ENDINGS: ReadonlySet<string> = new Set(Object.values(ENDING));

export class FeedOverrun extends Error {
  override readonly name = "FeedOverrun";
}

type Waiter = (hold: Entity<Hold>) => void;

export class Feed {
  readonly #store: Store;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #subscribers = new Set<(events: readonly StoredEvent[]) => void>();
  readonly #othersListeners = new Set<() => void>();
  readonly #detach: () => void;
  readonly #log: LogFollower | null;

  constructor(engine: Engine) {
    this.#store = engine.store;
    const reader = {
      hasReaders: () => this.#waiters.size > 0 || this.#subscribers.size > 0,
      deliver: (events: readonly StoredEvent[]) => this.#deliver(events),
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
    return this.#subscribers.size;
  }

  /** Calls back whenever another server may have committed something. Nothing is read for it. */
  onOthers(listener: () => void): () => void {
    this.#othersListeners.add(listener);
    return () => this.#othersListeners.delete(listener);
  }

  /** Calls back once, when the hold is settled. Returns a function that stops waiting. */
  onSettled(workspace: string, holdId: string, settled: Waiter): () => void {
    const key = `${workspace}\u0000${holdId}`;
    const waiters = this.#waiters.get(key) ?? new Set();
    waiters.add(settled);
    this.#waiters.set(key, waiters);
    return () => {
      waiters.delete(settled);
      if (waiters.size === 0 && this.#waiters.get(key) === waiters) this.#waiters.delete(key);
    };
  }

  /** Yields every stored event after `after` that passes the filter, then the live ones, until the signal aborts. */
  async *follow(
    filter: FeedFilter,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[]> {
    const live = new LiveBuffer(filter);
    const listen = (events: readonly StoredEvent[]) => live.push(events);
    this.#subscribers.add(listen);
    const stop = () => live.end();
    signal.addEventListener("abort", stop, { once: true });
    try {
      let seen = after;
      for (;;) {
        const page = await this.#store.events({ ...filter, after: seen, limit: REPLAY_PAGE });
        if (page.length > 0) yield page;
        seen = page.at(-1)?.position ?? seen;
        if (page.length < REPLAY_PAGE || signal.aborted) break;
      }
      while (!signal.aborted) {
        const fresh = (await live.take()).filter((event) => event.position > seen);
        if (fresh.length === 0) continue;
        seen = fresh.at(-1)?.position ?? seen;
        yield fresh;
      }
    } finally {
      this.#subscribers.delete(listen);
      signal.removeEventListener("abort", stop);
    }
  }

  #publish({ entities, events }: Commit): void {
    this.#notifyWaiters(entities);
    if (events.length === 0) return;
    // Other servers may have committed earlier events; the log follower delivers those first.
    if (this.#log !== null) this.#log.committed(events);
    else for (const subscriber of this.#subscribers) subscriber(events);
  }

  async #deliver(events: readonly StoredEvent[]): Promise<void> {
    if (this.#waiters.size > 0) await this.#notifyOfEndings(events);
    for (const subscriber of this.#subscribers) subscriber(events);
  }

  async #notifyOfEndings(events: readonly StoredEvent[]): Promise<void> {
    const waitedFor = events
      .filter(({ type }) => ENDINGS.has(type))
      .map(({ workspace, stream }) => ({ workspace, id: stream.slice(HOLD_STREAM.length) }))
      .filter(({ workspace, id }) => this.#waiters.has(`${workspace}\u0000${id}`))
      .map(({ workspace, id }) => ({ workspace, kind: "hold", id, read: true }) as const);
    if (waitedFor.length > 0) this.#notifyWaiters(await this.#store.load(waitedFor));
  }

  #notifyWaiters(entities: readonly AnyEntityOf[]): void {
    if (this.#waiters.size === 0) return;
    for (const entity of entities) {
      if (entity.kind !== "hold" || entity.body.status === "open") continue;
      const key = `${entity.workspace}\u0000${entity.id}`;
      const waiters = this.#waiters.get(key);
      if (waiters === undefined) continue;
      this.#waiters.delete(key);
      for (const settled of waiters) settled(entity);
    }
  }
}

class LiveBuffer {
  readonly #filter: FeedFilter;
  #events: StoredEvent[] = [];
  #wake: (() => void) | null = null;
  #ended = false;
  #overrun = false;

  constructor(filter: FeedFilter) {
    this.#filter = filter;
  }

  push(events: readonly StoredEvent[]): void {
    const { workspace, audience, stream } = this.#filter;
    for (const event of events) {
      if (event.workspace !== workspace) continue;
      if (audience !== undefined && event.audience !== audience) continue;
      if (stream !== undefined && event.stream !== stream) continue;
      this.#events.push(event);
    }
    if (this.#events.length > BUFFER_MAX) {
      this.#overrun = true;
      this.#events = [];
    }
    if (this.#events.length > 0 || this.#overrun) this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Waits for events. The result is empty only after `end`. */
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
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
