/**
 * The connection to the MCP server behind the gateway.
 *
 * U1  It is started by the first message, and started again by the next message after it was lost.
 * U2  A new connection begins with the handshake that the client made, so that the client notices nothing of a restart.
 * U3  Every request that was sent and not answered is answered with an error when the connection is lost. It is never sent again.
 */

import { randomUUID } from "node:crypto";
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import {
  errorReply,
  type Id,
  isModern,
  isRequest,
  type Message,
  type Request,
  type Response,
} from "./messages.ts";

export interface UpstreamOptions {
  /** Makes a connection; called once for each start. */
  connect(): Transport;
  onMessage(message: Message): void;
  /** After a restart the lists of tools, prompts and resources may be others. */
  onRestart(): void;
  onTrouble(error: Error): void;
}

interface Live {
  readonly transport: Transport;
  readonly ready: Promise<void>;
}

interface Sent {
  /** The newest revision, in which every request names it. */
  readonly isModern: boolean;
  /** Ends the request's own stream, where the transport has one. */
  readonly abort?: AbortController;
  /** For requests of the gateway itself; absent: the client's. */
  readonly resolve?: (reply: Response) => void;
}

/** Marks a request that was lost with its connection: nobody knows whether it was executed. */
export const LOST = "the connection to the MCP server was lost; whether the request was executed is unknown";

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #sent = new Map<Id, Sent>();
  #live: Live | undefined;
  #handshake: Request | undefined;
  #isInitialized = false;
  #isClosed = false;

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  async send(message: Message): Promise<void> {
    if (isRequest(message)) {
      if (message.method === "initialize") this.#handshake = message;
      this.#sent.set(message.id, { isModern: isModern(message) });
    }
    await this.#deliver(message);
    if ("method" in message && message.method === "notifications/initialized") this.#isInitialized = true;
  }

  /** A request of the gateway itself; its reply does not reach the client. */
  async ask(method: string, params: Request["params"]): Promise<Response> {
    const id = `holdpoint:${randomUUID()}`;
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.#sent.set(id, { isModern: false, resolve });
    await this.#deliver({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return promise;
  }

  /** Whether the request was sent and is not answered yet. */
  isBusyWith(id: Id): boolean {
    return this.#sent.has(id);
  }

  /** In the newest revision over HTTP a request is cancelled by ending its stream; otherwise by a notification. */
  async cancel(id: Id, notification: Message): Promise<void> {
    const sent = this.#sent.get(id);
    const hasStream = this.#live?.transport.hasPerRequestStream === true;
    if (!hasStream || sent?.isModern !== true) return this.#deliver(notification);
    sent.abort?.abort();
    this.#settle(errorReply(id, LOST));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#live?.transport.close();
  }

  async #deliver(message: Message): Promise<void> {
    const id = isRequest(message) ? message.id : undefined;
    let isOnTheWay = false;
    try {
      const { transport, ready } = this.#connected(message);
      await ready;
      isOnTheWay = true;
      await transport.send(message, this.#optionsFor(id, transport));
    } catch (error) {
      this.#options.onTrouble(error as Error);
      const words =
        isOnTheWay && !wasRefused(error) ? LOST : `the MCP server cannot be reached: ${wordsOf(error)}`;
      if (id !== undefined && this.#sent.has(id)) this.#settle(errorReply(id, words));
    }
  }

  #optionsFor(id: Id | undefined, { hasPerRequestStream }: Transport): TransportSendOptions | undefined {
    const sent = id === undefined ? undefined : this.#sent.get(id);
    if (id === undefined || sent === undefined || hasPerRequestStream !== true) return undefined;
    const abort = new AbortController();
    this.#sent.set(id, { ...sent, abort });
    const onRequestStreamEnd = () => {
      if (this.#sent.has(id)) this.#settle(errorReply(id, LOST));
    };
    return { requestSignal: abort.signal, onRequestStreamEnd };
  }

  #connected(first: Message): Live {
    if (this.#isClosed) throw new Error("the gateway is closed");
    if (this.#live !== undefined) return this.#live;
    const transport = this.#options.connect();
    transport.onmessage = (message: Message) => this.#received(message, transport);
    transport.onerror = (error) => this.#options.onTrouble(error);
    transport.onclose = () => this.#lost(transport);
    const isHandshake = "method" in first && first.method === "initialize";
    const again = isHandshake ? undefined : this.#handshake;
    const live: Live = { transport, ready: this.#begin(transport, again) };
    this.#live = live;
    // Nothing was sent yet: every request that waits for `ready` fails.
    live.ready.catch(() => {
      if (this.#live === live) this.#live = undefined;
    });
    return live;
  }

  async #begin(transport: Transport, handshake: Request | undefined): Promise<void> {
    await transport.start();
    if (handshake === undefined) return;
    const id = `holdpoint:${randomUUID()}`;
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.#sent.set(id, { isModern: false, resolve });
    await transport.send({ ...handshake, id });
    const reply = await promise;
    if ("error" in reply) throw new Error(reply.error.message);
    this.#settled(reply, transport);
    if (this.#isInitialized) await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    this.#options.onRestart();
  }

  #received(message: Message, transport: Transport): void {
    if ("method" in message) {
      this.#options.onMessage(message);
      return;
    }
    if (!this.#isAsked(message as Response)) {
      this.#options.onTrouble(new Error("the MCP server answered a request that it was not sent"));
      return;
    }
    if (message.id !== undefined && message.id === this.#handshake?.id) this.#settled(message, transport);
    this.#settle(message as Response);
  }

  /** An error without an id is about a message that the server could not read. */
  #isAsked({ id }: Response): boolean {
    return id === undefined || id === null || this.#sent.has(id);
  }

  /** The transport repeats the revision that was agreed on with every request. */
  #settled(reply: Response, transport: Transport): void {
    if (!("result" in reply)) return;
    const { protocolVersion } = reply.result;
    if (typeof protocolVersion === "string") transport.setProtocolVersion?.(protocolVersion);
  }

  #settle(reply: Response): void {
    const sent = reply.id === undefined ? undefined : this.#sent.get(reply.id);
    if (reply.id !== undefined) this.#sent.delete(reply.id);
    if (sent?.resolve === undefined) this.#options.onMessage(reply);
    else sent.resolve(reply);
  }

  #lost(transport: Transport): void {
    if (this.#live?.transport !== transport) return;
    this.#live = undefined;
    if (this.#isClosed) return;
    for (const id of [...this.#sent.keys()]) this.#settle(errorReply(id, LOST));
  }
}

/** Nothing was sent: nobody listens at the address. */
function wasRefused(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return code === "ECONNREFUSED" || code === "ENOTFOUND";
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
