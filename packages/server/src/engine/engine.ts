/**
 * The engine: takes commands, decides them and makes the result durable.
 *
 * E1  Commands are decided one after another on the evolving state; a batch is written in one transaction (group
 *     commit).
 * E2  Nobody is told anything, not even a refusal, before the commit it was decided on is on disk (G2).
 * E3  A command whose needs or decision throw fails alone; the other commands of its batch continue.
 * E4  A store failure fails every command of the batch and writes nothing; the next batch starts from the store.
 * E5  A command sees everything that its `needs` name. If an earlier command of the batch makes it need more, it is
 *     postponed to the next batch. So is a command whose rows would make the batch too long for one turn of the event
 *     loop (G13), with all commands after it; the first command of a batch is never too long. Rows that a command needs
 *     only `ifRoom` are left out instead.
 * E6  Listeners are called in commit order, after the callers of that commit.
 * E7  A batch that lost a conflict with another server is decided again on the new state, before anybody is told.
 */

import type { AboutOf, AnyEntityOf, Command, EntityOf, Kind } from "../domains.ts";
import type { Context } from "../kernel/context.ts";
import type { AnyCommand } from "../kernel/domain.ts";
import { AGAIN, type Reply } from "../kernel/draft.ts";
import type { Entity } from "../kernel/entity.ts";
import type { Failure } from "../kernel/failure.ts";
import { NO_PLATFORM, type Platform } from "../kernel/platform.ts";
import type { StoredEvent, Timer } from "../kernel/record.ts";
import type { Table } from "../kernel/table.ts";
import { CHARACTERS_MAX } from "../store/load-room.ts";
import { type Batch, LoadRoom, type Store } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";
import { SteadyClock } from "../system/steady-clock.ts";
import { BatchLoad, type Needed } from "./batch-load.ts";
import { BatchWriter, type DueTimer } from "./batch-writer.ts";
import type { DraftTools } from "./draft.ts";
import { Immutables } from "./immutables.ts";
import { Overlay } from "./overlay.ts";
import type { Seal } from "./seal.ts";

/** The result of a command: the entity it was about, right after the command, or why it was refused. */
export type Result<K extends Kind = Kind> =
  | { readonly ok: true; readonly fresh: boolean; readonly entity: EntityOf<K> }
  /** `hold`: the hold that caused the refusal, if the caller may see it. */
  | { readonly ok: false; readonly failure: Failure; readonly hold: EntityOf<"hold"> | undefined };

export interface Commit {
  readonly events: readonly StoredEvent[];
  readonly entities: readonly AnyEntityOf[];
  /** The earliest timer that this commit set, if any. */
  readonly nextTimerAt: number | null;
  readonly messages: number;
  readonly commands: number;
  readonly now: number;
}

export interface EngineOptions {
  /** The tables of all domains, and the seal functions of kinds that need their own. */
  readonly table: Table;
  readonly seals?: Readonly<Record<string, Seal>>;
  readonly store: Store;
  readonly clock: Clock;
  readonly judge: Context["judge"];
  readonly digest: Context["digest"];
  /** The operator's settings; absent: the defaults. */
  readonly platform?: Context["platform"];
  /** Delays the start of a batch. By default all requests of the current event-loop turn join it. */
  readonly defer?: (work: () => void) => void;
  readonly batchMax?: number;
  /** Receives errors for the operator: a decision that threw, a listener that threw, a store that failed. */
  readonly onFault?: (fault: unknown, command: AnyCommand | null) => void;
}

interface Waiting {
  readonly command: AnyCommand;
  /** The timer that the command runs for, if any. */
  readonly timer?: DueTimer;
  readonly resolve: (result: Result) => void;
  readonly reject: (fault: unknown) => void;
}

/** How many due timers to run, and how long a timer rests if its command changes nothing. */
export interface DueRun {
  readonly limit: number;
  readonly restMs: number;
}

export interface Fired extends Timer {
  /** The result of the timer's command, or the error it failed with. */
  readonly result: Result | { readonly fault: unknown };
}

/**
 * Returns the commands of a batch: the queued ones, or those of due timers. `stuck` are timers whose kind has no
 * command.
 */
type Gather = (
  open: Batch,
  overlay: Overlay,
  room: LoadRoom,
) => Promise<{
  readonly batch: readonly Waiting[];
  readonly stuck: readonly DueTimer[];
}>;

interface Decided {
  readonly waiting: Waiting;
  readonly result: Result;
}

interface Deciding {
  /** What each command of the batch needs. */
  readonly needed: readonly Needed[];
  readonly load: BatchLoad;
  readonly overlay: Overlay;
  readonly writer: BatchWriter;
  readonly now: number;
}

/** Each try decides the batch again, so losing this many conflicts in a row means that something else is wrong. */
const TRIES_MAX = 10;

export class EngineStopped extends Error {
  override readonly name = "EngineStopped";
}

