/** One JSON call. What may work later is tried again; what was refused is thrown as the error it stands for. */

import { pause, type Runtime, runtimeOver } from "@holdpoint/protocol/http";
import { isObject } from "@holdpoint/protocol/rules";
import { errorFor, OpenIntentError } from "./errors.ts";

export interface OpenIntentOptions {
  /** Of the server, without `/api/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** Whom this agent acts as. */
  readonly agentId: string;
  readonly retries?: number;
  readonly runtime?: Partial<Runtime>;
}

export interface Call {
  readonly body?: unknown;
  /** A write that finds what it has written before. */
  readonly repeatable?: boolean;
  readonly ifMatch?: number | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const RETRIES = 4;
/** The server says that it did not take the request. */
const NOT_TAKEN = new Set([429, 503]);
/** Something in between lost the reply: the request may have counted. */
const REPLY_LOST = new Set([502, 504]);

export class Transport {
  readonly runtime: Runtime;
  readonly #options: OpenIntentOptions;
  readonly #base: string;

  constructor(options: OpenIntentOptions) {
    this.#options = options;
    this.#base = `${options.url.replace(/\/+$/, "")}/api/v1`;
    this.runtime = runtimeOver(options.runtime);
  }

  headers(): Record<string, string> {
    const { apiKey, agentId } = this.#options;
    return { "x-api-key": apiKey, "x-agent-id": agentId };
  }

  url(path: string): string {
    return `${this.#base}${path}`;
  }

  async call<T>(method: string, path: string, call: Call = {}): Promise<T> {
    // A read can always be asked again. Most writes are repeated only when the server said that they did not happen.
    const isRepeatable = method === "GET" || call.repeatable === true;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= (this.#options.retries ?? RETRIES);
      let reply: Response;
      try {
        reply = await this.#send(method, path, call);
      } catch (fault) {
        const isRedirect = fault instanceof OpenIntentError;
        if (isLast || !isRepeatable || isRedirect || call.signal?.aborted === true) throw fault;
        await this.#wait(attempt, null, call.signal);
        continue;
      }
      const mayRetry = NOT_TAKEN.has(reply.status) || (isRepeatable && REPLY_LOST.has(reply.status));
      if (!mayRetry || isLast) return this.#read<T>(reply);
      await this.#wait(attempt, reply.headers.get("retry-after"), call.signal);
    }
  }

  /** The key goes to the configured address only: redirects are not followed. */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    const reply = await this.runtime.fetch(this.url(path), { ...init, redirect: "manual" });
    if (reply.type !== "opaqueredirect" && (reply.status < 300 || reply.status > 399)) return reply;
    throw new OpenIntentError(
      `${this.#options.url} redirects elsewhere: give the address of the server itself`,
      reply.status,
    );
  }

  #send(method: string, path: string, { body, ifMatch, query, signal }: Call): Promise<Response> {
    return this.fetch(`${path}${queryText(query)}`, {
      method,
      headers: {
        ...this.headers(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(ifMatch === undefined ? {} : { "if-match": String(ifMatch) }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async #read<T>(reply: Response): Promise<T> {
    const text = await reply.text();
    const body = text === "" ? {} : parsed(text);
    if (!reply.ok) throw errorFor(reply.status, isObject(body) ? body : {});
    if (body === undefined)
      throw new OpenIntentError("the server's reply is not JSON; check the address of the server");
    return body as T;
  }

  #wait(attempt: number, retryAfter: string | null, signal: AbortSignal | undefined): Promise<void> {
    const seconds = Number(retryAfter);
    const ms =
      retryAfter !== null && seconds > 0
        ? seconds * 1_000
        : 200 * 2 ** attempt * (0.5 + this.runtime.random());
    return pause(this.runtime, Math.min(ms, 30_000), signal);
  }
}

function queryText(query: Call["query"]): string {
  const pairs = Object.entries(query ?? {}).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined,
  );
  return pairs.length === 0
    ? ""
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** A proxy in between refuses with a page. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
