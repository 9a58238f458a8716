/** Gathers what the commands of a batch came to, for the store to write. */

import type { AnyEntityOf } from "../domains.ts";
import { keyText } from "../kernel/entity.ts";
import type { OutboxRow, SealedEvent, Timer } from "../kernel/record.ts";
import type { Changes } from "../store/port.ts";
import type { TimerChange, Written } from "./draft.ts";
import type { Commit } from "./engine.ts";
import type { Overlay } from "./overlay.ts";

/** A timer whose command nothing came of is not looked at again for `restMs`; else it would be the first to be found again. */
export interface AskingTimer extends Timer {
  readonly restMs: number;
}

export class BatchWriter {
  readonly #overlay: Overlay;
  readonly #now: number;
  readonly #events: SealedEvent[] = [];
  readonly #outbox: OutboxRow[] = [];
  readonly #forget: Written["forget"][number][] = [];
  readonly #timers: TimerChange[] = [];
  #dirty = false;

  constructor(overlay: Overlay, now: number) {
    this.#overlay = overlay;
    this.#now = now;
  }

  get isEmpty(): boolean {
    return !this.#dirty;
  }

  /** All of one command or nothing. */
  write(written: Written | null): void {
    if (written === null) return;
    // One command may state more than fits into one call.
    for (const event of written.events) this.#events.push(event);
    for (const row of written.outbox) this.#outbox.push(row);
    for (const timer of written.timers) this.#timers.push(timer);
    for (const hold of written.forget) this.#forget.push(hold);
    this.#dirty = true;
  }

  /** With the timers that nothing came of, unless a neighbour has set or cleared them. */
  changes(idle: readonly AskingTimer[] = []): Changes {
    return {
      puts: this.#overlay.puts(),
      events: this.#events,
      timers: this.#timers,
      ...(idle.length === 0 ? {} : { rests: this.#rests(idle) }),
      outbox: this.#outbox,
      ...(this.#forget.length === 0 ? {} : { forget: this.#forget }),
    };
  }

  #rests(idle: readonly AskingTimer[]): NonNullable<Changes["rests"]> {
    const moved = new Set(this.#timers.map(({ key }) => keyText(key)));
    return idle
      .filter(({ key }) => !moved.has(keyText(key)))
      .map(({ key, dueAt, restMs }) => ({ key, dueAt, until: this.#now + restMs }));
  }

  committed(positions: readonly number[], commands: number): Commit {
    const events = this.#events.map((event, i) => ({ ...event, position: positions[i] as number }));
    let nextTimerAt: number | null = null;
    for (const { dueAt } of this.#timers) {
      if (dueAt !== null && (nextTimerAt === null || dueAt < nextTimerAt)) nextTimerAt = dueAt;
    }
    return {
      events,
      entities: this.#overlay.changed() as readonly AnyEntityOf[],
      nextTimerAt,
      messages: this.#outbox.length,
      commands,
      now: this.#now,
    };
  }
}
