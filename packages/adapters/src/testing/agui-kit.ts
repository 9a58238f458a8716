/** A handler on a free port over a whole server in this process, and clients of every age. */

import type { AddressInfo } from "node:net";
import { sseParser } from "@holdpoint/protocol/http";
import type { Holdpoint } from "@holdpoint/sdk";
import { createAdaptorServer } from "@hono/node-server";
import { type TestServer, testServer } from "holdpoint/testing";
import {
  type AgUiAgent,
  type AgUiHandler,
  type AgUiHandlerOptions,
  createAgUiHandler,
} from "../ag-ui/index.ts";
import { clientOf } from "./client-of.ts";

export { clientOf };

export interface Kit extends AsyncDisposable {
  readonly test: TestServer;
  readonly handler: AgUiHandler;
  readonly holdpoint: Holdpoint;
  readonly url: string;
  readonly warnings: string[];
  readonly errors: unknown[];
  requests(): number;
  /** The same threads under a new process: nothing in memory is left. */
  restart(): Promise<Kit>;
  post(body: unknown, options?: PostOptions): Promise<Reply>;
  /** Kills the connections that are open. */
  cut(): void;
}

export interface PostOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
  readonly events: readonly any[];
}

export type MakeKit = (agent: AgUiAgent, options?: KitOptions) => Promise<Kit>;

export interface KitOptions extends Partial<Omit<AgUiHandlerOptions, "agent">> {
  readonly role?: "app" | "agent" | "dev";
}

export async function kit(agent: AgUiAgent, options: KitOptions = {}): Promise<Kit> {
  const test = await testServer();
  const made = await handlerOn(test, agent, options);
  return {
    ...made,
    [Symbol.asyncDispose]: async () => {
      await made[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

export async function handlerOn(test: TestServer, agent: AgUiAgent, options: KitOptions): Promise<Kit> {
  const { role = "app", ...given } = options;
  const holdpoint = clientOf(test, role);
  const warnings: string[] = [];
  const errors: unknown[] = [];
  const handler = createAgUiHandler({
    agent,
    holdpoint,
    identify: (request) => {
      const name = request.headers.get("x-user") ?? "Ada";
      return name === "nobody" ? null : { id: name.toLowerCase(), name };
    },
    machine: { now: () => test.clock.now(), after: (ms, wake) => test.clock.at(test.clock.now() + ms, wake) },
    onWarning: (warning) => warnings.push(warning),
    onError: (error) => errors.push(error),
    ...given,
  });
  let requests = 0;
  const http = createAdaptorServer({
    fetch: (request) => {
      requests += 1;
      return handler(request);
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
    ...{ test, handler, holdpoint, url, warnings, errors },
    requests: () => requests,
    restart: async () => {
      await close();
      return handlerOn(test, agent, options);
    },
    cut: () => http.closeAllConnections(),
    post: postTo(url),
    [Symbol.asyncDispose]: close,
  };
}

/** A run as a client without any library posts it. */
export function postTo(url: string): Kit["post"] {
  return async (body, { query = "", headers = {} } = {}) => {
    const response = await fetch(url + query, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, events: eventsIn(text) };
  };
}

function eventsIn(text: string) {
  return sseParser()
    .push(text)
    .map(({ data }) => JSON.parse(data));
}

/** What a run sends in the released form, for a thread and one more run. */
export function input(threadId: string, runId: string, more: object = {}) {
  return { threadId, runId, protocolVersion: "1.0", messages: [], ...more };
}
