/**
 * HTTP to a platform's API, whose address the operator chose.
 *
 * A1  A call ends within `totalMs` by the clock, whatever the platform does, and keeps at most `ANSWER_BYTES` of the answer.
 * A2  A failure is a fixed code, never a text that could repeat a token, an address or a message (G9).
 * A3  After the platform has asked to wait, calls of the same `lane` are not made until then: platforms count calls that they
 *     refuse, and block those who go on.
 */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { Agent, request } from "undici";
import type { Clock } from "../../system/clock.ts";
import { failureOf, TimedOut } from "../failure.ts";
import type { ChatFailure } from "./platform.ts";

export interface ApiCall {
  readonly verb: "GET" | "POST" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** What the platform limits together: a method, or a method in one chat. */
  readonly lane: string;
  readonly totalMs?: number;
  /** It is made although the platform asked to leave everything alone: its own limits do not count it. */
  readonly isUrgent?: true | undefined;
}

/** The lane of calls that the platform limits all together. */
export const EVERY_LANE = "*";

export interface ApiReply {
  readonly kind: "answered";
  readonly status: number;
  /** Empty if the answer has no JSON object in it. */
  readonly body: JsonObject;
  /** From the header `Retry-After`. */
  readonly retryAfterMs?: number;
}

export interface ChatApi {
  call(call: ApiCall): Promise<ApiReply | ChatFailure>;
  /** The platform asked to leave this lane alone for a while. */
  pause(lane: string, forMs: number): void;
  /** Closes connections that are kept open. */
  close(): Promise<void>;
}

const TOTAL_MS = 10_000;
const ANSWER_BYTES = 1024 * 1024;

export function createChatApi(clock: Clock): ChatApi {
  // An idle server keeps no connection open for long.
  const agent = new Agent({ connections: 4, keepAliveTimeout: 10_000, allowH2: false });
  const pauses = new Map<string, number>();

  function pausedFor(lane: string): number {
    const until = pauses.get(lane) ?? 0;
    if (until <= clock.now()) pauses.delete(lane);
    return until - clock.now();
  }

  return {
    pause: (lane, forMs) => void pauses.set(lane, clock.now() + forMs),
    close: () => agent.close(),
    async call(call) {
      const waitMs = Math.max(pausedFor(call.lane), call.isUrgent ? 0 : pausedFor(EVERY_LANE));
      if (waitMs > 0) return rateLimited(waitMs);
      const cut = new AbortController();
      const cancelLimit = clock.at(clock.now() + (call.totalMs ?? TOTAL_MS), () => cut.abort(new TimedOut()));
      const signal = call.signal === undefined ? cut.signal : AbortSignal.any([cut.signal, call.signal]);
      try {
        return await send(agent, call, signal);
      } catch (error) {
        const cause: unknown = signal.aborted ? signal.reason : error;
        return { kind: "failed", error: failureOf(cause), retry: true };
      } finally {
        cancelLimit();
      }
    },
  };
}

export function rateLimited(retryAfterMs: number): ChatFailure {
  return { kind: "failed", error: "rate_limited", retry: true, retryAfterMs, status: 429 };
}

async function send(dispatcher: Agent, call: ApiCall, signal: AbortSignal): Promise<ApiReply> {
  const { statusCode, headers, body } = await request(call.url, {
    method: call.verb,
    headers: {
      ...call.headers,
      ...(call.body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
    },
    body: call.body === undefined ? null : JSON.stringify(call.body),
    dispatcher,
    signal,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return {
    kind: "answered",
    status: statusCode,
    body: objectIn(Buffer.concat(chunks).toString("utf8")),
    ...(Number.isFinite(seconds) ? { retryAfterMs: Math.ceil(seconds * 1000) } : {}),
  };
}

function objectIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
