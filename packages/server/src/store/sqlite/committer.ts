/**
 * Commits lists of writes, each in one transaction that is synced to disk (S1). A short one is committed on this thread, because
 * another thread would have to be sent it first. A long one would pause the server for as long as SQLite writes it (G13), so it goes
 * to the commit thread, piece by piece; meanwhile other writes of this thread wait, instead of blocking it at the file's lock.
 */

import type { DatabaseSync } from "node:sqlite";
import { VersionConflict } from "../port.ts";
import type { CommitPiece, CommitterSetup } from "./commit-worker.ts";
import { writeFault } from "./faults.ts";
import type { Statements } from "./statements.ts";
import { WorkerThread, workerFile } from "./worker-thread.ts";
import { runWrites, type WriteList, type WritePiece, type Written } from "./writes.ts";

export class Committer {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #thread: WorkerThread<CommitPiece, Written>;
  #longCommit: Promise<unknown> | undefined;
  /** The last write failed with a temporary error. */
  #isFailing = false;

  constructor(
    db: DatabaseSync,
    statements: Statements,
    path: string,
    file: URL = workerFile("commit-worker"),
  ) {
    this.#db = db;
    this.#statements = statements;
    const setup: CommitterSetup = { path };
    const whenDead =
      "the store's commit thread ended unexpectedly; its last commit may have been written, so read before you repeat it";
    this.#thread = new WorkerThread({ file, setup, whenDead });
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Returns the positions of the events. */
  async commit(list: WriteList): Promise<readonly number[]> {
    const { pieces } = list;
    const [first] = pieces;
    if (first === undefined) return [];
    if (!list.isLong)
      return this.transaction(() => positionsOf(runWrites(this.#statements, first.flat), first));
    const committing = this.#commitPieces(pieces);
    this.#longCommit = committing;
    try {
      return await this.#watched(() => committing);
    } finally {
      this.#longCommit = undefined;
    }
  }

  async #commitPieces(pieces: readonly WritePiece[]): Promise<readonly number[]> {
    const positions: (readonly number[])[] = [];
    for (const [at, piece] of pieces.entries()) {
      const place = { isFirst: at === 0, isLast: at === pieces.length - 1 };
      const written = await this.#thread.ask({ flat: piece.flat, ...place });
      positions.push(positionsOf(written, piece));
    }
    return positions.flat();
  }

  /** Runs `write` on this thread as soon as no long commit is being written. */
  async write<T>(write: () => T): Promise<T> {
    while (this.#longCommit !== undefined) await this.#longCommit.catch(() => undefined);
    return write();
  }

  /** One transaction on this thread. Nothing is written if `write` throws. */
  transaction<T>(write: () => T): T {
    try {
      this.#statements.of("BEGIN IMMEDIATE").run();
      const result = write();
      this.#statements.of("COMMIT").run();
      this.#isFailing = false;
      return result;
    } catch (error) {
      // Some errors, such as a full disk, have already rolled the transaction back.
      if (this.#db.isTransaction) this.#statements.of("ROLLBACK").run();
      throw this.#noted(error);
    }
  }

  async #watched<T>(commit: () => Promise<T>): Promise<T> {
    try {
      const result = await commit();
      this.#isFailing = false;
      return result;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #noted(error: unknown): unknown {
    const fault = writeFault(error);
    this.#isFailing ||= fault !== error;
    return fault;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function positionsOf(written: Written, { puts }: WritePiece): readonly number[] {
  if (written.kind === "written") return written.positions;
  const key = puts[written.put];
  if (key === undefined) throw new Error(`Invariant: the commit has no put ${written.put}`);
  throw new VersionConflict(key);
}
