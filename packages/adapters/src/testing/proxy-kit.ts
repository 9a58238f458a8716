/** The same handler behind the proxy of a server, on a port of its own: clients see nothing but the proxy. */

import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { ManualClock, type TestServer, testServer, upstreamAt } from "holdpoint/testing";
import type { AgUiAgent } from "../ag-ui/index.ts";
import { handlerOn, type Kit, type KitOptions, postTo } from "./agui-kit.ts";

export async function proxyKit(agent: AgUiAgent, options: KitOptions = {}): Promise<Kit> {
  let upstream = "";
  const clock = new ManualClock();
  const ask: ReturnType<typeof upstreamAt> = (run) => upstreamAt({ url: upstream, headers: {} }, clock)(run);
  const settings = { ask, ladder: [], autoResume: false, idempotent: false, links: "server" } as const;
  const test = await testServer({ clock, agUi: { proxies: { agent: settings } } });
  const behind = await handlerOn(test, agent, options);
  upstream = behind.url;
  const inFront = await proxyOn(test, behind, async () => {
    const again = await behind.restart();
    upstream = again.url;
    return again;
  });
  return {
    ...inFront,
    [Symbol.asyncDispose]: async () => {
      await inFront[Symbol.asyncDispose]();
      await behind[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

async function proxyOn(test: TestServer, behind: Kit, restartBehind: () => Promise<Kit>): Promise<Kit> {
  let requests = 0;
  const http = createAdaptorServer({
    fetch: (request) => {
      requests += 1;
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${test.keys.app}`);
      const { search } = new URL(request.url);
      const { method, signal, body } = request;
      return test.server.app.request(`/agui/proxy/agent${search}`, {
        ...{ method, headers, signal, body, duplex: "half" },
      } as RequestInit);
    },
  }) as import("node:http").Server;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/agent`;
  const close = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  return {
    ...behind,
    url,
    requests: () => requests,
    restart: async () => {
      await close();
      return proxyOn(test, await restartBehind(), restartBehind);
    },
    cut: () => http.closeAllConnections(),
    post: postTo(url),
    [Symbol.asyncDispose]: close,
  };
}
