/** A client and a server that know each other. */

import { type HttpClientOptions, httpHoldClient } from "../connect.ts";
import type { HttpHoldClient } from "../http-hold-client.ts";
import { FakeServer } from "./fake-server.ts";
import { QUICK_RETRY, TestRuntime } from "./test-runtime.ts";

export interface Setup extends AsyncDisposable {
  readonly server: FakeServer;
  readonly runtime: TestRuntime;
  readonly hp: HttpHoldClient;
  another(options?: HttpClientOptions): HttpHoldClient;
}

export async function setup(options: HttpClientOptions = {}): Promise<Setup> {
  const server = await FakeServer.start();
  const runtime = new TestRuntime();
  const another = (more: HttpClientOptions = {}) =>
    httpHoldClient({ url: server.url, apiKey: "hp_test", runtime, retry: QUICK_RETRY, ...more });
  return {
    server,
    runtime,
    hp: another(options),
    another,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  );
  if ("reason" in outcome) return outcome.reason;
  throw new Error(`it did not fail but gave ${JSON.stringify(outcome.value)}`);
}
