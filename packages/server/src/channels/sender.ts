/**
 * The loop that empties the outbox.
 *
 * N1  At least once: a row leaves the outbox only by `settleOutbox`; a sender that dies in between leaves its claim to run
 *     out, and the row is sent again under the same message id.
 * N2  At most one sender at a time: claims are short, so that what a dead sender held is soon another's, and renewed while
 *     the try lasts; a claim that was lost ends the try, and what comes later is fenced off by it.
 * N3  One timer, for the earliest due row; `wake` only makes it sooner. Nothing is lost when nobody calls it.
 * N4  At most `atOnce` tries run, at most `perLane` of them to one host of one workspace. Only what can be sent now is claimed and
 *     rendered: rows whose lane is full stay in the store, and cost nothing there.
 * N5  Whatever a carrier throws costs its own row one try and nobody else anything.
 * N6  One claim a turn of the event loop, and a turn between every few rows: however much waits, requests are served between.
 * N7  `stop` ends within `stopMs`: tries that last longer are cut short and put back, untried.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { OutboxRow } from "../kernel/record.ts";
import type { Store } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";
import type { Carriers, Delivery } from "./delivery.ts";
import type { Failure } from "./failure.ts";
import { Lanes } from "./lanes.ts";
import { type Settlement, settlementOf, type TryResult } from "./settlement.ts";

export interface SenderLimits {
  readonly atOnce: number;
  readonly perLane: number;
  /** How long a claim keeps others away from a row. */
  readonly leaseMs: number;
  /** How long one try may take, rendering included. */
  readonly sendMs: number;
  /** How many tries go to hosts that did not answer the last time, all together. */
  readonly slowAtOnce: number;
  /** How long to wait while rows are due that cannot be claimed: their lane is full, or another sender is taking them. */
  readonly busyMs: number;
  /** How long a stop waits for the tries under way. */
  readonly stopMs: number;
  /** How long to leave a store alone that failed. */
  readonly troubleMs: number;
  /** How often to look although nothing is due: another server's rows become ours when it dies. */
  readonly lookAgainMs: number;
}

const LIMITS: SenderLimits = {
  atOnce: 32,
  perLane: 4,
  leaseMs: 5_000,
  sendMs: 30_000,
  slowAtOnce: 16,
  busyMs: 1_000,
  stopMs: 5_000,
  troubleMs: 5_000,
  lookAgainMs: 60_000,
};

/** `busy`, `stopped`: put back untried. `lost`: the claim had run out, so nothing was written. */
export type SenderResult = TryResult | PutBack | "lost";

/** The row goes to another host than it said, and that one is busy; or the sender is stopping. */
type PutBack = "busy" | "stopped";

export interface SenderHooks {
  /** How long after it was committed a message was tried for the first time. */
  readonly onLag?: (lagMs: number) => void;
  readonly onTried?: (row: OutboxRow, result: SenderResult) => void;
  readonly onTrouble?: (error: unknown) => void;
}

export interface SenderOptions {
  readonly store: Pick<Store, "claimOutbox" | "nextOutboxAt" | "settleOutbox" | "renewOutbox">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly carriers: Carriers;
  readonly limits?: Partial<SenderLimits>;
  readonly hooks?: SenderHooks;
}

/** A claim is renewed this often before it would run out. */
const RENEWALS = 3;

/** Rows begun in one turn of the event loop. */
const ROWS_A_TURN = 8;

/** A row under way, and until when it is ours. */
interface Held {
  readonly row: OutboxRow;
  readonly stop: AbortController;
  until: number;
  /** The lane it turned out to go by. */
  lane: string;
}

const STOPPED = "stopped";
const TIMED_OUT: Delivery = { kind: "failed", error: "timed_out" };
const CRASHED: Delivery = { kind: "failed", error: "crashed" };

