/**
 * Follows the log as it grows, no matter which server writes it, and delivers each event once, in order of position.
 *
 * While there are no readers, it only looks now and then where the log ends and at which time. A reader that joins meanwhile gets
 * every event committed after it joined. Positions and times come from the log and from own commits, never from a hint.
 */

import type { StoredEvent } from "../kernel/record.ts";
import type { Store, Watching } from "../store/port.ts";

const PAGE = 500;

export interface LogReader {
  hasReaders(): boolean;
  /** Another server may have committed something; whether anybody reads it or not. */
  onHint?(): void;
  /** Whether another server's time is later than this one's. */
  isAhead(at: number): boolean;
  /** An event of another server has this time. */
  onTime(at: number): void;
  deliver(events: readonly StoredEvent[]): Promise<void>;
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
    this.#watching = store.shared.watch((at) => this.hint(at));
    this.#position = this.#watching.after;
  }

  /** There may be more events, the last one of this time. Without readers the log is read only for the time. */
  hint(at?: number): void {
    this.#reader.onHint?.();
    const isOfUse = at === undefined || this.#reader.hasReaders() || this.#reader.isAhead(at);
    if (isOfUse) this.#check();
  }

  #check(): void {
    this.#again = true;
    if (!this.#isReading) void this.#read();
  }

  /**
   * Events that this server just committed. They are delivered without a read, unless another server may have
   * committed before.
   */
  committed(events: readonly StoredEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined || last.position <= this.#position) return;
    // Positions have no gaps, so a jump means that another server committed events.
    if (!this.#isReading && !this.#reader.hasReaders()) this.#position = last.position;
    else if (this.#isReading || first.position !== this.#position + 1) this.#check();
    else void this.#deliverOwn(events, last.position);
  }

  async #deliverOwn(events: readonly StoredEvent[], upTo: number): Promise<void> {
    this.#isReading = true;
    try {
      await this.#reader.deliver(events);
      this.#position = upTo;
    } catch {
      // The store is not available now. The events are read with the next ones.
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
        if (this.#reader.hasReaders()) await this.#readOn();
        else await this.#skip();
      }
    } catch {
      // The store is not available now. The next hint continues from the same position.
    } finally {
      this.#isReading = false;
    }
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const page = await this.#store.events({ after: this.#position, limit: PAGE });
      const last = page.at(-1);
      if (last === undefined || this.#stopped) return;
      this.#reader.onTime(last.at);
      await this.#reader.deliver(page);
      this.#position = last.position;
      if (page.length < PAGE) return;
    }
  }

  async #skip(): Promise<void> {
    const end = await this.#store.lastPosition();
    const [last] =
      end > this.#position ? await this.#store.events({ after: end - 1, upTo: end, limit: 1 }) : [];
    if (last !== undefined) this.#reader.onTime(last.at);
    if (this.#reader.hasReaders()) await this.#readOn();
    else this.#position = end;
  }
}
