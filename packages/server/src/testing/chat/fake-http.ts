/**
 * What the fakes of chat platforms share: an HTTP server on a free port, a record of every call, and faults that a test
 * asks for (a refusal, a lost connection before or after the work was done, an answer that waits).
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Call {
  /** The method as the platform names it: `sendMessage`, `chat.postMessage`, `POST /channels/:id/messages`. */
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Status that was answered; absent while the call runs, 0 if the connection was dropped. */
  status?: number;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Fault =
  | { readonly kind: "reply"; readonly reply: Reply }
  /** The connection is lost; `after` says that the platform had done the work before. */
  | { readonly kind: "drop"; readonly after: boolean }
  /** The answer is kept back until the promise resolves; the work is done at once. */
  | { readonly kind: "wait"; readonly until: Promise<unknown> };

interface Planned {
  readonly method: string;
  readonly fault: Fault;
  left: number;
}

interface Waiter {
  readonly test: () => boolean;
  readonly resolve: () => void;
}

export abstract class FakeHttp {
  readonly calls: Call[] = [];
  #waiters: Waiter[] = [];
  readonly #planned: Planned[] = [];
  readonly #sockets = new Set<Socket>();
  protected readonly server: Server;

  protected constructor() {
    this.server = createServer((request, response) => void this.#serve(request, response));
    this.server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** Finds the platform's name for a request and does it. */
  protected abstract handle(request: HttpRequest): Promise<Reply> | Reply;
  /** The name of the method, before it is done. */
  protected abstract methodOf(request: HttpRequest): string;

  protected async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The next `times` calls of the method meet this fault. */
  fail(method: string, fault: Fault, times = 1): void {
    this.#planned.push({ method, fault, left: times });
  }

  callsOf(method: string): readonly Call[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** Resolves once the condition holds; it is asked after every call and every change of the fake. */
  until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push({ test, resolve });
    });
  }

  /** Tells waiting tests that something changed. */
  protected changed(): void {
    const ready = this.#waiters.filter(({ test }) => test());
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }

  /** Every connection is lost at once; the platform itself goes on. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dropConnections();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      // A fault of the fake itself must show in the test, not hang it.
      const body = { fake: error instanceof Error ? (error.stack ?? error.message) : String(error) };
      if (!response.headersSent) response.writeHead(599, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    }
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming, response);
    if (request === undefined) return;
    const method = this.methodOf(request);
    const call: Call = { method, params: request.params, headers: request.headers };
    this.calls.push(call);
    const fault = this.#fault(method);
    if (fault?.kind === "drop" && !fault.after) return this.#drop(call, incoming);
    const reply = fault?.kind === "reply" ? fault.reply : await this.handle(request);
    if (fault?.kind === "drop") return this.#drop(call, incoming);
    if (fault?.kind === "wait") await fault.until;
    call.status = reply.status;
    const { body } = reply;
    response.writeHead(reply.status, {
      ...(body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
      ...reply.headers,
    });
    response.end(body === undefined ? "" : JSON.stringify(body));
    this.changed();
  }

  #fault(method: string): Fault | undefined {
    const planned = this.#planned.find((each) => each.method === method && each.left > 0);
    if (planned === undefined) return undefined;
    planned.left -= 1;
    return planned.fault;
  }

  #drop(call: Call, incoming: IncomingMessage): void {
    call.status = 0;
    incoming.socket.destroy();
    this.changed();
  }
}

export interface HttpRequest {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the body (JSON or form), and of the query where a platform reads it. */
  readonly params: Readonly<Record<string, unknown>>;
  /** True once the client has gone away. */
  readonly gone: AbortSignal;
}

async function read(incoming: IncomingMessage, response: ServerResponse): Promise<HttpRequest | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const url = new URL(incoming.url ?? "/", "http://fake");
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return {
    verb: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers,
    params: {
      ...Object.fromEntries(url.searchParams),
      ...bodyOf(headers["content-type"] ?? "", Buffer.concat(chunks).toString("utf8")),
    },
    gone: gone.signal,
  };
}

function bodyOf(type: string, text: string): Record<string, unknown> {
  if (text === "") return {};
  if (type.startsWith("application/json")) {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { $body: value };
  }
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  return { $body: text };
}
