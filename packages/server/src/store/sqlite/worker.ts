/**
 * The background thread: all reads that may take long run here, on connections of their own, so that commits never
 * wait for them. The work is cut into slices with pauses in between, so that short requests do not wait for long ones
 * either.
 */

import { setImmediate as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { StoredEvent } from "../../kernel/record.ts";
import type { EventQuery } from "../port.ts";
import { storeClosed } from "../store-error.ts";
import { backUp } from "./backup.ts";
import { takeCensus } from "./census.ts";
import { connectCheckpointer, connectReader } from "./connect.ts";
import { EventLog } from "./event-log.ts";
import { readWindow } from "./event-windows.ts";
import { searchHolds } from "./hold-search.ts";
import { OutboxTable } from "./outbox-table.ts";
import {
  type FromWorker,
  failureOf,
  type Request,
  type Results,
  type ToWorker,
  type WorkerSetup,
} from "./requests.ts";
import { Statements } from "./statements.ts";

const WINDOW = 20_000;

const { path, searchMs } = workerData as WorkerSetup;
if (parentPort === null) throw new Error("Invariant: this file was started outside of a worker thread");
const port = parentPort;

const reader = connectReader(path);
const checkpointer = connectCheckpointer(path);
const statements = new Statements(reader);
const log = new EventLog(statements);
const outbox = new OutboxTable(statements);
const running = new Set<Promise<void>>();
let lastBackup: Promise<void> = Promise.resolve();
let isClosing = false;

port.on("message", (message: ToWorker<Request>) => {
  if (message.kind === "close") {
    void close();
    return;
  }
  const work = serve(message.id, message.request).finally(() => running.delete(work));
  running.add(work);
});

async function serve(id: number, request: Request): Promise<void> {
  try {
    send({ kind: "done", id, result: await answer(id, request) });
  } catch (error) {
    send({ kind: "failed", id, failure: failureOf(error) });
  }
}

function send(message: FromWorker<Results[keyof Results]>): void {
  port.postMessage(message);
}

async function answer(id: number, request: Request): Promise<Results[keyof Results]> {
  switch (request.kind) {
    case "events":
      return readEvents(request.query);
    case "outbox":
      return outbox.list(request.query);
    case "backlogs":
      return outbox.backlogs(request.query);
    case "search": {
      const endAt = performance.now() + searchMs;
      const isOver = () => isClosing || performance.now() >= endAt;
      return searchHolds(statements, request.search, { isOver, pause });
    }
    case "census":
      return takeCensus(statements, request.now);
    case "backup":
      return backUpInTurn(id, request.path);
    case "checkpoint":
      checkpointer.exec("PRAGMA wal_checkpoint(PASSIVE)");
      return undefined;
  }
}

async function readEvents(query: EventQuery): Promise<readonly StoredEvent[]> {
  const windows: (readonly StoredEvent[])[] = [];
  let rest: EventQuery | null = query;
  while (rest !== null) {
    if (isClosing) throw storeClosed();
    const window = readWindow(log, rest, WINDOW);
    windows.push(window.events);
    rest = window.rest;
    if (rest !== null) await pause();
  }
  return windows.flat();
}

/** Runs one backup at a time: two backups to the same path must not write into each other's file. */
async function backUpInTurn(id: number, target: string): Promise<undefined> {
  const copy = lastBackup.then(() =>
    backUp(path, target, (share) => {
      if (isClosing) throw storeClosed();
      send({ kind: "progress", id, share });
    }),
  );
  lastBackup = copy.catch(() => undefined);
  await copy;
}

/**
 * Closes the connections before the thread ends, so that the writer's connection is the last one and removes the
 * write-ahead log.
 */
async function close(): Promise<void> {
  isClosing = true;
  await Promise.allSettled(running);
  reader.close();
  checkpointer.close();
  port.close();
}
