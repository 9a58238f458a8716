/**
 * A clock that never goes back, whatever happens to the one it reads: an expired hold must not become answerable again because
 * somebody set the machine's clock back (G3).
 *
 * C4  `now()` never returns less than before, nor less than `notBefore`.
 * C5  If the clock falls back by more than a second, time goes on from where it was, at the pace of the machine's monotonic counter,
 *     until the clock has caught up. Smaller corrections are waited out.
 */

import type { Clock } from "./clock.ts";

const SLACK_MS = 1_000;

export class SteadyClock implements Clock {
  readonly #inner: Clock;
  readonly #onSetBack: (byMs: number) => void;
  /** The last time that was taken from the clock itself, and the counter at that moment. */
  #base = Number.NEGATIVE_INFINITY;
  #baseElapsed = 0;
  #last = Number.NEGATIVE_INFINITY;
  /** How far the clock was behind when it was read last; 0 if it was not. */
  #behindBy = 0;
  /** Alarms that have not gone off. */
  readonly #armed = new Set<Alarm>();

  constructor(inner: Clock, onSetBack: (byMs: number) => void = () => undefined) {
    this.#inner = inner;
    this.#onSetBack = onSetBack;
  }

  now(): number {
    return this.correct(this.#inner.now());
  }

  elapsed(): number {
    return this.#inner.elapsed?.() ?? 0;
  }

  /** How far the clock is behind this one. */
  get behindMs(): number {
    const inner = this.#inner.now();
    return Math.max(0, this.correct(inner) - inner);
  }

  /** Time was at least `at`: the newest event of the log says so. */
  notBefore(at: number): void {
    if (at <= this.now()) return;
    this.#base = at;
    this.#baseElapsed = this.elapsed();
    this.#last = at;
    // Sets the alarms again.
    this.now();
  }

  /** The same for a time that was read from the database's clock. */
  correct(read: number): number {
    const elapsed = this.elapsed();
    // The counter has fractions of a millisecond; times are whole, and stores refuse others.
    const steady = Math.floor(this.#base + (elapsed - this.#baseElapsed));
    const isBehind = steady - read > SLACK_MS;
    const behindBy = isBehind ? steady - read : 0;
    const setBackBy = behindBy - this.#behindBy;
    if (!isBehind) {
      this.#base = read;
      this.#baseElapsed = elapsed;
    }
    this.#last = Math.max(this.#last, isBehind ? steady : read);
    if (Math.abs(setBackBy) <= SLACK_MS) return this.#last;
    this.#behindBy = behindBy;
    if (setBackBy > 0) this.#onSetBack(setBackBy);
    // The inner clock would wake them too early or too late.
    for (const alarm of this.#armed) this.#arm(alarm);
    return this.#last;
  }

  at(dueAt: number, wake: () => void | Promise<void>): () => void {
    if (Number.isNaN(dueAt)) throw new TypeError("dueAt must be a number, not NaN");
    const alarm: Alarm = { dueAt, cancel: NOTHING, look: () => this.#look(alarm, wake) };
    this.#arm(alarm);
    this.#armed.add(alarm);
    return () => {
      this.#armed.delete(alarm);
      alarm.cancel();
    };
  }

  /** The inner clock wakes by its own time. */
  #arm(alarm: Alarm): void {
    alarm.cancel();
    const inner = this.#inner.now();
    alarm.cancel = this.#inner.at(alarm.dueAt - (this.correct(inner) - inner), alarm.look);
  }

  #look(alarm: Alarm, wake: () => void | Promise<void>): void | Promise<void> {
    if (this.now() < alarm.dueAt) return this.#arm(alarm);
    this.#armed.delete(alarm);
    // Reading the time may just have set all alarms again, this one too.
    alarm.cancel();
    return wake();
  }
}

/** One object for each, because every long poll sets one. */
interface Alarm {
  readonly dueAt: number;
  readonly look: () => void | Promise<void>;
  cancel: () => void;
}

const NOTHING = () => undefined;
