/**
 * Several MCP servers behind one gateway, as one connection. Lists are put together, calls go to the server that the name names, and
 * resources to the server that listed them. When one server is lost, the connection is lost, and the gateway starts all of them again.
 *
 * Together they speak the revisions that begin with a handshake: `server/discover` is refused, and clients fall back.
 */

import { randomUUID } from "node:crypto";
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { LISTS, mergeHandshakes, type Named, namedItems, split } from "./merge-results.ts";
import {
  errorReply,
  type Id,
  isNotification,
  isRequest,
  type Message,
  type Notification,
  type Open,
  type Request,
  type Response,
} from "./messages.ts";

export type Part = Named<Transport>;

const METHOD_NOT_FOUND = -32_601;
/** A server that never ends its list must not keep the others' from the client. */
const PAGES_MAX = 50;

export class MergedTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Some of the servers may be reached over HTTP. */
  readonly hasPerRequestStream = true;
  readonly #parts: readonly Part[];
  readonly #asked = new Map<Id, { readonly part: Part; resolve(reply: Response): void }>();
  /** Requests of servers to the client. */
  readonly #toClient = new Map<Id, { readonly part: Part; readonly id: Id }>();
  readonly #owners = new Map<Id, Part>();
  readonly #resources = new Map<string, Part>();
  #isClosed = false;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    for (const part of this.#parts) {
      const { value: transport } = part;
      transport.onmessage = (message: Message) => this.#received(part, message);
      transport.onerror = (error) => this.onerror?.(error);
      transport.onclose = () => void this.close();
    }
    await Promise.all(this.#parts.map(({ value }) => value.start()));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all(this.#parts.map(({ value }) => value.close()));
    this.onclose?.();
  }

  async send(message: Message, options?: TransportSendOptions): Promise<void> {
    if (isRequest(message)) return this.#request(message, options);
    if (!isNotification(message)) return this.#answer(message as Response);
    const cancelled =
      message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
    const owner = cancelled === undefined ? undefined : this.#owners.get(cancelled as Id);
    const to = owner === undefined ? this.#parts : [owner];
    await Promise.all(to.map(({ value }) => value.send(message)));
  }

  #received(part: Part, message: Message): void {
    if (isRequest(message)) {
      const id = idAtClient(part, message.id);
      this.#toClient.set(id, { part, id: message.id });
      this.onmessage?.({ ...message, id });
      return;
    }
    if (isNotification(message)) this.onmessage?.(ownCancelled(part, message));
    else this.#replied(part, message as Response);
  }

  /** Servers must not answer each other's requests, whose ids are easy to guess. */
  #replied(part: Part, reply: Response): void {
    // An error about a message that the server could not read has no id, or null.
    const id = reply.id ?? undefined;
    const asked = id === undefined ? undefined : this.#asked.get(id);
    const owner = id === undefined ? part : (asked?.part ?? this.#owners.get(id));
    if (owner !== part) {
      this.onerror?.(new Error(`the MCP server ${part.name} answered a request that it was not sent`));
      return;
    }
    if (id !== undefined) this.#owners.delete(id);
    if (asked === undefined) this.onmessage?.(reply);
    else asked.resolve(reply);
  }

  async #answer(reply: Response): Promise<void> {
    const asked = reply.id === undefined ? undefined : this.#toClient.get(reply.id);
    if (asked === undefined || reply.id === undefined) return;
    this.#toClient.delete(reply.id);
    await asked.part.value.send({ ...reply, id: asked.id });
  }

  async #request(request: Request, options?: TransportSendOptions): Promise<void> {
    const { id, method, params = {} } = request;
    if (method === "ping") return this.#reply(id, {});
    if (method === "initialize") return this.#initialize(request);
    if (Object.hasOwn(LISTS, method)) return this.#list(request);
    if (method === "logging/setLevel") {
      await this.#askAll(method, params);
      return this.#reply(id, {});
    }
    const routed = this.#route(method, params);
    if (routed === null) {
      const error = { code: METHOD_NOT_FOUND, message: `no server is known for ${method}` };
      this.onmessage?.({ jsonrpc: "2.0", id, error });
      return;
    }
    this.#owners.set(id, routed.part);
    await routed.part.value.send({ ...request, params: routed.params }, options);
  }

  #route(method: string, params: Open): { readonly part: Part; readonly params: Open } | null {
    if (method === "tools/call" || method === "prompts/get") return this.#byName(params);
    const { uri, ref } = params;
    if (typeof uri === "string") return this.#byResource(uri, params);
    const named = ref as { readonly name?: string; readonly uri?: string } | undefined;
    if (typeof named?.uri === "string") return this.#byResource(named.uri, params);
    const found = named?.name === undefined ? null : this.#byName({ name: named.name });
    return found === null
      ? null
      : { part: found.part, params: { ...params, ref: { ...named, ...found.params } } };
  }

  #byName(params: Open): { readonly part: Part; readonly params: Open } | null {
    const name = split(String(params["name"]));
    const part = this.#parts.find((each) => each.name === name?.server);
    return name === null || part === undefined ? null : { part, params: { ...params, name: name.own } };
  }

  #byResource(uri: string, params: Open): { readonly part: Part; readonly params: Open } | null {
    const part = this.#resources.get(uri);
    return part === undefined ? null : { part, params };
  }

  async #initialize({ id, method, params }: Request): Promise<void> {
    const replies = await this.#askAll(method, params);
    const results = replies.flatMap(({ part, reply }) =>
      "result" in reply ? [{ name: part.name, value: reply.result as Open }] : [],
    );
    const failed = replies.find(({ reply }) => "error" in reply);
    if (failed !== undefined) {
      this.onmessage?.(errorReply(id, `the MCP server ${failed.part.name} refused the handshake`));
      return;
    }
    for (const { part, reply } of replies)
      if ("result" in reply) part.value.setProtocolVersion?.(String(reply.result["protocolVersion"]));
    this.#reply(id, mergeHandshakes(results));
  }

  /** A server without such a list has none of it. */
  async #list({ id, method, params = {} }: Request): Promise<void> {
    const member = LISTS[method] ?? "";
    const lists = await Promise.all(
      this.#parts.map(async (part) => ({ part, items: await this.#itemsOf(part, method, params, member) })),
    );
    // Where two servers list the same address, the one that is named first in the file has it.
    if (method === "resources/list")
      for (const { part, items } of lists.toReversed())
        for (const { uri } of items) this.#resources.set(String(uri), part);
    this.#reply(id, {
      [member]: lists.flatMap(({ part, items }) => namedItems(method, part.name, items)),
    });
  }

  async #itemsOf(part: Part, method: string, params: Open, member: string): Promise<readonly Open[]> {
    const all: Open[] = [];
    let next: Open = params;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const reply = await this.#ask(part, method, next);
      if (!("result" in reply)) return all;
      const { [member]: items, nextCursor } = reply.result as Open;
      if (Array.isArray(items)) all.push(...(items as Open[]));
      if (typeof nextCursor !== "string") return all;
      next = { ...params, cursor: nextCursor };
    }
    return all;
  }

  #askAll(method: string, params: Request["params"]) {
    return Promise.all(
      this.#parts.map(async (part) => ({ part, reply: await this.#ask(part, method, params) })),
    );
  }

  async #ask(part: Part, method: string, params: Open | undefined): Promise<Response> {
    const id = `holdpoint:${randomUUID()}`;
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.#asked.set(id, { part, resolve });
    await part.value.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    const reply = await promise;
    this.#asked.delete(id);
    return reply;
  }

  #reply(id: Id, result: Open): void {
    this.onmessage?.({ jsonrpc: "2.0", id, result: result as never });
  }
}

/** Requests of servers have ids that are unique only within a server. */
function idAtClient({ name }: Part, id: unknown): string {
  return `${name}:${JSON.stringify(id)}`;
}

/** A server may withdraw its own requests only. */
function ownCancelled(part: Part, message: Notification): Notification {
  if (message.method !== "notifications/cancelled") return message;
  const requestId = idAtClient(part, message.params?.["requestId"]);
  return { ...message, params: { ...message.params, requestId } };
}