export class Engine {
  readonly #options: EngineOptions;
  #tools: DraftTools;
  readonly #defer: (work: () => void) => void;
  readonly #immutables: Immutables;
  readonly #clock: SteadyClock;
  readonly #listeners = new Set<(commit: Commit) => void>();
  #queue: Waiting[] = [];
  /** How many commands the next batch takes: few after rows were too long for one batch, so that they are not loaded in vain. */
  #most: number;
  readonly #dueRuns: (() => Promise<void>)[] = [];
  #draining: Promise<void> | null = null;
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#most = this.#batchMax;
    const { table, platform = NO_PLATFORM, seals = {} } = options;
    this.#tools = { table, platform, seals };
    this.#immutables = new Immutables(table);
    this.#defer = options.defer ?? setImmediate;
    this.#clock = new SteadyClock(options.clock, (byMs) =>
      options.onFault?.(
        new Error(
          `The clock was set back by ${Math.round(byMs / 1000)} s. Time goes on from where it was until the clock has caught up.`,
        ),
        null,
      ),
    );
  }

  get store(): Store {
    return this.#options.store;
  }

  /** It never goes back, whatever happens to the clock that it reads. */
  get clock(): Clock {
    return this.#clock;
  }

  /** How far the server's clock is behind the time that the log has reached. */
  get clockBehindMs(): number {
    return this.#clock.behindMs;
  }

  /** Time continues after the newest event, also if the clock was set back while no server ran. */
  async continueTime(): Promise<void> {
    const after = (await this.store.lastPosition()) - 1;
    const [newest] = after < 0 ? [] : await this.store.events({ after, limit: 1 });
    if (newest !== undefined) this.notBefore(newest.at);
  }

  /** Time has reached `at` on another server. After the clock was set back, the times of servers may differ by hours. */
  notBefore(at: number): void {
    this.#clock.notBefore(at);
  }

  get judge(): Context["judge"] {
    return this.#options.judge;
  }

  get platform(): Platform {
    return this.#tools.platform;
  }

  /** The operator's settings changed: they count from the next batch on. */
  usePlatform(platform: Platform): void {
    this.#tools = { ...this.#tools, platform };
  }

  get #batchMax(): number {
    return this.#options.batchMax ?? 500;
  }

  /** How many commands wait for a batch. */
  get queued(): number {
    return this.#queue.length;
  }

  run<C extends Command>(command: C): Promise<Result<AboutOf<C>>> {
    if (this.#stopped)
      return Promise.reject(
        new EngineStopped("the server is stopping; send the request again after the restart"),
      );
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ command, resolve, reject });
      this.#draining ??= this.#drain();
      // The table maps each command to the kind of entity it is about.
    }) as Promise<Result<AboutOf<C>>>;
  }

  /**
   * Runs one batch of due timers that no other server has locked. They are found, decided and committed under the
   * same locks, so no other server can run them unless this one dies.
   */
  runDue(run: DueRun): Promise<readonly Fired[]> {
    if (this.#stopped)
      return Promise.reject(
        new EngineStopped("the server is stopping; send the request again after the restart"),
      );
    return new Promise((resolve, reject) => {
      // Postponed commands may still be running when the batch is done.
      this.#dueRuns.push(() => this.#commitDue(run).then((fired) => resolve(Promise.all(fired)), reject));
      this.#draining ??= this.#drain();
    });
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rejects new commands and waits for the queued ones. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length + this.#dueRuns.length > 0) {
      await new Promise<void>((resolve) => this.#defer(resolve));
      await this.#dueRuns.shift()?.();
      const batch = this.#queue.slice(0, this.#most);
      this.#queue = this.#queue.slice(batch.length);
      if (batch.length > 0) await this.#commitQueued(batch);
    }
    this.#draining = null;
  }

  async #commitQueued(batch: readonly Waiting[]): Promise<void> {
    const fault = await this.#commit(async () => ({ batch, stuck: [] }));
    if (fault === undefined) return;
    this.#options.onFault?.(fault.cause, null);
    for (const waiting of batch) waiting.reject(fault.cause);
  }

  async #commitDue({ limit, restMs }: DueRun): Promise<readonly Promise<Fired>[]> {
    let fired: Promise<Fired>[] = [];
    let most = Math.min(limit, this.#most);
    const fault = await this.#commit(async (open, overlay, room) => {
      const due = await open.due(this.clock.now(), most, room);
      // After a conflict with another server, try again with a smaller batch.
      most = Math.ceil(most / 10);
      overlay.fill(
        due.map(({ key }) => key),
        due.map(({ entity }) => entity).filter((entity) => entity !== undefined),
      );
      const batch: Waiting[] = [];
      const stuck: DueTimer[] = [];
      fired = due.map(({ key, dueAt }) => {
        const timer = { key, dueAt, restMs };
        const command = this.#options.table.tickOf(key);
        return new Promise<Fired>((tell) => {
          const resolve = (result: Result) => tell({ key, dueAt, result });
          const reject = (cause: unknown) => tell({ key, dueAt, result: { fault: cause } });
          if (command !== undefined) batch.push({ command, timer, resolve, reject });
          else {
            stuck.push(timer);
            reject(new Error(`Invariant: ${key.kind} ${key.id} has a timer, but its kind declares none`));
          }
        });
      });
      return { batch, stuck };
    });
    if (fault !== undefined) throw fault.cause;
    return fired;
  }

  /** Commits the batch, with retries. Returns the error that prevented it, if any. */
  async #commit(gather: Gather): Promise<{ readonly cause: unknown } | undefined> {
    for (let triesLeft = TRIES_MAX; ; triesLeft -= 1) {
      const fault = await this.#tryCommit(gather);
      if (fault === undefined || triesLeft === 1 || !isRetryable(fault.cause)) return fault;
    }
  }

  async #tryCommit(gather: Gather): Promise<{ readonly cause: unknown } | undefined> {
    let open: Batch | undefined;
    try {
      open = await this.#options.store.begin();
      const overlay = new Overlay(this.#tools);
      const room = new LoadRoom();
      const { batch, stuck } = await gather(open, overlay, room);
      const { table } = this.#options;
      const load = new BatchLoad({ table, overlay, open, room, immutables: this.#immutables });
      const needed = await load.neededBy(batch.map(({ command }) => command));
      const serverNow = this.#clock.now();
      const read = open.now(serverNow);
      // A store without a clock of its own returns the server's time, which is corrected already.
      const now = read === serverNow ? serverNow : this.#clock.correct(read);
      const writer = new BatchWriter(overlay, now);
      const taken = batch.slice(0, needed.length);
      const { decided, postponed, broken, isCut } = this.#decide(taken, {
        needed,
        load,
        overlay,
        writer,
        now,
      });
      const idle = [...stuck, ...idleTimers(decided, broken)];
      const isEmpty = writer.isEmpty && idle.length === 0;
      const committed = isEmpty ? await open.release() : await open.commit(writer.changes(idle));
      this.#queue = [...postponed, ...batch.slice(needed.length), ...this.#queue];
      const most = room.isCut || isCut ? Math.max(1, taken.length - postponed.length) : this.#most;
      this.#most = Math.min(this.#batchMax, 2 * most);
      for (const { waiting, result } of decided) waiting.resolve(result);
      for (const { waiting, fault } of broken) waiting.reject(fault);
      if (committed === undefined) return undefined;
      // Callers continue in microtasks that run before this one (E6).
      await Promise.resolve();
      this.#publish(writer.committed(committed.positions, decided.length));
      return undefined;
    } catch (cause) {
      await open?.release().catch(() => undefined);
      return { cause };
    }
  }

  #decide(batch: readonly Waiting[], { needed, load, overlay, writer, now }: Deciding) {
    const { judge, digest } = this.#options;
    const context = { now, platform: this.#tools.platform, judge, digest };
    const decided: Decided[] = [];
    const postponed: Waiting[] = [];
    const broken: { waiting: Waiting; fault: unknown }[] = [];
    let characters = 0;
    let isCut = false;
    for (const [at, waiting] of batch.entries()) {
      const { command } = waiting;
      // The rest waits for the next batch: hashing what new rows contain is part of this turn of the event loop.
      if (characters > CHARACTERS_MAX) {
        postponed.push(...batch.slice(at));
        isCut = true;
        break;
      }
      try {
        if (load.needsMore(command, needed[at])) {
          postponed.push(waiting);
          continue;
        }
        const draft = overlay.draft(command.workspace);
        const reply = this.#options.table.decide(command, draft, context);
        if (reply === AGAIN || !reply.ok) draft.rollBack();
        characters += draft.characters;
        const isFresh = draft.isWritten;
        writer.write(draft.commit());
        if (reply === AGAIN) postponed.push(waiting);
        else decided.push({ waiting, result: this.#resultOf(command, reply, isFresh, overlay) });
      } catch (fault) {
        this.#options.onFault?.(fault, command);
        broken.push({ waiting, fault });
      }
    }
    return { decided, postponed, broken, isCut };
  }

  #resultOf(command: AnyCommand, reply: Reply, isFresh: boolean, overlay: Overlay): Result {
    const { workspace } = command;
    if (!reply.ok) {
      const { failure, holdId } = reply;
      const hold = holdId === undefined ? undefined : overlay.entity({ workspace, kind: "hold", id: holdId });
      return { ok: false, failure, hold: hold as EntityOf<"hold"> | undefined };
    }
    const key = { workspace, kind: this.#options.table.aboutOf(command), id: reply.id };
    const entity: Entity = overlay.entity(key) ?? { ...key, version: 0, seq: 0, head: "", body: {} };
    return { ok: true, fresh: isFresh && reply.fresh !== false, entity: entity as EntityOf<Kind> };
  }

  #publish(commit: Commit): void {
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (fault) {
        this.#options.onFault?.(fault, null);
      }
    }
  }
}

/** Timers whose command changed nothing or threw. */
function idleTimers(
  decided: readonly Decided[],
  broken: readonly { readonly waiting: Waiting }[],
): readonly DueTimer[] {
  const idle = decided.filter(({ result }) => !result.ok || !result.fresh);
  return [...idle, ...broken].map(({ waiting }) => waiting.timer).filter((timer) => timer !== undefined);
}

/** The store marks an error as retryable if it knows that nothing was written. */
function isRetryable(fault: unknown): boolean {
  return fault instanceof Error && "retryable" in fault && fault.retryable === true;
}
