/** A client and a server that know each other. */

import { FakeServer, QUICK_RETRY, TestRuntime } from "@holdpoint/protocol/http/testing";
import { Holdpoint, type HoldpointOptions } from "./holdpoint.ts";

export interface Setup extends AsyncDisposable {
  readonly server: FakeServer;
  readonly runtime: TestRuntime;
  readonly hp: Holdpoint;
  another(options?: HoldpointOptions): Holdpoint;
}

export async function setup(options: HoldpointOptions = {}): Promise<Setup> {
  const server = await FakeServer.start();
  const runtime = new TestRuntime();
  const another = (more: HoldpointOptions = {}) =>
    new Holdpoint({ url: server.url, apiKey: "hp_test", runtime, retry: QUICK_RETRY, ...more });
  return {
    server,
    runtime,
    hp: another(options),
    another,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