export class Sender {
  readonly #options: SenderOptions;
  readonly #limits: SenderLimits;
  readonly #lanes: Lanes;
  readonly #running = new Set<Promise<void>>();
  readonly #held = new Set<Held>();
  #isRenewing = false;
  #cancelRenewal: () => void = () => {};
  #state: "new" | "started" | "stopped" = "new";
  #pumping: Promise<void> | null = null;
  #again = false;
  /** A claim was made in this turn of the event loop. */
  #hasClaimed = false;
  /** The last claim filled every slot, so more is probably due. */
  #backlog = false;
  #armedAt = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    const { perLane: most, slowAtOnce: slowMost } = this.#limits;
    this.#lanes = new Lanes({ most, slowMost });
  }

  start(): void {
    if (this.#state !== "new") throw new Error("a sender starts once");
    this.#state = "started";
    this.#pump();
  }

  /** New rows were committed: look now rather than at the next due time. */
  wake(): void {
    this.#pump();
  }

  /** Takes nothing more, and resolves when the tries under way are settled, or cut short. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#state = "stopped";
    this.#disarm();
    const cancelLimit = clock.at(clock.now() + this.#limits.stopMs, () => {
      for (const { stop } of this.#held) stop.abort(STOPPED);
    });
    await this.idle();
    cancelLimit();
    this.#cancelRenewal();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Resolves once nothing is under way; what waits for a later time does not count. */
  async idle(): Promise<void> {
    while (this.#pumping || this.#running.size > 0) {
      await this.#pumping;
      await Promise.all(this.#running);
    }
  }

  #pump(): void {
    this.#again = true;
    if (this.#state !== "started" || this.#pumping) return;
    this.#pumping = this.#claimAll().finally(() => {
      this.#pumping = null;
      if (this.#again) this.#pump();
    });
  }

  async #claimAll(): Promise<void> {
    const { store, clock } = this.#options;
    try {
      let claimed = 0;
      while (this.#again && this.#state === "started") {
        this.#again = false;
        const free = this.#limits.atOnce - this.#running.size;
        if (free <= 0) {
          this.#backlog = true;
          break;
        }
        await this.#ownTurn();
        const lanes = { usual: this.#limits.perLane, rooms: this.#lanes.rooms() };
        const rows = await store.claimOutbox(clock.now(), this.#limits.leaseMs, free, lanes);
        this.#backlog = rows.length === free;
        claimed = rows.length;
        await this.#beginAll(rows);
      }
      // With a backlog the next look comes when slots are free again.
      if (!this.#backlog) await this.#armForNext(claimed);
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** The first claim of a turn is made at once, the next in the next turn. */
  async #ownTurn(): Promise<void> {
    if (this.#hasClaimed) await nextTurn();
    this.#hasClaimed = true;
    setImmediate(() => {
      this.#hasClaimed = false;
    });
  }

  async #beginAll(rows: readonly OutboxRow[]): Promise<void> {
    // All slots are taken before anybody waits, so that no other claim takes them too.
    const begins = rows.map((row) => this.#begin(row));
    for (const [at, begin] of begins.entries()) {
      if (at > 0 && at % ROWS_A_TURN === 0) await nextTurn();
      begin();
    }
  }

  async #armForNext(claimed: number): Promise<void> {
    const now = this.#options.clock.now();
    const nextAt = (await this.#options.store.nextOutboxAt()) ?? Number.POSITIVE_INFINITY;
    // Due, yet not to be claimed: its lane is full, or another sender is just taking it. Asking in a circle would help nobody.
    const dueAt = nextAt <= now && claimed === 0 ? now + this.#limits.busyMs : nextAt;
    this.#arm(Math.min(dueAt, now + this.#limits.lookAgainMs), true);
  }

  #arm(dueAt: number, replace = false): void {
    if (this.#state !== "started" || (!replace && dueAt >= this.#armedAt)) return;
    this.#disarm();
    this.#armedAt = dueAt;
    this.#disarm = this.#options.clock.at(dueAt, () => {
      this.#armedAt = Number.POSITIVE_INFINITY;
      this.#pump();
    });
  }

  /** Takes a slot, and returns how to use it. */
  #begin(row: OutboxRow): () => void {
    const leave = this.#lanes.enter(row);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = promise
      .then(() => this.#handle(row))
      .catch((error: unknown) => this.#trouble(error))
      .finally(() => {
        this.#running.delete(running);
        const isAwaited = leave();
        this.#refill(isAwaited);
      });
    this.#running.add(running);
    return resolve;
  }

  /** Slots of all lanes are refilled in small batches: each claim is a write. One of a full lane is refilled at once. */
  #refill(isAwaited: boolean): void {
    const free = this.#limits.atOnce - this.#running.size;
    if (isAwaited || (this.#backlog && free * 4 >= this.#limits.atOnce)) this.#pump();
  }

  async #handle(row: OutboxRow): Promise<void> {
    const { store, clock, hooks } = this.#options;
    const startedAt = clock.now();
    if (row.attempts.length === 0) hooks?.onLag?.(Math.max(0, startedAt - row.createdAt));
    const held: Held = { row, stop: new AbortController(), until: row.dueAt ?? 0, lane: row.lane };
    const delivery = await this.#tryInTime(held);
    const endedAt = clock.now();
    const settled = this.#settled({ ...row, lane: held.lane }, delivery, startedAt, endedAt);
    const isKept = await store.settleOutbox(settled.row, endedAt);
    hooks?.onTried?.(settled.row, isKept ? settled.result : "lost");
    if (settled.row.dueAt !== null) this.#arm(settled.row.dueAt);
  }

  #settled(
    row: OutboxRow,
    delivery: Delivery | PutBack,
    startedAt: number,
    endedAt: number,
  ): Settlement | { row: OutboxRow; result: PutBack } {
    const { random } = this.#options;
    if (typeof delivery === "string") return { row: { ...row, dueAt: endedAt }, result: delivery };
    if (delivery.kind === "sent" || delivery.kind === "failed") this.#lanes.ended(row, isAnswered(delivery));
    return settlementOf(row, delivery, { startedAt, endedAt }, random);
  }

  async #tryInTime(held: Held): Promise<Delivery | PutBack> {
    const { clock } = this.#options;
    this.#held.add(held);
    this.#renewSoon();
    return await new Promise((resolve) => {
      const cancelLimit = clock.at(clock.now() + this.#limits.sendMs, () => held.stop.abort());
      const end = (delivery: Delivery | PutBack) => {
        cancelLimit();
        this.#held.delete(held);
        resolve(delivery);
      };
      const { signal } = held.stop;
      // Whatever a try does that was cut short, nobody waits for it.
      const cut = () => end(signal.reason === STOPPED ? STOPPED : TIMED_OUT);
      signal.addEventListener("abort", cut, { once: true });
      this.#try(held)
        .catch((error: unknown) => {
          this.#options.hooks?.onTrouble?.(error);
          return CRASHED;
        })
        .then(end);
    });
  }

  #renewSoon(): void {
    const { clock } = this.#options;
    if (this.#isRenewing || this.#held.size === 0) return;
    this.#isRenewing = true;
    this.#cancelRenewal = clock.at(clock.now() + this.#limits.leaseMs / RENEWALS, async () => {
      await this.#renew([...this.#held]);
      this.#isRenewing = false;
      this.#renewSoon();
    });
  }

  /** A store that cannot be asked now renews nothing: what runs out meanwhile is given up. */
  async #renew(held: readonly Held[]): Promise<void> {
    const { store, clock, hooks } = this.#options;
    const until = clock.now() + this.#limits.leaseMs;
    try {
      const rows = held.map(({ row }) => row);
      const kept = rows.length === 0 ? [] : await store.renewOutbox(rows, until);
      for (const [at, one] of held.entries()) one.until = kept[at] === true ? until : 0;
    } catch (error) {
      hooks?.onTrouble?.(error);
    }
    for (const { stop, until: endsAt } of held) if (endsAt <= clock.now()) stop.abort();
  }

  async #try(held: Held): Promise<Delivery | PutBack> {
    const { row, stop } = held;
    const { signal } = stop;
    const prepared = await this.#options.carriers[row.kind].prepare(row);
    if (prepared.kind !== "ready") return prepared;
    // A process that was stopped for a while may find its claim gone before the clock has told it so.
    if (signal.aborted || this.#options.clock.now() >= held.until) return TIMED_OUT;
    if (prepared.lane === row.lane) return prepared.send(signal);
    // The row's lane was not known when it was made, or its endpoint has moved to another host.
    held.lane = prepared.lane;
    const found = { workspace: row.workspace, lane: prepared.lane };
    if (!this.#lanes.hasRoom(found)) return "busy";
    const leave = this.#lanes.enter(found);
    try {
      return await prepared.send(signal);
    } finally {
      if (leave()) this.#pump();
    }
  }

  /** The store failed: rows already claimed come back when their claim runs out, the rest after a pause. */
  #trouble(error: unknown): void {
    const { clock, hooks } = this.#options;
    hooks?.onTrouble?.(error);
    this.#arm(clock.now() + this.#limits.troubleMs);
  }
}

/** Whether the receiver said anything at all. */
function isAnswered(delivery: Extract<Delivery, { kind: "sent" | "failed" }>): boolean {
  return delivery.kind === "sent" || delivery.status !== undefined || !UNANSWERED.has(delivery.error);
}

const UNANSWERED: ReadonlySet<string> = new Set<Failure>(["timed_out", "connect_timed_out"]);
