/**
 * Waiting for outcomes.
 *
 * W1  Waiting is only reading (G8): whatever happens to a wait, the hold does not notice.
 * W2  A wait ends with the hold's outcome, with its own time, with its signal, or with a refusal; trouble on the way is
 *     waited out, however long it takes.
 * W3  An outcome that came before the wait is found at once; one that comes between reading and listening is not missed,
 *     because listening begins first.
 */

import { fromWire, type Hold, isRetryableError, type WaitOptions } from "../../client/index.ts";
import type { HoldOut } from "../../index.ts";
import { abortable, linked } from "../linked-signal.ts";
import { segment } from "../path-segment.ts";
import { pause } from "../runtime.ts";
import type { Transport } from "../transport.ts";
import type { EventLine, Ring, Seat } from "./event-line.ts";
import { turns } from "./turns.ts";

/** How long one poll asks the server to wait. */
const POLL_SECONDS = 30;
/** Polls at a time: a process that waits for many holds must not open a connection for each. */
const POLLS_MAX = 6;
const READS_MAX = 8;
/** A parked wait looks by itself this often, should an event ever go missing. */
const LOOK_AGAIN_MS = 300_000;

const TIME_IS_UP = Symbol("the wait's own time is up");

export class Waits {
  readonly #transport: Transport;
  readonly #line: EventLine;
  readonly #streaming: boolean;
  readonly #polls = turns(POLLS_MAX);
  readonly #reads = turns(READS_MAX);
  #waiting = 0;

  constructor(transport: Transport, line: EventLine, streaming: boolean) {
    this.#transport = transport;
    this.#line = line;
    this.#streaming = streaming;
  }

  async wait(holdId: string, options: WaitOptions = {}): Promise<Hold> {
    const { signal, waitMs } = options;
    if (waitMs !== undefined && waitMs <= 0) return this.#read(holdId, signal);
    const ends = linked(signal);
    const { runtime } = this.#transport;
    const takeBack = waitMs === undefined ? () => {} : runtime.after(waitMs, () => ends.abort(TIME_IS_UP));
    const deadline = waitMs === undefined ? Number.POSITIVE_INFINITY : runtime.now() + waitMs;
    this.#waiting += 1;
    try {
      return await this.#untilSettled(holdId, ends.signal, deadline);
    } catch (error) {
      // What was last read may be old by now, and the caller is about to act on it.
      if (error === TIME_IS_UP) return await this.#read(holdId, signal, { attemptsMax: 2 });
      throw error;
    } finally {
      this.#waiting -= 1;
      takeBack();
      ends.release();
    }
  }

  #untilSettled(holdId: string, signal: AbortSignal, deadline: number): Promise<Hold> {
    const isShort = deadline - this.#transport.runtime.now() <= POLL_SECONDS * 1_000;
    // One poll covers a short wait; a stream would be opened only to be closed again.
    if (!this.#streaming || (isShort && !this.#line.isUp)) return this.#poll(holdId, signal, deadline);
    return this.#listen(holdId, signal, deadline);
  }

  async #poll(holdId: string, signal: AbortSignal, deadline: number): Promise<Hold> {
    for (;;) {
      const hold = await this.#pollOnce(holdId, signal, deadline);
      if (hold.status !== "open") return hold;
    }
  }

  async #listen(holdId: string, signal: AbortSignal, deadline: number): Promise<Hold> {
    const bell = new Bell();
    const seat: Seat = { holdId, ring: (ring) => bell.ring(ring) };
    this.#line.take(seat);
    try {
      for (let heard: Ring = "look"; ; heard = await bell.rung(this.#transport, signal)) {
        await abortable(this.#line.known(), signal);
        bell.forgetLook();
        // After an ending the outcome is there, if not on this very server: the poll waits for it, a read would not.
        const reading = this.#line.isUp && heard === "look";
        const hold = reading
          ? await this.#patientRead(holdId, signal)
          : await this.#pollOnce(holdId, signal, deadline);
        if (hold.status !== "open") return hold;
        if (!this.#line.isUp) bell.ring("look");
      }
    } finally {
      this.#line.leave(seat);
    }
  }

  async #patientRead(holdId: string, signal: AbortSignal): Promise<Hold> {
    return this.#patiently(signal, () => this.#reads.take(() => this.#read(holdId, signal)));
  }

  /** The more wait, the shorter each poll, so that everybody gets their turn. */
  async #pollOnce(holdId: string, signal: AbortSignal, deadline: number): Promise<Hold> {
    return this.#patiently(signal, () =>
      this.#polls.take(() => {
        const share = Math.floor((POLL_SECONDS * POLLS_MAX) / Math.max(POLLS_MAX, this.#waiting));
        const left = Math.ceil((deadline - this.#transport.runtime.now()) / 1_000);
        return this.#read(holdId, signal, { waitSeconds: Math.max(1, Math.min(share, left)) });
      }),
    );
  }

  /** W2: what may pass is waited out; refusals are not. */
  async #patiently(signal: AbortSignal, read: () => Promise<Hold>): Promise<Hold> {
    for (let attempt = this.#transport.retry.attemptsMax; ; attempt += 1) {
      try {
        // Nobody who has given up stands in the queue for their turn to say so.
        return await abortable(read(), signal);
      } catch (error) {
        if (!isRetryableError(error)) throw error;
        await pause(this.#transport.runtime, this.#transport.delayMs(error, attempt), signal);
      }
    }
  }

  async #read(holdId: string, signal: AbortSignal | undefined, how: How = {}): Promise<Hold> {
    signal?.throwIfAborted();
    const { waitSeconds, attemptsMax } = how;
    const wire = await this.#transport.call<HoldOut>({
      method: "GET",
      path: `/v1/holds/${segment(holdId)}`,
      repeat: "safe",
      signal,
      ...(attemptsMax === undefined ? {} : { attemptsMax }),
      ...(waitSeconds === undefined ? {} : { query: { wait: waitSeconds }, waitMs: waitSeconds * 1_000 }),
    });
    return fromWire("HoldOut", wire);
  }
}

interface How {
  readonly waitSeconds?: number;
  readonly attemptsMax?: number;
}

/** Remembers a ring that nobody was listening for yet. */
class Bell {
  #last: Ring | undefined;
  #wake: (() => void) | undefined;

  ring(ring: Ring): void {
    // An ending says more than a reason to look.
    this.#last = this.#last === "ended" ? "ended" : ring;
    this.#wake?.();
  }

  /** A wait that is about to read needs no reason to read. */
  forgetLook(): void {
    if (this.#last === "look") this.#last = undefined;
  }

  async rung(transport: Transport, signal: AbortSignal): Promise<Ring> {
    const before = this.#take();
    if (before !== undefined) return before;
    const lookAgainMs = LOOK_AGAIN_MS * (1 + transport.runtime.random() / 4);
    let takeBack = () => {};
    const heard = new Promise<void>((resolve) => {
      this.#wake = resolve;
      takeBack = transport.runtime.after(lookAgainMs, resolve);
    });
    try {
      await abortable(heard, signal);
      return this.#take() ?? "look";
    } finally {
      this.#wake = undefined;
      takeBack();
    }
  }

  #take(): Ring | undefined {
    const last = this.#last;
    this.#last = undefined;
    return last;
  }
}
