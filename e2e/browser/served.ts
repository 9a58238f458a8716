/** A server in this process with its pages on a port, for tests that move the clock. */

import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "../../packages/server/src/system/clock.ts";
import { ManualClock } from "../../packages/server/src/testing/manual-clock.ts";
import {
  type TestServer,
  type TestServerOptions,
  testServer,
} from "../../packages/server/src/testing/test-server.ts";
import { loadWebPages } from "../../packages/server/src/web-pages.ts";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly server: TestServer;
}

/** `optionsAt` is called once the address is known. */
export async function served(
  optionsAt: (url: string) => TestServerOptions | Promise<TestServerOptions>,
): Promise<Served> {
  let fetch: (request: Request, env: unknown) => Response | Promise<Response> = () => new Response(null);
  const http = createAdaptorServer({ fetch: (request, env) => fetch(request, env) });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const pages = await loadWebPages();
  if (pages === undefined) throw new Error("the pages are not built");
  const clock = new ManualClock({ startAt: systemClock.now() });
  const server = await testServer({ publicUrl: url, pages, clock, ...(await optionsAt(url)) });
  fetch = server.server.app.fetch;
  return {
    url,
    server,
    async [Symbol.asyncDispose]() {
      if ("closeAllConnections" in http) http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await server[Symbol.asyncDispose]();
    },
  };
}
