/**
 * One request to the agent behind a proxy. The operator chose its address, so any address is allowed. Redirects are not
 * followed, no connection is reused (a stale one could lose a request), and time and size limits end it in any case.
 */

import type { Clock } from "../../system/clock.ts";
import { BadStream, framesOf, type StreamedEvent } from "./frames.ts";

export interface UpstreamTarget {
  readonly url: string;
  /** Sent with every request. They may contain secrets, which come from the environment. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits?: Partial<UpstreamLimits>;
}

interface UpstreamLimits {
  readonly connectMs: number;
  /** The longest time without a single byte. */
  readonly silenceMs: number;
  readonly totalMs: number;
  readonly totalBytes: number;
  readonly frameBytes: number;
}

const LIMITS: UpstreamLimits = {
  connectMs: 10_000,
  silenceMs: 120_000,
  totalMs: 1_800_000,
  totalBytes: 256 * 1_024 * 1_024,
  /** The largest frame that clients accept (AG-079). */
  frameBytes: 10 * 1_024 * 1_024,
};

type Upstreamed =
  /** RUN_FINISHED or RUN_ERROR arrived. */
  | { readonly kind: "ended"; readonly event: StreamedEvent }
  /** The agent is known not to have taken the request. */
  | { readonly kind: "refused"; readonly error: string }
  /** The agent may have taken the request. */
  | { readonly kind: "broken"; readonly error: string };

interface Ask {
  readonly body: unknown;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  onEvent(event: StreamedEvent): Promise<void>;
}

const TERMINAL: ReadonlySet<string> = new Set(["RUN_FINISHED", "RUN_ERROR"]);
class TookTooLong extends Error {
  override readonly name = "TookTooLong";
}

/** Returns a function that sends a request to this agent. */
export function upstreamAt(target: UpstreamTarget, clock: Clock): (ask: Ask) => Promise<Upstreamed> {
  return (ask) => askUpstream(target, clock, ask);
}

async function askUpstream(target: UpstreamTarget, clock: Clock, ask: Ask): Promise<Upstreamed> {
  const limits = { ...LIMITS, ...target.limits };
  const url = new URL(target.url);
  // Loaded with the first request, because most servers have no agent behind the proxy.
  const { Client } = await import("undici");
  const client = new Client(url.origin, {
    pipelining: 0,
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
    connect: { timeout: limits.connectMs },
  });
  // Nothing can have been sent before the connection, including TLS, was established.
  let isConnected = false;
  client.once("connect", () => {
    isConnected = true;
  });
  const late = new AbortController();
  const cancelLimit = clock.at(clock.now() + limits.totalMs, () => late.abort(new TookTooLong()));
  const signal = AbortSignal.any([late.signal, ask.signal]);
  // Aborting a request does not abort connecting; destroying the client ends both.
  const destroy = () => void client.destroy(signal.reason as Error);
  signal.addEventListener("abort", destroy, { once: true });
  try {
    if (signal.aborted) return { kind: "refused", error: "aborted" };
    const { statusCode, body } = await client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "user-agent": "Holdpoint",
        ...target.headers,
      },
      body: JSON.stringify(ask.body),
    });
    // The body of any other status is not read.
    if (statusCode !== 200) body.on("error", () => undefined).destroy();
    if (statusCode >= 500 || (statusCode > 200 && statusCode < 300)) return broken(`status_${statusCode}`);
    if (statusCode !== 200) return { kind: "refused", error: `status_${statusCode}` };
    return await follow(body, limits, ask);
  } catch (error) {
    if (!isConnected) return { kind: "refused", error: signal.aborted ? "aborted" : "unreachable" };
    return failureOf(signal.aborted ? signal.reason : error);
  } finally {
    cancelLimit();
    signal.removeEventListener("abort", destroy);
    void client.destroy().catch(() => undefined);
  }
}

async function follow(
  body: AsyncIterable<Uint8Array>,
  limits: UpstreamLimits,
  { onEvent }: Ask,
): Promise<Upstreamed> {
  for await (const event of framesOf(body, limits)) {
    if (TERMINAL.has(event.type)) return { kind: "ended", event };
    await onEvent(event);
  }
  return broken("truncated");
}

/** Fixed codes, because error texts may repeat an address or a secret (G9). */
function failureOf(error: unknown): Upstreamed {
  if (error instanceof TookTooLong) return broken("timeout");
  if (error instanceof BadStream) return broken(error.message);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") return broken("timeout");
  return broken("broken_off");
}

function broken(error: string): Upstreamed {
  return { kind: "broken", error };
}
