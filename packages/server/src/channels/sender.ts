/**
 * The loop that empties the outbox.
 *
 * N1  At least once: a row leaves the outbox only by `settleOutbox`; a sender that dies in between leaves its claim to run
 *     out, and the row is sent again under the same message id.
 * N2  At most one sender at a time: claims are short, so that what a dead sender held is soon another's, and renewed while
 *     the try lasts; a claim that was lost ends the try, and what comes later is fenced off by it.
 * N3  One timer, for the earliest due row; `wake` only makes it sooner. Nothing is lost when nobody calls it.
 * N4  At most `atOnce` tries run, at most `perLane` of them to one host. A row whose lane is full is put back, untried.
 * N5  Whatever a carrier throws costs its own row one try and nobody else anything.
 */

import type { OutboxRow } from "../core/record.ts";
import type { Store } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";
import type { Carriers, Delivery } from "./delivery.ts";
import { Lanes } from "./lanes.ts";
import { type Settlement, settlementOf, type TryResult } from "./settlement.ts";

export interface SenderLimits {
  readonly atOnce: number;
  readonly perLane: number;
  /** How long a claim keeps others away from a row. */
  readonly leaseMs: number;
  /** How long one try may take, rendering included. */
  readonly sendMs: number;
  /** How long a row waits that found its lane full. */
  readonly busyMs: number;
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
  busyMs: 1_000,
  troubleMs: 5_000,
  lookAgainMs: 60_000,
};

/** `busy`: put back untried. `lost`: the claim had run out, so nothing was written. */
export type SenderResult = TryResult | "busy" | "lost";

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

/** A row under way, and until when it is ours. */
interface Held {
  readonly row: OutboxRow;
  readonly stop: AbortController;
  until: number;
}

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
  /** The last claim filled every slot, so more is probably due. */
  #backlog = false;
  #armedAt = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#lanes = new Lanes(this.#limits.perLane);
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

  /** Takes nothing more, and resolves when the tries under way are settled. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#disarm();
    await this.idle();
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
        const rows = await store.claimOutbox(clock.now(), this.#limits.leaseMs, free);
        this.#backlog = rows.length === free;
        claimed = rows.length;
        for (const row of rows) this.#begin(row);
      }
      // With a backlog the next look comes when slots are free again.
      if (!this.#backlog) await this.#armForNext(claimed);
    } catch (error) {
      this.#trouble(error);
    }
  }

  async #armForNext(claimed: number): Promise<void> {
    const now = this.#options.clock.now();
    const nextAt = (await this.#options.store.nextOutboxAt()) ?? Number.POSITIVE_INFINITY;
    // Due, yet not ours to claim: another sender is just taking it. Asking in a circle would help nobody.
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

  #begin(row: OutboxRow): void {
    const running = this.#handle(row)
      .catch((error: unknown) => this.#trouble(error))
      .finally(() => {
        this.#running.delete(running);
        this.#refill();
      });
    this.#running.add(running);
  }

  /** Claims in handfuls rather than one by one: each claim is a write. */
  #refill(): void {
    const free = this.#limits.atOnce - this.#running.size;
    if (this.#backlog && free * 4 >= this.#limits.atOnce) this.#pump();
  }

  async #handle(row: OutboxRow): Promise<void> {
    const { store, clock, hooks } = this.#options;
    const startedAt = clock.now();
    if (row.attempts.length === 0) hooks?.onLag?.(Math.max(0, startedAt - row.createdAt));
    const delivery = await this.#tryInTime(row);
    const endedAt = clock.now();
    const settled = this.#settled(row, delivery, startedAt, endedAt);
    const isKept = await store.settleOutbox(settled.row, endedAt);
    hooks?.onTried?.(settled.row, isKept ? settled.result : "lost");
    if (settled.row.dueAt !== null) this.#arm(settled.row.dueAt);
  }

  #settled(
    row: OutboxRow,
    delivery: Delivery | "busy",
    startedAt: number,
    endedAt: number,
  ): Settlement | { row: OutboxRow; result: "busy" } {
    const { random } = this.#options;
    if (delivery !== "busy") return settlementOf(row, delivery, { startedAt, endedAt }, random);
    const waitMs = Math.round(this.#limits.busyMs * (1 + random()));
    return { row: { ...row, dueAt: endedAt + waitMs }, result: "busy" };
  }

  async #tryInTime(row: OutboxRow): Promise<Delivery | "busy"> {
    const { clock } = this.#options;
    const held: Held = { row, stop: new AbortController(), until: row.dueAt ?? 0 };
    this.#held.add(held);
    this.#renewSoon();
    return await new Promise((resolve) => {
      const cancelLimit = clock.at(clock.now() + this.#limits.sendMs, () => held.stop.abort());
      held.stop.signal.addEventListener("abort", () => resolve(TIMED_OUT), { once: true });
      this.#try(held)
        .catch((error: unknown) => {
          this.#options.hooks?.onTrouble?.(error);
          return CRASHED;
        })
        .then(resolve)
        .finally(() => {
          cancelLimit();
          this.#held.delete(held);
        });
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

  async #try(held: Held): Promise<Delivery | "busy"> {
    const { row, stop } = held;
    const { signal } = stop;
    const prepared = await this.#options.carriers[row.kind].prepare(row);
    if (prepared.kind !== "ready") return prepared;
    // A process that was stopped for a while may find its claim gone before the clock has told it so.
    if (signal.aborted || this.#options.clock.now() >= held.until) return TIMED_OUT;
    const leave = this.#lanes.enter(prepared.lane);
    if (!leave) return "busy";
    try {
      return await prepared.send(signal);
    } finally {
      leave();
    }
  }

  /** The store failed: rows already claimed come back when their claim runs out, the rest after a pause. */
  #trouble(error: unknown): void {
    const { clock, hooks } = this.#options;
    hooks?.onTrouble?.(error);
    this.#arm(clock.now() + this.#limits.troubleMs);
  }
}
