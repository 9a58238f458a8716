/**
 * The commit thread: writes long commits on a connection of its own. A commit comes in pieces; its transaction begins with the
 * first one and is synced to disk after the last one.
 */

import { parentPort, workerData } from "node:worker_threads";
import { connectWriter } from "./connect.ts";
import { type FromWorker, failureOf, type ToWorker } from "./requests.ts";
import { Statements } from "./statements.ts";
import { runWrites, type Written } from "./writes.ts";

/** One piece of a commit. */
export interface CommitPiece {
  readonly flat: Parameters<typeof runWrites>[1];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface CommitterSetup {
  readonly path: string;
}

if (parentPort === null) throw new Error("Invariant: this file was started outside of a worker thread");
const port = parentPort;
const db = connectWriter((workerData as CommitterSetup).path);
const statements = new Statements(db);

port.on("message", (message: ToWorker<CommitPiece>) => {
  if (message.kind === "close") {
    db.close();
    port.close();
    return;
  }
  port.postMessage(answer(message.id, message.request));
});

function answer(id: number, piece: CommitPiece): FromWorker<Written> {
  try {
    return { kind: "done", id, result: write(piece) };
  } catch (error) {
    // Some errors, such as a full disk, have already rolled the transaction back.
    if (db.isTransaction) statements.of("ROLLBACK").run();
    return { kind: "failed", id, failure: failureOf(error) };
  }
}

function write({ flat, isFirst, isLast }: CommitPiece): Written {
  begin(isFirst);
  const written = runWrites(statements, flat);
  if (written.kind === "conflict") statements.of("ROLLBACK").run();
  else if (isLast) statements.of("COMMIT").run();
  return written;
}

/** Pieces of two commits never meet in one transaction: a commit is whole or not at all (S1). */
function begin(isFirst: boolean): void {
  if (!isFirst && !db.isTransaction) throw new Error("Invariant: the pieces before this one are not written");
  if (!isFirst) return;
  if (db.isTransaction) statements.of("ROLLBACK").run();
  statements.of("BEGIN IMMEDIATE").run();
}
