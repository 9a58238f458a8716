/**
 * A runtime whose long timers move only when told to. Short pauses (back-off in the tests is a few milliseconds) run for
 * real, because they stand between two calls over a real socket.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Runtime } from "../runtime.ts";

const SHORT_MS = 100;
const PATIENCE_MS = 10_000;

interface Timer {
  readonly dueAt: number;
  readonly wake: () => void;
}

export class TestRuntime implements Runtime {
  readonly fetch = (input: string, init: RequestInit): Promise<Response> => globalThis.fetch(input, init);
  readonly #timers = new Set<Timer>();
  #now = Date.UTC(2026, 2, 1);
  #keys = 0;
  /** Every pause and timeout that was asked for, in order. */
  readonly asked: number[] = [];

  now(): number {
    return this.#now;
  }

  random(): number {
    return 1;
  }

  newKey(): string {
    this.#keys += 1;
    return `auto-key-${this.#keys}`;
  }

  after(ms: number, wake: () => void): () => void {
    this.asked.push(ms);
    if (ms < SHORT_MS) {
      const timer = setTimeout(wake, ms);
      return () => clearTimeout(timer);
    }
    const timer = { dueAt: this.#now + ms, wake };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that nobody has taken back or reached. */
  get waiting(): number {
    return this.#timers.size;
  }

  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    for (;;) {
      const due = [...this.#timers]
        .filter(({ dueAt }) => dueAt <= target)
        .sort((a, b) => a.dueAt - b.dueAt)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.dueAt);
      due.wake();
      await nextTurn();
    }
    this.#now = target;
  }
}

/** Resolves as soon as it is so; whatever it waits for crosses a socket and needs turns of the event loop, not time. */
export async function until(isSo: () => boolean, what = "it"): Promise<void> {
  const startedAt = performance.now();
  while (!isSo()) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`${what} never came about`);
    await nextTurn();
  }
}

/** A few milliseconds in all, so that tests do not wait. */
export const QUICK_RETRY = { attemptsMax: 4, baseMs: 1, capMs: 4 } as const;
