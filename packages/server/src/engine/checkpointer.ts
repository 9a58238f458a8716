/**
 * Signs the log as it grows. A checkpoint covers every event since the one before, of all streams and workspaces, so that a
 * whole stream that disappears shows as well as a changed event.
 *
 * K1  Checkpoints are contiguous: each begins where its predecessor ended and names its hash.
 * K2  One is made `breathMs` after so many new events as `everyEvents`, or `everyMs` after the first new one, whichever
 *     comes first; one that failed is tried again `everyMs` later. The breath is for whoever waits: what a rush brings is
 *     covered by one checkpoint behind it, not by many in its way.
 */

import type { Checkpoint } from "../kernel/log/checkpoint.ts";
import { SYSTEM } from "../kernel/principal.ts";
import type { ReadStore } from "../store/port.ts";
import { canonicalJson, RunningHash, sha256 } from "../system/digest.ts";
import type { Signer } from "../system/signing.ts";
import type { Engine } from "./engine.ts";
import { HeardHashes } from "./heard-hashes.ts";

/** Checkpoints speak of the whole log, so they live beside the workspaces, not in one. */
export const LOG_WORKSPACE = "_log";

const EVERY_MS = 60_000;

export interface CheckpointerOptions {
  readonly engine: Engine;
  readonly signer: Signer;
  readonly everyEvents?: number;
  readonly everyMs?: number;
  readonly breathMs?: number;
  readonly onFault?: (fault: unknown) => void;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #heard = new HeardHashes();
  readonly #detach: () => void;
  #fresh = 0;
  #disarm: (() => void) | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#detach = options.engine.onCommit(({ events }) => {
      this.#heard.hear(events);
      this.#count(events.length);
    });
  }

  /** What would have been signed a moment later is signed now. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#detach();
    this.#disarm?.();
    if (this.#isFull) void this.make();
    await this.#running;
  }

  get #isFull(): boolean {
    return this.#fresh >= (this.#options.everyEvents ?? 1_000);
  }

  #count(events: number): void {
    if (events === 0 || this.#stopped) return;
    this.#fresh += events;
    const { everyMs = EVERY_MS, breathMs = 1_000 } = this.#options;
    this.#armBy(this.#isFull ? Math.min(breathMs, everyMs) : everyMs);
  }

  /** In so long, or before if it would have been anyway. */
  #armBy(ms: number): void {
    const { clock } = this.#options.engine;
    const dueAt = clock.now() + ms;
    if (this.#stopped || dueAt >= this.#armedFor) return;
    this.#disarm?.();
    this.#armedFor = dueAt;
    this.#disarm = clock.at(dueAt, async () => {
      await this.make();
    });
  }

  /**
   * Covers what is there now; `undefined` when there is nothing new. One at a time, among all servers, or two might begin
   * alike (K1).
   */
  make(): Promise<Checkpoint | undefined> {
    this.#fresh = 0;
    this.#disarm?.();
    this.#disarm = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const making = this.#running
      .then(() => this.#makeAlone())
      .catch((fault) => {
        this.#options.onFault?.(fault);
        this.#armBy(this.#options.everyMs ?? EVERY_MS);
        return undefined;
      });
    this.#running = making;
    return making;
  }

  #makeAlone(): Promise<Checkpoint | undefined> {
    return this.#options.engine.store.shared.alone("checkpoint", () => this.#make());
  }

  async #make(): Promise<Checkpoint | undefined> {
    const { engine, signer } = this.#options;
    const last = await lastCheckpoint(engine.store);
    const from = last?.upTo ?? 0;
    const covered = this.#heardAfter(from) ?? (await readAfter(engine.store, from));
    if (covered.count === 0) return undefined;
    const at = engine.clock.now();
    const statement = { from, ...covered, previous: last?.hash ?? "", at, keyId: signer.keyId };
    const text = canonicalJson(statement);
    const id = checkpointId(covered.upTo);
    const checkpoint: Checkpoint = { id, ...statement, hash: sha256(text), signature: signer.sign(text) };
    await engine.run({ kind: "keep_checkpoint", workspace: LOG_WORKSPACE, by: SYSTEM, checkpoint });
    this.#heard.forgetUpTo(covered.upTo);
    return checkpoint;
  }

  #heardAfter(from: number): Covered | undefined {
    const hashes = this.#heard.after(from);
    if (hashes === undefined) return undefined;
    const running = new RunningRoot();
    for (const hash of hashes) running.add(hash);
    return { upTo: from + hashes.length, count: hashes.length, root: running.root() };
  }
}

/** Padded, so that ids sort as positions do. */
export function checkpointId(upTo: number): string {
  return `cp_${String(upTo).padStart(15, "0")}`;
}

export async function lastCheckpoint(store: ReadStore): Promise<Checkpoint | undefined> {
  const [last] = await store.query({
    workspace: LOG_WORKSPACE,
    kind: "checkpoint",
    newestFirst: true,
    limit: 1,
  });
  return last?.body;
}

/** What a checkpoint signs, in the order it is signed. */
export function statementOf(checkpoint: Checkpoint): string {
  const { id: _id, hash: _hash, signature: _signature, ...statement } = checkpoint;
  return canonicalJson(statement);
}

/** One hash over all event hashes of a stretch of the log, in commit order. */
export class RunningRoot {
  readonly #hash = new RunningHash();
  count = 0;

  add(eventHash: string): void {
    this.#hash.add(eventHash);
    this.count += 1;
  }

  root(): string {
    return this.#hash.digest();
  }
}

interface Covered {
  readonly upTo: number;
  readonly count: number;
  readonly root: string;
}

/** What was committed before this server started, or by another one. */
async function readAfter(store: ReadStore, after: number): Promise<Covered> {
  const upTo = await store.lastPosition();
  const running = new RunningRoot();
  for await (const page of store.scan({ after, upTo })) {
    for (const event of page) running.add(event.hash);
  }
  return { upTo, count: running.count, root: running.root() };
}
