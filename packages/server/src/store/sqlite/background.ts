/** The store's side of its background thread. The thread is started at the first request and again if it died. */

import { Worker } from "node:worker_threads";
import { storeClosed } from "../store-error.ts";
import {
  errorOf,
  type FromWorker,
  type Request,
  type Results,
  type ToWorker,
  type WorkerSetup,
} from "./requests.ts";

/** In the repository Node runs the TypeScript sources; a published package contains JavaScript. */
const WORKER_FILE = new URL(`./worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

interface Pending {
  resolve(result: Results[keyof Results]): void;
  reject(error: unknown): void;
  onProgress(share: number): void;
}

export class Background {
  readonly #setup: WorkerSetup;
  readonly #file: URL;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(setup: WorkerSetup, file: URL = WORKER_FILE) {
    this.#setup = setup;
    this.#file = file;
  }

  async ask<R extends Request>(
    request: R,
    onProgress: (share: number) => void = () => {},
  ): Promise<Results[R["kind"]]> {
    if (this.#isClosed) throw storeClosed();
    this.#worker ??= this.#start();
    // An idle thread does not keep the process alive; a working one does.
    this.#worker.ref();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Results[keyof Results]>();
    this.#pending.set(id, { resolve, reject, onProgress });
    this.#worker.postMessage({ kind: "request", id, request } satisfies ToWorker);
    return (await promise) as Results[R["kind"]];
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.once("exit", () => resolve());
    worker.ref();
    worker.postMessage({ kind: "close" } satisfies ToWorker);
    await promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { workerData: this.#setup });
    let cause: unknown;
    worker.on("message", (message: FromWorker) => this.#receive(worker, message));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => this.#onExit(worker, cause));
    return worker;
  }

  #receive(worker: Worker, message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if (message.kind === "progress") {
      pending?.onProgress(message.share);
      return;
    }
    this.#pending.delete(message.id);
    if (this.#pending.size === 0 && !this.#isClosed) worker.unref();
    if (message.kind === "done") pending?.resolve(message.result);
    else pending?.reject(errorOf(message.failure));
  }

  #onExit(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    const error = this.#isClosed
      ? storeClosed()
      : new Error("the store's background thread ended unexpectedly; repeat the request", { cause });
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}
