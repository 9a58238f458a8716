/**
 * Reads the log on as it grows, whoever writes it: each event once, in order of position.
 *
 * While nobody wants to hear, it only keeps up with the end. Somebody who comes while it does so is not passed over: what
 * was committed after they came is read.
 */

import type { StoredEvent } from "../kernel/record.ts";
import type { Store, Watching } from "../store/port.ts";

const PAGE = 500;

export interface LogReader {
  isWanted(): boolean;
  hear(events: readonly StoredEvent[]): Promise<void>;
}

export class LogFollower {
  readonly #store: Store;
  readonly #reader: LogReader;
  readonly #watching: Watching;
  #position: number;
  #again = false;
  #isReading = false;
  #stopped = false;

  constructor(store: Store, reader: LogReader) {
    this.#store = store;
    this.#reader = reader;
    this.#watching = store.shared.watch((upTo) => this.look(upTo));
    this.#position = this.#watching.after;
  }

  /** There may be more; where it is known how far the log goes, nobody is asked for nobody's sake. */
  look(upTo?: number): void {
    if (upTo !== undefined && !this.#isReading && !this.#reader.isWanted()) {
      this.#position = Math.max(this.#position, upTo);
      return;
    }
    this.#again = true;
    if (!this.#isReading) void this.#read();
  }

  /** What this server has just committed: heard as it is, unless others may have committed something before it. */
  wrote(events: readonly StoredEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined || last.position <= this.#position) return;
    // Positions have no gaps.
    if (this.#isReading || first.position !== this.#position + 1) this.look(last.position);
    else void this.#hearOwn(events, last.position);
  }

  async #hearOwn(events: readonly StoredEvent[], upTo: number): Promise<void> {
    this.#isReading = true;
    try {
      await this.#reader.hear(events);
      this.#position = upTo;
    } catch {
      // The store cannot be asked now; they are read when there is more.
      this.#again = true;
    } finally {
      this.#isReading = false;
      if (this.#again) void this.#read();
    }
  }

  stop(): void {
    this.#stopped = true;
    void this.#watching.stop();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        if (this.#reader.isWanted()) await this.#readOn();
        else await this.#skip();
      }
    } catch {
      // The store cannot be asked now. The next look begins where this one did.
    } finally {
      this.#isReading = false;
    }
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const page = await this.#store.events({ after: this.#position, limit: PAGE });
      const last = page.at(-1);
      if (last === undefined || this.#stopped) return;
      await this.#reader.hear(page);
      this.#position = last.position;
      if (page.length < PAGE) return;
    }
  }

  async #skip(): Promise<void> {
    const end = await this.#store.lastPosition();
    if (this.#reader.isWanted()) await this.#readOn();
    else this.#position = end;
  }
}
