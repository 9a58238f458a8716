/**
 * One HTTP call, repeated where repeating is harmless.
 *
 * T1  A call is repeated only if its `repeat` says so: `safe` calls after any trouble that may pass, `unwritten` ones only
 *     when the server said that nothing was written.
 * T2  The caller's signal ends everything at once and with its own reason; it is never mistaken for trouble on the way.
 * T3  The key goes to the configured address only: redirects are not followed.
 */

import { isRetryableError, type RetryableError } from "../client/index.ts";
import type { Settings } from "./config/settings.ts";
import { linked } from "./linked-signal.ts";
import { backoffMs, RETRY_AFTER_MAX_MS, type RetryPolicy } from "./retry.ts";
import { pause, type Runtime } from "./runtime.ts";
import { CHECK_ADDRESS, errorOf, invalidReply, lostReply, wasNotWritten } from "./trouble.ts";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Sent as it is, instead of JSON. */
  readonly content?: Uint8Array<ArrayBuffer> | Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeat: "safe" | "unwritten";
  readonly signal?: AbortSignal | undefined;
  /** Instead of the policy's. */
  readonly attemptsMax?: number;
  /** Besides the usual time for a reply: how long the server was asked to wait. */
  readonly waitMs?: number;
}

export interface TransportOptions {
  readonly settings: () => Promise<Settings>;
  readonly runtime: Runtime;
  readonly retry: RetryPolicy;
  readonly replyTimeoutMs: number;
}

export class Transport {
  readonly runtime: Runtime;
  readonly retry: RetryPolicy;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.runtime = options.runtime;
    this.retry = options.retry;
  }

  async url(): Promise<string> {
    return (await this.#options.settings()).url;
  }

  /** The reply's JSON. */
  async call<Reply>(call: Call): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.#once(call)) as Reply;
      } catch (error) {
        if (!isRetryableError(error) || !this.#mayRepeat(call, error, attempt)) throw error;
        await pause(this.runtime, this.delayMs(error, attempt), call.signal);
      }
    }
  }

  /** How long to wait after this trouble: what the server asks for, or longer if there was trouble before. */
  delayMs(error: RetryableError | undefined, attempt: number): number {
    const backoff = backoffMs(attempt, this.retry, this.runtime.random());
    return error?.isAskedFor === true ? Math.max(backoff, error.retryAfterMs) : backoff;
  }

  /** Opens a stream. The reply's body is the caller's to read and to end, by the signal. */
  async open(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const response = await this.#send({ method: "GET", path, headers, repeat: "safe" }, signal);
    if (response.ok) return response;
    throw errorOf(response.status, await response.text(), response.headers, this.runtime.now());
  }

  #mayRepeat(call: Call, error: RetryableError, attempt: number): boolean {
    const { attemptsMax = this.retry.attemptsMax } = call;
    if (attempt >= attemptsMax || error.retryAfterMs > RETRY_AFTER_MAX_MS) return false;
    return call.repeat === "safe" || wasNotWritten(error);
  }

  async #once(call: Call): Promise<unknown> {
    const limitMs = this.#options.replyTimeoutMs + (call.waitMs ?? 0);
    const limited = linked(call.signal);
    const takeBack = this.runtime.after(limitMs, () =>
      limited.abort(lostReply(`no reply within ${limitMs} ms`)),
    );
    try {
      const response = await this.#send(call, limited.signal);
      const text = await textOf(response, limited.signal);
      if (!response.ok) throw errorOf(response.status, text, response.headers, this.runtime.now());
      return jsonOf(text, response);
    } finally {
      takeBack();
      limited.release();
    }
  }

  async #send(call: Call, signal: AbortSignal): Promise<Response> {
    const settings = await this.#options.settings();
    const init: RequestInit = {
      method: call.method,
      headers: headersOf(call, settings),
      signal,
      redirect: "manual",
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.content === undefined ? {} : { body: call.content }),
    };
    const response = await this.runtime.fetch(addressOf(settings.url, call), init).catch((cause: unknown) => {
      throw signal.aborted
        ? signal.reason
        : lostReply(`cannot reach ${settings.url}: is the server running? ${CHECK_ADDRESS}`, cause);
    });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      throw invalidReply(
        `${settings.url} redirects elsewhere: give the address of the server itself`,
        response.status,
      );
    }
    return response;
  }
}

function headersOf(
  { headers, body, content }: Call,
  { apiKey, agent, extraHeaders }: Settings,
): Record<string, string> {
  return {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(content === undefined ? {} : { "content-type": "application/octet-stream" }),
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(agent === undefined ? {} : { "x-agent-id": agent }),
    ...extraHeaders(),
    ...headers,
  };
}

function addressOf(base: string, { path, query = {} }: Call): string {
  const url = new URL(base.replace(/\/+$/, "") + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw signal.aborted ? signal.reason : lostReply("the reply broke off", cause);
  }
}

function jsonOf(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidReply(
      `the reply does not come from a Holdpoint server: it is not JSON. ${CHECK_ADDRESS}`,
      response.status,
    );
  }
}
