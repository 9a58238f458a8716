/**
 * The loop that sends the outbox's messages.
 *
 * N1  At least once: a row leaves the outbox only by `settleOutbox`. If a sender dies before that, its claim expires and the
 *     row is sent again under the same message id.
 * N2  One sender at a time: a claim is a short lease, so that another server soon takes over a dead sender's rows. It is
 *     renewed while the try runs. Losing the claim aborts the try, and the claim number fences off its late writes.
 * N3  One timer, for the earliest due row. `wake` only makes it sooner; without it the row is still sent.
 * N4  At most `atOnce` tries run, at most `perLane` of them to one host of one workspace, and fewer to hosts that are new or
 *     answer late (`lanes.ts`). Only rows that can be sent now are claimed and rendered; rows whose lane is full stay in the
 *     store and cost nothing.
 * N5  A carrier that throws costs its own row one try and does not affect other rows.
 * N6  One round of claims per turn of the event loop, and a new turn after every few rows, so that requests are served in between.
 * N7  `stop` ends within `stopMs`: longer tries are aborted and their rows put back untried.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { OutboxRow } from "../kernel/record.ts";
import type { LaneRooms, Store } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";
import type { Carriers, Delivery } from "./delivery.ts";
import { CLAIMS, Lanes } from "./lanes.ts";
import { responseOf } from "./response.ts";
import { LIMITS, type SenderLimits } from "./sender-limits.ts";
import { type Settlement, settlementOf, type TryResult } from "./settlement.ts";

/** `busy`, `stopped`: put back untried. `lost`: the claim had expired, so nothing was written. */
export type SenderResult = TryResult | PutBack | "lost";

/** `busy`: the row turned out to go to another host, which has no free slot. `stopped`: the sender is stopping. */
type PutBack = "busy" | "stopped";

