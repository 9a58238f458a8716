/**
 * One event stream for all waits of a process.
 *
 * L1  The line is open exactly while somebody holds a seat, so that a process that waits for nothing can end.
 * L2  Every seat is rung for every ending of their hold that was committed after the line was up.
 * L3  When the line cannot promise L2 any more, everybody is rung: it was lost for longer than a moment, or came back
 *     without knowing where it had been, or further back than it had been.
 * L4  A line that does not work is tried again ever more rarely; meanwhile `isUp` is false and waits read by themselves.
 */

import { isRetryableError, type RetryableError } from "../../client/index.ts";
import { pause } from "../runtime.ts";
import type { Transport } from "../transport.ts";
import { connection, type Piece } from "./connection.ts";
import type { Frame } from "./sse-parser.ts";

const ENDINGS = ["hold.decided", "hold.expired", "hold.cancelled"] as const;
const PATH = `/v1/events?types=${ENDINGS.join(",")}`;

/** A line lost for less than this is not missed, if it can be taken up where it was. */
const GRACE_MS = 3_000;
/** Shorter lives than this count as failures, or a server that hangs up at once would be called without pause. */
const HEALTHY_MS = 5_000;
/** Where there is no stream to be had: look again later, it may have been a deployment. */
const HOPELESS_PAUSE_MS = 300_000;

export type Ring = "ended" | "look";

export interface Seat {
  readonly holdId: string;
  /** Called, maybe often: `ended` when the hold has an outcome, `look` when nobody knows. */
  ring: (ring: Ring) => void;
}

type State = "closed" | "opening" | "up" | "down";

export class EventLine {
  readonly #transport: Transport;
  readonly #seats = new Set<Seat>();
  #state: State = "closed";
  #stop = new AbortController();
  #lastId = "";
  #onceKnown: (() => void)[] = [];

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get isUp(): boolean {
    return this.#state === "up";
  }

  get seats(): number {
    return this.#seats.size;
  }

  take(seat: Seat): void {
    this.#seats.add(seat);
    if (this.#state !== "closed") return;
    this.#stop = new AbortController();
    this.#enter("opening");
    void this.#run(this.#stop.signal);
  }

  leave(seat: Seat): void {
    this.#seats.delete(seat);
    if (this.#seats.size > 0 || this.#state === "closed") return;
    this.#lastId = "";
    this.#enter("closed");
    this.#stop.abort();
  }

  /** Resolves when the line is up, or when it is clear that it is not. */
  known(): Promise<void> {
    if (this.#state !== "opening") return Promise.resolve();
    return new Promise((resolve) => this.#onceKnown.push(resolve));
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const giveUp = this.#transport.runtime.after(GRACE_MS, () => signal.aborted || this.#lose());
      const openedAt = this.#transport.runtime.now();
      const trouble = await this.#readOne(signal, giveUp).finally(giveUp);
      if (signal.aborted) return;
      const lived = this.#transport.runtime.now() - openedAt;
      failures = lived >= HEALTHY_MS && trouble !== "hopeless" ? 1 : failures + 1;
      if (trouble === "hopeless" || failures > 1) this.#lose();
      else this.#enter("opening");
      await this.#rest(trouble, failures, signal);
    }
  }

  async #rest(trouble: Trouble, failures: number, signal: AbortSignal): Promise<void> {
    const ms =
      trouble === "hopeless"
        ? HOPELESS_PAUSE_MS
        : this.#transport.delayMs(trouble === "ended" ? undefined : trouble, failures);
    await pause(this.#transport.runtime, ms, signal).catch(() => {});
  }

  async #readOne(signal: AbortSignal, wasHeard: () => void): Promise<Trouble> {
    try {
      for await (const piece of connection(this.#transport, { path: PATH, lastId: this.#lastId, signal })) {
        if (signal.aborted) return "ended";
        wasHeard();
        this.#hear(piece);
      }
      return "ended";
    } catch (error) {
      return isRetryableError(error) ? error : "hopeless";
    }
  }

  #hear({ frames, lastId }: Piece): void {
    const isBack = this.#state !== "up";
    const knewWhere = this.#lastId !== "";
    // A log that is shorter than it was is another one: a backup was put back, and nobody told what happened since.
    const isShorter = knewWhere && lastId !== "" && Number(lastId) < Number(this.#lastId);
    if (lastId !== "") this.#lastId = lastId;
    this.#enter("up");
    if (isShorter || (isBack && !knewWhere)) this.#ringAll();
    for (const frame of frames) this.#ringFor(frame);
  }

  #ringFor({ event, data }: Frame): void {
    if (!(ENDINGS as readonly string[]).includes(event)) return;
    const holdId = holdIdOf(data);
    for (const seat of this.#seats) if (seat.holdId === holdId) seat.ring("ended");
  }

  #ringAll(): void {
    for (const seat of this.#seats) seat.ring("look");
  }

  #lose(): void {
    if (this.#state === "down" || this.#state === "closed") return;
    this.#enter("down");
    this.#ringAll();
  }

  #enter(state: State): void {
    this.#state = state;
    if (state === "opening") return;
    const waiting = this.#onceKnown;
    this.#onceKnown = [];
    for (const resolve of waiting) resolve();
  }
}

type Trouble = RetryableError | "ended" | "hopeless";

function holdIdOf(data: string): string | undefined {
  try {
    return (JSON.parse(data) as { hold_id?: string }).hold_id;
  } catch {
    return undefined;
  }
}
