/**
 * The batch of a store that runs one batch at a time: nobody else writes meanwhile, so reading needs no locks (S4).
 */

import type { EntityOf } from "../domains.ts";
import { keyText } from "../kernel/entity.ts";
import type { StoredEvent, Timer } from "../kernel/record.ts";
import type { LoadRoom } from "./load-room.ts";
import type { Batch, Changes, Committed, Due, EventQuery, Query, Reader, Want } from "./port.ts";

/** The reads that such a store provides for its batches. */
interface SerialReader extends Reader {
  load<K extends string>(wants: readonly Want<K>[], room?: LoadRoom): Promise<readonly EntityOf<K>[]>;
  /** Timers due at or before `now` that do not rest, earliest first. */
  readyTimers(now: number, limit: number): readonly Timer[];
}

export class SerialBatch implements Batch {
  readonly #reader: SerialReader;
  readonly #commit: (changes: Changes) => Committed | Promise<Committed>;
  readonly #unlock: () => void;
  #hasEnded = false;

  constructor(
    reader: SerialReader,
    commit: (changes: Changes) => Committed | Promise<Committed>,
    unlock: () => void,
  ) {
    this.#reader = reader;
    this.#commit = commit;
    this.#unlock = unlock;
  }

  async load<K extends string>(wants: readonly Want<K>[], room?: LoadRoom): Promise<readonly EntityOf<K>[]> {
    this.#assertRunning();
    return this.#reader.load(wants, room);
  }

  async find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined> {
    this.#assertRunning();
    return this.#reader.find(kind, id);
  }

  async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    this.#assertRunning();
    return this.#reader.query(query);
  }

  async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    this.#assertRunning();
    return this.#reader.events(query);
  }

  async due(now: number, limit: number, room?: LoadRoom): Promise<readonly Due[]> {
    this.#assertRunning();
    const timers = this.#reader.readyTimers(now, limit);
    const keys = timers.map(({ key }) => key);
    if (room !== undefined) room.free = keys.slice(0, 1);
    const found = await this.#reader.load(keys, room);
    const entities = new Map(found.map((entity) => [keyText(entity), entity]));
    const taken = timers.slice(0, timers.length - (room?.takeRefused().length ?? 0));
    return taken.map((timer) => ({ ...timer, entity: entities.get(keyText(timer.key)) }));
  }

  now(serverNow: number): number {
    return serverNow;
  }

  async commit(changes: Changes): Promise<Committed> {
    this.#assertRunning();
    try {
      return await this.#commit(changes);
    } finally {
      this.#end();
    }
  }

  async release(): Promise<void> {
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#unlock();
  }

  #assertRunning(): void {
    if (this.#hasEnded) throw new Error("Invariant: the batch has ended and cannot be used again");
  }
}
