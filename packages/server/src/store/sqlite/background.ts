/** The store's side of its background thread. */

import type { Request, Results, WorkerSetup } from "./requests.ts";
import { WorkerThread, workerFile } from "./worker-thread.ts";

export class Background {
  readonly #thread: WorkerThread<Request, Results[keyof Results]>;

  constructor(setup: WorkerSetup, file: URL = workerFile("worker")) {
    const whenDead = "the store's background thread ended unexpectedly; repeat the request";
    this.#thread = new WorkerThread({ file, setup, whenDead });
  }

  async ask<R extends Request>(
    request: R,
    onProgress?: (share: number) => void,
  ): Promise<Results[R["kind"]]> {
    return (await this.#thread.ask(request, onProgress)) as Results[R["kind"]];
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