export interface SenderHooks {
  /** The time from commit to the first try. */
  readonly onLag?: (lagMs: number) => void;
  readonly onTried?: (row: OutboxRow, result: SenderResult) => void;
  /**
   * Runs before the result is written. If it rejects, nothing is written, and the row is tried again when its claim has
   * expired: what must follow a result is never lost.
   */
  readonly beforeSettled?: (row: OutboxRow, result: SenderResult) => Promise<void>;
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

/** How many times a claim is renewed within its lease. */
const RENEWALS = 3;

/** The number of rows started in one turn of the event loop. */
const ROWS_A_TURN = 8;

/** How long a few free slots wait for more of them. */
const REFILL_MS = 50;

/** A row with a running try, and when its claim expires. */
interface Held {
  readonly row: OutboxRow;
  readonly stop: AbortController;
  until: number;
  /** The lane the row really goes to. */
  lane: string;
}

const STOPPED = "stopped";
const TIMED_OUT: Delivery = { kind: "failed", error: "timed_out" };
const NO_CARRIER: Delivery = { kind: "no_channel" };
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
  /** Rows were claimed in this turn of the event loop. */
  #hasClaimed = false;
  /** The last claims filled every slot, or every slot for hosts, so more is probably due. */
  #backlog = false;
  /** The same of the slots for channels. */
  #hasFullChannels = false;
  #armedAt = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    const limits = this.#limits;
    this.#lanes = new Lanes({
      most: limits.perLane,
      channels: limits.channelsAtOnce,
      silentChannels: limits.silentChannelsAtOnce,
      hosts: Math.min(limits.hostsAtOnce, limits.atOnce),
      strangers: limits.strangersAtOnce,
      slow: limits.slowAtOnce,
    });
  }

  start(): void {
    if (this.#state !== "new") throw new Error("a sender can be started only once");
    this.#state = "started";
    this.#pump();
  }

  /** New rows were committed: claim now rather than at the next due time. */
  wake(): void {
    this.#pump();
  }

  /** Claims nothing more, and resolves when the running tries are settled or aborted. */
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

  /** Resolves once nothing is running. Rows that are due later do not count. */
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
    try {
      let claimed = 0;
      while (this.#again && this.#state === "started") {
        this.#again = false;
        if (this.#free > 0) {
          await this.#ownTurn();
          claimed = await this.#claimPools();
        }
        this.#backlog = this.#room <= 0;
        this.#hasFullChannels = this.#lanes.channelsRoom <= 0;
      }
      // Without a free slot, `#refill` claims again.
      if (this.#free > 0) await this.#armForNext(claimed);
    } catch (error) {
      this.#trouble(error);
    }
  }

  get #free(): number {
    return this.#limits.atOnce - this.#running.size;
  }

  /** How many slots are free for a row of any lane. */
  get #room(): number {
    return Math.min(this.#free, this.#lanes.hostsRoom);
  }

  /** Returns how many rows were claimed. */
  async #claimPools(): Promise<number> {
    let claimed = 0;
    for (const step of CLAIMS) {
      const claim = this.#lanes.claimOf(step);
      if (claim === null || this.#free <= 0) continue;
      claimed += await this.#claim(Math.min(claim.most, this.#free), claim.lanes);
    }
    return claimed;
  }

  /** Claims at most `most` rows of lanes with free slots, and starts their tries. Returns how many. */
  async #claim(most: number, lanes: LaneRooms): Promise<number> {
    const { store, clock } = this.#options;
    const rows = await store.claimOutbox(clock.now(), this.#limits.leaseMs, most, lanes);
    await this.#beginAll(rows);
    return rows.length;
  }

  /** The first round of claims in a turn is made at once, the next one in the next turn. */
  async #ownTurn(): Promise<void> {
    if (this.#hasClaimed) await nextTurn();
    this.#hasClaimed = true;
    setImmediate(() => {
      this.#hasClaimed = false;
    });
  }

  async #beginAll(rows: readonly OutboxRow[]): Promise<void> {
    // All slots are taken before the first await, so that no other claim takes them too.
    const begins = rows.map((row) => this.#begin(row));
    for (const [at, begin] of begins.entries()) {
      if (at > 0 && at % ROWS_A_TURN === 0) await nextTurn();
      begin();
    }
  }

  async #armForNext(claimed: number): Promise<void> {
    const now = this.#options.clock.now();
    const nextAt = (await this.#options.store.nextOutboxAt()) ?? Number.POSITIVE_INFINITY;
    // Due but not claimable: its lane is full, or another sender is claiming it. Wait instead of asking in a loop.
    const isBusy = claimed === 0 || this.#backlog || this.#hasFullChannels;
    const dueAt = nextAt <= now && isBusy ? now + this.#limits.busyMs : nextAt;
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

  /** Takes a slot, and returns a function that starts the try. */
  #begin(row: OutboxRow): () => void {
    const leave = this.#lanes.enter(row);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = promise
      .then(() => this.#handle(row))
      .catch((error: unknown) => this.#trouble(error))
      .finally(() => {
        this.#running.delete(running);
        const isWanted = leave();
        this.#refill(isWanted);
      });
    this.#running.add(running);
    return resolve;
  }

  /** Free slots are refilled in batches, because each claim is a write. A slot of a full lane is refilled at once. */
  #refill(isWanted: boolean): void {
    const { atOnce, hostsAtOnce, channelsAtOnce } = this.#limits;
    const hasMany =
      (this.#backlog && this.#room * 4 >= Math.min(atOnce, hostsAtOnce)) ||
      (this.#hasFullChannels && this.#lanes.channelsRoom * 4 >= Math.min(atOnce, channelsAtOnce));
    if (isWanted || hasMany) this.#pump();
    // The other slots may be taken for long by receivers that do not answer.
    else if (this.#backlog || this.#hasFullChannels) this.#arm(this.#options.clock.now() + REFILL_MS);
  }

  async #handle(row: OutboxRow): Promise<void> {
    const { store, clock, hooks } = this.#options;
    const startedAt = clock.now();
    if (row.attempts.length === 0) hooks?.onLag?.(Math.max(0, startedAt - row.createdAt));
    const held: Held = { row, stop: new AbortController(), until: row.dueAt ?? 0, lane: row.lane };
    const delivery = await this.#tryInTime(held);
    const endedAt = clock.now();
    const settled = this.#settled({ ...row, lane: held.lane }, delivery, startedAt, endedAt);
    if (settled.result !== "stopped") await hooks?.beforeSettled?.(settled.row, settled.result);
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
    if (delivery.kind === "sent" || delivery.kind === "failed")
      this.#lanes.ended(row, responseOf(row.lane, delivery, endedAt - startedAt));
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
      // An aborted try may still be running; nothing waits for it.
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

  /** If the store fails, no claim is renewed, and tries whose claim expires meanwhile are aborted. */
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
    const prepared = (await this.#options.carriers[row.kind]?.prepare(row)) ?? NO_CARRIER;
    if (prepared.kind !== "ready") return prepared;
    // After a process was paused, the claim may have expired before the timer could abort the try.
    if (signal.aborted || this.#options.clock.now() >= held.until) return TIMED_OUT;
    if (prepared.lane === row.lane) return prepared.send(signal);
    // The lane was unknown when the row was written, or the endpoint has moved to another host.
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

  /** The store failed. Rows already claimed come back when their claim expires; the rest is claimed after a pause. */
  #trouble(error: unknown): void {
    const { clock, hooks } = this.#options;
    hooks?.onTrouble?.(error);
    this.#arm(clock.now() + this.#limits.troubleMs);
  }
}
