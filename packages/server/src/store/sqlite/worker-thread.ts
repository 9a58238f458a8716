/** A worker thread of the store, seen from the main thread. It is started at the first request, and again if it died. */

import { Worker } from "node:worker_threads";
import { storeClosed } from "../store-error.ts";
import { errorOf, type FromWorker, type ToWorker } from "./requests.ts";

interface Pending<Answer> {
  resolve(result: Answer): void;
  reject(error: unknown): void;
  onProgress(share: number): void;
}

export interface ThreadOptions {
  readonly file: URL;
  readonly setup: object;
  /** What its requests fail with when it dies. */
  readonly whenDead: string;
}

/** In the repository Node runs the TypeScript sources; a published package contains JavaScript. */
export function workerFile(name: string): URL {
  return new URL(`./${name}.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
}

export class ThreadDied extends Error {
  override readonly name = "ThreadDied";
}

export class WorkerThread<Asked, Answer> {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending<Answer>>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  async ask(request: Asked, onProgress: (share: number) => void = () => {}): Promise<Answer> {
    if (this.#isClosed) throw storeClosed();
    this.#worker ??= this.#start();
    // An idle thread does not keep the process alive; a working one does.
    this.#worker.ref();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#pending.set(id, { resolve, reject, onProgress });
    this.#worker.postMessage({ kind: "request", id, request } satisfies ToWorker<Asked>);
    return promise;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.once("exit", () => resolve());
    worker.ref();
    worker.postMessage({ kind: "close" } satisfies ToWorker<Asked>);
    await promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.file, { workerData: this.#options.setup });
    let cause: unknown;
    worker.on("message", (message: FromWorker<Answer>) => this.#receive(worker, message));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => this.#onExit(worker, cause));
    return worker;
  }

  #receive(worker: Worker, message: FromWorker<Answer>): void {
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
    const error = this.#isClosed ? storeClosed() : new ThreadDied(this.#options.whenDead, { cause });
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}
