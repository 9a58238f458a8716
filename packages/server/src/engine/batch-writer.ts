/** Collects the events, messages and timers of a batch's commands for the store to write. */

import type { AnyEntityOf } from "../domains.ts";
import { keyText } from "../kernel/entity.ts";
import type { OutboxRow, SealedEvent, Timer } from "../kernel/record.ts";
import type { Changes } from "../store/port.ts";
import type { TimerChange, Written } from "./draft.ts";
import type { Commit } from "./engine.ts";
import type { Overlay } from "./overlay.ts";

/**
 * The timer that a command was run for. If the command changes nothing, the timer rests for `restMs`; otherwise the
 * next search would find it first again.
 */
export interface DueTimer extends Timer {
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

  /** Takes over everything that one command wrote; `null`: it wrote nothing. */
  write(written: Written | null): void {
    if (written === null) return;
    // Not `push(...events)`: one command may write more events than a call can take arguments.
    for (const event of written.events) this.#events.push(event);
    for (const row of written.outbox) this.#outbox.push(row);
    for (const timer of written.timers) this.#timers.push(timer);
    for (const hold of written.forget) this.#forget.push(hold);
    this.#dirty = true;
  }

  /**
   * The changes of the batch. Idle timers rest, except those that another command of the batch has set or cleared.
   */
  changes(idle: readonly DueTimer[] = []): Changes {
    return {
      puts: this.#overlay.puts(),
      events: this.#events,
      timers: this.#timers,
      ...(idle.length === 0 ? {} : { rests: this.#rests(idle) }),
      outbox: this.#outbox,
      ...(this.#forget.length === 0 ? {} : { forget: this.#forget }),
    };
  }

  #rests(idle: readonly DueTimer[]): NonNullable<Changes["rests"]> {
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
