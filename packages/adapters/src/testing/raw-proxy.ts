/** Somebody else's agent, which knows nothing of Holdpoint, behind the proxy of a server; clients reach the proxy by a port. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { ManualClock, type TestServer, testServer, upstreamAt } from "holdpoint/testing";
import { postTo, type Reply } from "./agui-kit.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
export type Seen = any;

/** The events of a run between RUN_STARTED and RUN_FINISHED, and the members of the latter. */
export interface RawRun {
  readonly events?: readonly object[];
  readonly end?: object;
}

export interface RawProxy extends AsyncDisposable {
  readonly test: TestServer;
  readonly url: string;
  /** What the agent was sent, run by run. */
  readonly inputs: readonly Seen[];
  post(body: object, query?: string): Promise<Reply>;
}

export interface RawProxyOptions {
  readonly autoResume?: boolean;
  readonly legacyEvents?: boolean;
}

export async function rawProxy(
  agent: (input: Seen) => Promise<RawRun> | RawRun,
  { autoResume = false, ...more }: RawProxyOptions = {},
): Promise<RawProxy> {
  const inputs: Seen[] = [];
  const upstream = createServer(async (request, reply) => {
    const input = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    inputs.push(input);
    const { threadId, runId } = input;
    const { events = [], end = { outcome: { type: "success" } } } = await agent(input);
    const all = [
      { type: "RUN_STARTED", threadId, runId },
      ...events,
      { type: "RUN_FINISHED", threadId, runId, ...end },
    ];
    reply.writeHead(200, { "content-type": "text/event-stream" });
    reply.end(all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const port = await listening(upstream);
  const clock = new ManualClock();
  const ask = upstreamAt({ url: `http://127.0.0.1:${port}/`, headers: {} }, clock);
  const rest = { idempotent: false, ladder: [], links: "server" } as const;
  const settings = { ask, autoResume, ...rest, ...more };
  const test = await testServer({ clock, agUi: { proxies: { agent: settings } } });
  const front = createAdaptorServer({
    fetch: (request) => {
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${test.keys.app}`);
      const { search } = new URL(request.url);
      const { method, signal, body } = request;
      const init = { method, headers, signal, body, duplex: "half" } as RequestInit;
      return test.server.app.request(`/agui/proxy/agent${search}`, init);
    },
  }) as import("node:http").Server;
  const url = `http://127.0.0.1:${await listening(front)}/`;
  const post = postTo(url);
  return {
    ...{ test, url, inputs },
    post: (body, query = "") =>
      post({ threadId: "t1", runId: crypto.randomUUID(), messages: [], ...body }, { query }),
    async [Symbol.asyncDispose]() {
      for (const server of [front, upstream]) {
        server.closeAllConnections();
        server.close();
      }
      await test[Symbol.asyncDispose]();
    },
  };
}

async function listening(server: import("node:http").Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return (server.address() as AddressInfo).port;
}
