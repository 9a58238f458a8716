/**
 * Signs the log as it grows. A checkpoint covers every event since the one before, of all streams and workspaces, so
 * that verification detects a missing stream as well as a changed event.
 *
 * K1  Checkpoints are contiguous: each begins where its predecessor ended and names its hash.
 * K2  A checkpoint is made `delayMs` after `everyEvents` new events, or `everyMs` after the first new one, whichever
 *     comes first. A failed one is tried again `everyMs` later. The delay keeps signing out of the way of callers: a
 *     burst of commits is covered by one checkpoint after it.
 * K3  The last checkpoint that this server signed is also kept outside of the database. If the database no longer has
 *     it, nothing more is signed: a signature would make a rewritten log look genuine.
 */

import type { Checkpoint } from "../kernel/log/checkpoint.ts";
import { SYSTEM } from "../kernel/principal.ts";
import type { ReadStore } from "../store/port.ts";
import type { AnchorStore } from "../system/anchor-file.ts";
import { canonicalJson } from "../system/canonical-json.ts";
import { RunningHash, sha256 } from "../system/digest.ts";
import type { Signer } from "../system/signing.ts";
import { CommittedHashes } from "./committed-hashes.ts";
import type { Engine } from "./engine.ts";

/** Checkpoints cover all workspaces, so they are stored in a workspace of their own. */
export const LOG_WORKSPACE = "_log";

const EVERY_MS = 60_000;

export interface CheckpointerOptions {
  readonly engine: Engine;
  readonly signer: Signer;
  readonly everyEvents?: number;
  readonly everyMs?: number;
  readonly delayMs?: number;
  /** Where the last signed checkpoint is kept outside of the database. */
  readonly anchor?: AnchorStore;
  readonly onFault?: (fault: unknown) => void;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #hashes = new CommittedHashes();
  readonly #detach: () => void;
  #fresh = 0;
  #disarm: (() => void) | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#detach = options.engine.onCommit(({ events }) => {
      this.#hashes.add(events);
      this.#count(events.length);
    });
  }

  /** Stops. If enough new events are already waiting for a checkpoint, it is made now. */
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
    const { everyMs = EVERY_MS, delayMs = 1_000 } = this.#options;
    this.#armBy(this.#isFull ? Math.min(delayMs, everyMs) : everyMs);
  }

  /** Makes a checkpoint in `ms`, unless an earlier one is already scheduled. */
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
   * Makes a checkpoint over all events so far; `undefined` if there are no new ones. Only one runs at a time across
   * all servers; two at once could start at the same position (K1).
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
    const { engine, signer, anchor } = this.#options;
    await refuseRewritten(engine.store, anchor);
    const last = await lastCheckpoint(engine.store);
    const from = last?.upTo ?? 0;
    const covered = this.#committedAfter(from) ?? (await readAfter(engine.store, from));
    refuseGap(from, covered);
    if (covered.count === 0) return undefined;
    const at = engine.clock.now();
    const statement = { from, ...covered, previous: last?.hash ?? "", at, keyId: signer.keyId };
    const text = canonicalJson(statement);
    const id = checkpointId(covered.upTo);
    const checkpoint: Checkpoint = { id, ...statement, hash: sha256(text), signature: signer.sign(text) };
    await engine.run({ kind: "keep_checkpoint", workspace: LOG_WORKSPACE, by: SYSTEM, checkpoint });
    await anchor?.write(checkpoint);
    this.#hashes.forgetUpTo(covered.upTo);
    return checkpoint;
  }

  #committedAfter(from: number): Covered | undefined {
    const hashes = this.#hashes.after(from);
    if (hashes === undefined) return undefined;
    const running = new RunningRoot();
    for (const hash of hashes) running.add(hash);
    return { upTo: from + hashes.length, count: hashes.length, root: running.root() };
  }
}

/** Throws if the database has lost the checkpoint that this server signed last. */
async function refuseRewritten(store: ReadStore, anchor: AnchorStore | undefined): Promise<void> {
  const signed = anchor?.read();
  if (anchor === undefined || signed === undefined) return;
  // `find`, because `load` may return a row that a store has cached.
  const found = await store.find("checkpoint", signed.id);
  if (found?.workspace === LOG_WORKSPACE && found.body.hash === signed.hash) return;
  const what = found === undefined ? "is missing from the database" : "was changed in the database";
  throw new Error(
    `The log was rewritten or replaced: checkpoint ${signed.id}, which this server signed, ${what}. Nothing is signed any more. ` +
      `Run \`holdpoint verify\`. If you restored an older backup on purpose, move ${anchor.place} away.`,
  );
}

/** Throws if events are missing: positions are given out without gaps, on every store. */
function refuseGap(from: number, { upTo, count }: Covered): void {
  if (count === upTo - from) return;
  throw new Error(
    `The log has a gap: between position ${from} and ${upTo} there are ${count} events instead of ${upTo - from}. Nothing is signed ` +
      `any more. Run \`holdpoint verify\`, and restore the database from a backup.`,
  );
}

/** Padded with zeros, so that ids sort in order of position. */
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

/** The text that a checkpoint signs. */
export function statementOf(checkpoint: Checkpoint): string {
  const { id: _id, hash: _hash, signature: _signature, ...statement } = checkpoint;
  return canonicalJson(statement);
}

/** One hash over the hashes of a range of events, in commit order. */
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

/** Reads events that were committed before this server started, or by another server. */
async function readAfter(store: ReadStore, after: number): Promise<Covered> {
  const upTo = await store.lastPosition();
  const running = new RunningRoot();
  for await (const page of store.scan({ after, upTo })) {
    for (const event of page) running.add(event.hash);
  }
  return { upTo, count: running.count, root: running.root() };
}
