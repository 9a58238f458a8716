/** The batch of a store whose batches take turns: nobody else writes meanwhile, so reading needs no locks (S4). */

import type { Entity, Kind } from "../core/entity.ts";
import type { StoredEvent } from "../core/record.ts";
import type { Batch, Changes, Committed, EventQuery, Query, Reader, Want } from "./port.ts";

export class TurnBatch implements Batch {
  readonly #reader: Reader;
  readonly #commit: (changes: Changes) => Committed;
  readonly #endTurn: () => void;
  #hasEnded = false;

  constructor(reader: Reader, commit: (changes: Changes) => Committed, endTurn: () => void) {
    this.#reader = reader;
    this.#commit = commit;
    this.#endTurn = endTurn;
  }

  async load(wants: readonly Want[]): Promise<readonly Entity[]> {
    this.#assertRunning();
    return this.#reader.load(wants);
  }

  async find(kind: Kind, id: string): Promise<Entity | undefined> {
    this.#assertRunning();
    return this.#reader.find(kind, id);
  }

  async query(query: Query): Promise<readonly Entity[]> {
    this.#assertRunning();
    return this.#reader.query(query);
  }

  async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    this.#assertRunning();
    return this.#reader.events(query);
  }

  async commit(changes: Changes): Promise<Committed> {
    this.#assertRunning();
    try {
      return this.#commit(changes);
    } finally {
      this.#end();
    }
  }

  async release(): Promise<void> {
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#endTurn();
  }

  #assertRunning(): void {
    if (this.#hasEnded) throw new Error("the batch has ended");
  }
}
