/**
 * Stands between an MCP client and an MCP server. Messages pass as they are, in both directions and in every revision of the
 * protocol. Only `tools/call` stops here, until the rules or a person let it pass.
 */

import type { Transport } from "@modelcontextprotocol/client";
import { canonicalJson } from "../../system/canonical-json.ts";
import { StandingCalls } from "../../toolcalls/standing-calls.ts";
import { isJsonObject } from "./bounded-json.ts";
import { type GateOptions, NoResult, runGated } from "./gated-call.ts";
import {
  errorReply,
  type Id,
  isNotification,
  isRequest,
  type Message,
  type Open,
  type Request,
  type Response,
  resultReply,
  said,
} from "./messages.ts";
import { type KnownTool, ToolCatalog } from "./tool-catalog.ts";
import { LOST, Upstream, type UpstreamOptions } from "./upstream.ts";

export interface GatewayOptions extends GateOptions, Pick<UpstreamOptions, "connect" | "onTrouble"> {
  /** The client's side. */
  readonly clientSide: Transport;
  /** Rules know the tools as `name__tool`; absent: by their own names. */
  readonly name?: string;
}

/** A call that was let through and asked the client for input before it ended: the client's next call continues it. */
interface Continued {
  readonly args: Open;
  next(request: Request): void;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #upstream: Upstream;
  readonly #catalog: ToolCatalog;
  /** Calls before the rules or a person, by request id. */
  readonly #gated = new Map<Id, AbortController>();
  /** Calls that were let through, by the id they have on the way to the server. */
  readonly #forwarded = new Map<Id, (reply: Response) => void>();
  readonly #continued = new Map<string, Continued>();
  readonly #lists = new Set<Id>();
  readonly #standing: StandingCalls | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#upstream = new Upstream({
      connect: options.connect,
      onTrouble: options.onTrouble,
      onMessage: (message) => this.#fromServer(message),
      onRestart: () => {
        this.#catalog.forget();
        this.#toClient({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      },
    });
    this.#standing = standingCalls(options);
    this.#catalog = new ToolCatalog((params) => this.#upstream.ask("tools/list", params));
  }

  /** Resolves when the client has closed its side. */
  async run(): Promise<void> {
    const { clientSide } = this.#options;
    const closed = Promise.withResolvers<void>();
    clientSide.onmessage = (message: Message) => void this.#fromClient(message);
    clientSide.onerror = (error) => this.#options.onTrouble(error);
    clientSide.onclose = () => closed.resolve();
    await clientSide.start();
    await closed.promise;
    for (const abort of this.#gated.values()) abort.abort();
    await Promise.all([this.#upstream.close(), this.#standing?.close()]);
  }

  async #fromClient(message: Message): Promise<void> {
    if (isRequest(message)) {
      // A reply would be taken for the result of the first one, and recorded as such.
      if (this.#gated.has(message.id) || this.#upstream.isBusyWith(message.id))
        return this.#drop("the client used the id of a request that is not answered yet");
      if (message.method === "tools/call") return this.#call(message);
      if (message.method === "tools/list") this.#lists.add(message.id);
    }
    if (isNotification(message)) {
      // Some servers run what arrives as a notification, too.
      if (message.method === "tools/call") return this.#drop("the client sent tools/call without an id");
      if (message.method === "notifications/cancelled") return this.#cancel(message);
    }
    await this.#upstream.send(message);
  }

  #drop(why: string): void {
    this.#options.onTrouble(new Error(`${why}; it was not forwarded`));
  }

  #fromServer(message: Message): void {
    if (isNotification(message) && message.method === "notifications/tools/list_changed")
      this.#catalog.forget();
    const forwarded =
      "method" in message || message.id === undefined ? undefined : this.#forwarded.get(message.id);
    if (forwarded !== undefined) forwarded(message as Response);
    else this.#passToClient(message);
  }

  #passToClient(message: Message): void {
    if (
      !("method" in message) &&
      message.id !== undefined &&
      this.#lists.delete(message.id) &&
      "result" in message
    )
      this.#catalog.learn(message.result);
    this.#toClient(message);
  }

  #toClient(message: Message): void {
    this.#options.clientSide.send(message).catch((error: Error) => this.#options.onTrouble(error));
  }

  async #cancel(notification: Message & { readonly params?: Open | undefined }): Promise<void> {
    const id = notification.params?.["requestId"] as Id;
    const gated = this.#gated.get(id);
    gated?.abort();
    // A call that still waits for a person is unknown to the server.
    if (gated === undefined || this.#upstream.isBusyWith(id)) await this.#upstream.cancel(id, notification);
  }

  async #call(request: Request): Promise<void> {
    const { id, params = {} } = request;
    const { name, arguments: args = {} } = params as {
      readonly name?: unknown;
      readonly arguments?: unknown;
    };
    if (typeof name !== "string" || !isJsonObject(args))
      return this.#toClient(errorReply(id, "tools/call needs a name and an object of arguments"));
    const continued = this.#continuationOf(name, args, params);
    if (continued !== undefined) return continued.next(request);
    const tool = this.#options.name === undefined ? name : `${this.#options.name}__${name}`;
    if (this.#isStanding(tool, args, this.#catalog.known(name))) return this.#upstream.send(request);
    const abort = new AbortController();
    this.#gated.set(id, abort);
    try {
      const { hasOutputSchema, annotations, inputSchema } = await this.#catalog.find(name, params["_meta"]);
      const result = await runGated(
        {
          ...{ tool, args, hasOutputSchema, signal: abort.signal },
          ...(annotations === undefined ? {} : { annotations }),
          ...(inputSchema === undefined ? {} : { argsSchema: inputSchema }),
          forward: (effective) => this.#forward(request, name, args, effective),
        },
        this.#standing === undefined ? this.#options : { ...this.#options, standing: this.#standing },
      );
      if (!abort.signal.aborted) this.#toClient(resultReply(this.#idOf(request), result, request));
    } catch (error) {
      if (!abort.signal.aborted) this.#toClient(failureReply(this.#idOf(request), error, request));
    } finally {
      this.#gated.delete(id);
      this.#replyTo.delete(request);
    }
  }

  #isStanding(tool: string, args: Open, known: KnownTool | undefined): boolean {
    if (known === undefined || this.#standing === undefined) return false;
    const { annotations } = known;
    const call = { tool, args, ...(annotations === undefined ? {} : { annotations }) };
    return this.#standing.takes(call, this.#options.localRules?.(call));
  }

  /** The client's newest request about this call: a continuation has an id of its own. */
  readonly #replyTo = new WeakMap<Request, Id>();

  #idOf(request: Request): Id {
    return this.#replyTo.get(request) ?? request.id;
  }

  /** Sends the call. A server of the newest revision may ask for input first; the client then repeats the call with it. */
  async #forward(request: Request, name: string, args: Open, effective: Open): Promise<Open> {
    for (let current = request; ; ) {
      const reply = await this.#exchange({ ...current, params: { ...current.params, arguments: effective } });
      if ("error" in reply) {
        if (reply.error.message === LOST) throw new NoResult(LOST);
        throw new UpstreamError(reply);
      }
      if (reply.result["resultType"] !== "input_required") return reply.result;
      const key = callKey(name, args);
      const next = Promise.withResolvers<Request>();
      this.#continued.set(key, { args, next: next.resolve });
      this.#toClient({ ...reply, id: current.id });
      current = await next.promise;
      this.#continued.delete(key);
      this.#replyTo.set(request, current.id);
    }
  }

  async #exchange(request: Request): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.#forwarded.set(request.id, resolve);
    try {
      await this.#upstream.send(request);
      return await promise;
    } finally {
      this.#forwarded.delete(request.id);
    }
  }

  /** Only a repeat with the same arguments that brings input or state continues a call that was let through. */
  #continuationOf(name: string, args: Open, params: Open): Continued | undefined {
    if (params["inputResponses"] === undefined && params["requestState"] === undefined) return undefined;
    return this.#continued.get(callKey(name, args));
  }
}

function standingCalls({ client, clock, session, onTrouble }: GatewayOptions): StandingCalls | undefined {
  const { recordStandingCalls } = client;
  if (recordStandingCalls === undefined) return undefined;
  const recorder = { recordStandingCalls: recordStandingCalls.bind(client) };
  return new StandingCalls({ client: recorder, clock, session, onTrouble });
}

function callKey(name: string, args: Open): string {
  return canonicalJson([name, args]);
}

/** The server refused the call in JSON-RPC's words, which pass unchanged. */
class UpstreamError extends Error {
  readonly reply: Response;

  constructor(reply: Response) {
    super("the MCP server returned an error");
    this.reply = reply;
  }
}

function failureReply(id: Id, error: unknown, request: Request): Response {
  if (error instanceof UpstreamError) return { ...error.reply, id };
  const words =
    error instanceof NoResult
      ? "The connection to the tool was lost. Whether the call was executed is unknown: check before repeating it."
      : "The call failed in the gateway.";
  return resultReply(id, said(words, true), request);
}
