/**
 * Discord's Gateway: one connection that is kept alive by heartbeats.
 *
 * D1  A lost connection is resumed, so that what happened in between is replayed. IDENTIFY is used only where there is nothing to
 *     resume: Discord allows 1,000 a day and then resets the token.
 * D2  Two IDENTIFYs are at least `IDENTIFY_MS` apart, failures wait longer and longer, and none is sent when Discord says that
 *     none is left.
 * D3  A heartbeat without an acknowledgement means that the connection is dead: it is cut and resumed.
 * D4  A refused token or a refused intent ends it: trying again would only spend IDENTIFYs. Started again after a refusal by the
 *     Gateway, it waits `REFUSED_MS`.
 */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { createBackoff, pause } from "../chat/backoff.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";
import { openSocket } from "../chat/socket.ts";
import { objectAt, textAt } from "./read.ts";

export interface GatewayInfo {
  readonly url: string;
  /** How many IDENTIFYs are left, and when there are more. */
  readonly remaining: number;
  readonly resetAfterMs: number;
}

export interface GatewayOptions {
  readonly token: string;
  readonly info: (signal: AbortSignal) => Promise<ChatResult<GatewayInfo>>;
  readonly onDispatch: (type: string, data: JsonObject) => void;
  readonly onState: (state: "connected" | ChatFailure) => void;
  readonly clock: Clock;
  readonly memory: GatewayMemory;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/** What must outlast one connection: a caller that starts again after a refusal must not spend IDENTIFYs faster. */
export interface GatewayMemory {
  identifyAt: number;
  /** Discord refused the bot at the Gateway; nothing is tried before this time. */
  refusedUntil: number;
}

export function newGatewayMemory(): GatewayMemory {
  return { identifyAt: Number.NEGATIVE_INFINITY, refusedUntil: Number.NEGATIVE_INFINITY };
}

/** What RESUME needs. */
interface Session {
  readonly id: string;
  readonly url: string;
  sequence: number;
}

/** Only direct messages, for linking accounts. Presses need no intent. */
const INTENTS = 1 << 12;
const IDENTIFY_MS = 5_000;
const HELLO_MS = 20_000;
const REFUSED_MS = 15 * 60_000;
const QUERY = "?v=10&encoding=json";

const FATAL: Readonly<Record<number, string>> = {
  4004: "bad_token",
  4010: "gateway_refused",
  4011: "gateway_refused",
  4012: "gateway_refused",
  4013: "gateway_refused",
  4014: "gateway_refused",
};
/** After these a session cannot be resumed. */
const SESSION_OVER = new Set([1000, 1001, 4007, 4009]);

export class GatewayRefused extends Error {
  constructor(error: string) {
    super(`Discord refused the bot: ${error}`);
  }
}

/** Resolves when the signal aborts; rejects if going on is useless (D4). */
export async function runGateway(options: GatewayOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, memory } = options;
  await pause(clock, Math.max(0, memory.refusedUntil - clock.now()), signal);
  const backoff = createBackoff({ firstMs: 1000, mostMs: 300_000, random });
  let session: Session | undefined;
  while (!signal.aborted) {
    let url = session?.url;
    if (url === undefined) {
      const info = await options.info(signal);
      if (signal.aborted) return;
      if (info.kind === "failed") {
        options.onState(info);
        if (info.error === "bad_token") throw new GatewayRefused(info.error);
        await pause(clock, Math.max(info.retryAfterMs ?? 0, backoff.next()), signal);
        continue;
      }
      if (info.value.remaining <= 0) {
        options.onState({ kind: "failed", error: "no_identify_left", retry: true });
        await pause(clock, info.value.resetAfterMs, signal);
        continue;
      }
      url = info.value.url;
      await pause(clock, Math.max(0, memory.identifyAt + IDENTIFY_MS - clock.now()), signal);
      if (signal.aborted) return;
      memory.identifyAt = clock.now();
    }
    const end = await connectOnce(url, session, options, signal);
    session = end.session;
    if (end.fatal !== undefined) {
      memory.refusedUntil = clock.now() + REFUSED_MS;
      options.onState({ kind: "failed", error: end.fatal, retry: false });
      throw new GatewayRefused(end.fatal);
    }
    if (end.wasReady) backoff.reset();
    if (!signal.aborted) await pause(clock, backoff.next(), signal);
  }
}

interface End {
  readonly session: Session | undefined;
  readonly wasReady: boolean;
  readonly fatal: string | undefined;
}

function connectOnce(
  url: string,
  before: Session | undefined,
  options: GatewayOptions,
  signal: AbortSignal,
): Promise<End> {
  const { clock, token, random } = options;
  const ended = Promise.withResolvers<End>();
  let session = before;
  let wasReady = false;
  let isAcked = true;
  let cancelBeat = () => {};

  const socket = openSocket(`${url}${url.endsWith("/") ? "" : "/"}${QUERY}`, clock, {
    onAlive: () => undefined,
    onText: (text) => {
      const payload = parsed(text);
      if (payload !== undefined) operations[Number(payload["op"])]?.(payload);
    },
    onClose: (code) => {
      cancelHello();
      cancelBeat();
      signal.removeEventListener("abort", stop);
      if (SESSION_OVER.has(code)) session = undefined;
      ended.resolve({ session, wasReady, fatal: FATAL[code] });
    },
  });
  const cancelHello = clock.at(clock.now() + HELLO_MS, () => {
    if (!wasReady) socket.cut();
  });

  const operations: Readonly<Record<number, (payload: JsonObject) => void>> = {
    0: dispatch,
    1: beat,
    // Any code but 1000 and 1001 keeps the session.
    7: () => socket.close(4200),
    9: ({ d: isResumable }) => {
      if (isResumable !== true) session = undefined;
      socket.cut();
    },
    10: (payload) => greet(objectAt(payload, "d")),
    11: () => {
      isAcked = true;
    },
  };

  function greet(hello: JsonObject | undefined): void {
    const everyMs = Number(hello?.["heartbeat_interval"] ?? 41_250);
    const schedule = (ms: number) => {
      cancelBeat = clock.at(clock.now() + ms, () => {
        if (!isAcked) {
          socket.cut();
          return;
        }
        isAcked = false;
        beat();
        schedule(everyMs);
      });
    };
    schedule(Math.floor(everyMs * random()));
    if (session === undefined) {
      const properties = { os: process.platform, browser: "holdpoint", device: "holdpoint" };
      send(2, { token, intents: INTENTS, properties });
    } else {
      send(6, { token, session_id: session.id, seq: session.sequence });
    }
  }

  function dispatch(payload: JsonObject): void {
    const type = textAt(payload, "t") ?? "";
    const data = objectAt(payload, "d") ?? {};
    const sequence = Number(payload["s"]);
    if (type === "READY") {
      session = {
        id: textAt(data, "session_id") ?? "",
        url: textAt(data, "resume_gateway_url") ?? url,
        sequence,
      };
    } else if (session !== undefined) session.sequence = sequence;
    if (type === "READY" || type === "RESUMED") {
      wasReady = true;
      options.onState("connected");
    } else options.onDispatch(type, data);
  }

  function beat(): void {
    send(1, session?.sequence ?? null);
  }

  function send(op: number, d: unknown): void {
    socket.send(JSON.stringify({ op, d }));
  }

  function stop(): void {
    socket.close(1000);
  }
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return ended.promise;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
