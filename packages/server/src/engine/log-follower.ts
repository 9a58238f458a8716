/**
 * Follows the log as it grows, no matter which server writes it, and delivers each event once, in order of position.
 *
 * While there are no readers, it only looks now and then where the log ends and at which time. A reader that joins meanwhile gets
 * every event committed after it joined. Positions and times come from the log and from own commits, never from a hint.
 */

import { ENDINGS } from "../kernel/hold/facts.ts";
import type { StoredEvent } from "../kernel/record.ts";
import { mayGoOn } from "../store/event-pages.ts";
import type { Hint, Store, Watching } from "../store/port.ts";

const PAGE = 500;

/** What somebody reads of the log: every event, as streams do, only how holds ended, as waiting agents do, or nothing. */
export type Interest = "all" | "endings" | "none";

export interface LogReader {
  interest(): Interest;
  /** Holds with these marks may have ended on another server. */
  lookAt(marks: readonly string[]): void;
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
    this.#watching = store.shared.watch((hint) => this.hint(hint));
    this.#position = this.#watching.after;
  }

  /** There may be more events. Where it is known which holds ended, only who waits for them looks, and not at the log. */
  hint({ at, ended }: Hint = {}): void {
    this.#reader.onHint?.();
    const interest = this.#reader.interest();
    const isRead = interest === "all" || (interest === "endings" && ended === undefined);
    if (at === undefined || isRead || this.#reader.isAhead(at)) this.#check();
    else if (interest === "endings") this.#reader.lookAt(ended ?? []);
  }

  #check(): void {
    this.#again = true;
    if (!this.#isReading) void this.#read();
  }

  /**
   * Events that this server just committed. They are delivered without a read, unless another server may have
   * committed before. Who waits for a hold hears of them from the commit itself.
   */
  committed(events: readonly StoredEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined || last.position <= this.#position) return;
    // Positions have no gaps, so a jump means that another server committed events.
    const isNext = !this.#isReading && first.position === this.#position + 1;
    const interest = this.#reader.interest();
    if (interest === "all") {
      if (isNext) void this.#deliverOwn(events, last.position);
      else this.#check();
    } else if (isNext || (interest === "none" && !this.#isReading)) this.#position = last.position;
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
        if (this.#reader.interest() === "none") await this.#skip();
        else await this.#readOn();
      }
    } catch {
      // The store is not available now. The next hint continues from the same position.
    } finally {
      this.#isReading = false;
    }
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const isForEndings = this.#reader.interest() === "endings";
      // Where only endings are read, everything up to this end is passed over once, not looked through again at each look.
      const end = isForEndings ? await this.#store.lastPosition() : undefined;
      if (end !== undefined && end <= this.#position) return;
      const only = end === undefined ? {} : { types: [...ENDINGS], upTo: end };
      const page = await this.#store.events({ after: this.#position, limit: PAGE, ...only });
      // A stream that was opened meanwhile needs the other events as well.
      if (isForEndings && this.#reader.interest() === "all") continue;
      if (this.#stopped) return;
      const isLast = !mayGoOn(page, PAGE);
      const upTo = isLast ? (end ?? page.at(-1)?.position) : page.at(-1)?.position;
      if (upTo === undefined) return;
      const [last] =
        page.at(-1)?.position === upTo
          ? page.slice(-1)
          : await this.#store.events({ after: upTo - 1, upTo, limit: 1 });
      if (last !== undefined) this.#reader.onTime(last.at);
      if (page.length > 0) await this.#reader.deliver(page);
      this.#position = upTo;
      if (isLast) return;
    }
  }

  async #skip(): Promise<void> {
    const end = await this.#store.lastPosition();
    const [last] =
      end > this.#position ? await this.#store.events({ after: end - 1, upTo: end, limit: 1 }) : [];
    if (last !== undefined) this.#reader.onTime(last.at);
    if (this.#reader.interest() === "none") this.#position = end;
    else await this.#readOn();
  }
}
