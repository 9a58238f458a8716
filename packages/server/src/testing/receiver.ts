/** A real HTTP server on loopback that keeps what it is sent and answers as the test says. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestCertificate } from "./self-signed.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Scripted =
  | number
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Never answers. */
  | "hang"
  /** Sends status 200 and half a body, then nothing. */
  | "stall"
  /** Sends status 200 and then without end. */
  | "flood"
  /** Drops the connection without an answer. */
  | "reset";

export interface ReceiverOptions {
  readonly tls?: TestCertificate;
  readonly host?: string;
}

export class Receiver {
  /** Answer to the nth request, from 0. */
  answer: (received: Received, n: number) => Scripted = () => 204;
  readonly requests: Received[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  readonly #server: Server;
  readonly #scheme: string;

  private constructor(options: ReceiverOptions) {
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void this.#receive(request, response);
    this.#scheme = options.tls ? "https" : "http";
    this.#server = options.tls ? createTlsServer({ ...options.tls }, handle) : createServer(handle);
  }

  static async start(options: ReceiverOptions = {}): Promise<Receiver> {
    const receiver = new Receiver(options);
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once("error", reject).listen(0, options.host ?? "127.0.0.1", resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = "/", host = "127.0.0.1"): string {
    return `${this.#scheme}://${host}:${this.port}${path}`;
  }

  /** Resolves once `count` requests have come in altogether. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    const n = this.requests.push(received) - 1;
    perform(this.answer(received, n), response);
    for (const waiter of this.#waiting.filter(({ count }) => count <= this.requests.length)) waiter.resolve();
    this.#waiting = this.#waiting.filter(({ count }) => count > this.requests.length);
  }
}

function perform(scripted: Scripted, response: ServerResponse): void {
  if (scripted === "hang") return;
  if (scripted === "reset") {
    response.socket?.destroy();
  } else if (scripted === "stall") {
    response.writeHead(200, { "content-length": "1000" });
    response.write("half");
  } else if (scripted === "flood") {
    response.writeHead(200);
    flood(response);
  } else if (typeof scripted === "number") {
    response.writeHead(scripted).end();
  } else {
    response.writeHead(scripted.status, { ...scripted.headers }).end(scripted.body ?? "");
  }
}

function flood(response: ServerResponse): void {
  response.write(Buffer.alloc(65_536, "x"), (error) => {
    if (!error && !response.destroyed) flood(response);
  });
}
