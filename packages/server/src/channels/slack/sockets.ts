/**
 * Socket Mode: the app asks for an address and connects. Two sockets, so that one that goes takes no press with it.
 *
 * M1  An envelope is acknowledged on the socket that brought it, after its handler has resolved: by then it is committed. If the
 *     handler takes longer than Slack waits, it is acknowledged before, and what it says follows in another way.
 * M2  When Slack announces that a socket will go, its successor is connected first; the old one goes on until Slack closes it or
 *     it has nothing left to acknowledge.
 * M3  A socket without any sign of life for `SILENCE_MS` is cut and replaced.
 * M4  Failed attempts wait longer and longer. A refused token ends it.
 */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { createBackoff, pause } from "../chat/backoff.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";
import { type ChatSocket, openSocket } from "../chat/socket.ts";

export interface SocketModeOptions {
  /** Asks Slack for an address that works once. */
  readonly address: (signal: AbortSignal) => Promise<ChatResult<string>>;
  /** Resolves to what goes back with the acknowledgement. `ack` may be called before, once. */
  readonly onEnvelope: (envelope: JsonObject, ack: (payload?: JsonObject) => void) => Promise<void>;
  readonly onState: (state: "connected" | ChatFailure) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sockets?: number;
}

const HELLO_MS = 10_000;
const PING_MS = 15_000;
const SILENCE_MS = 40_000;
/** A replaced socket that Slack does not close is closed after this. */
const OLD_SOCKET_MS = 30_000;

/** Resolves when the signal aborts and every socket is closed; rejects with the failure if Slack refuses the token. */
export async function runSocketMode(options: SocketModeOptions, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const all = AbortSignal.any([signal, ended.signal]);
  const lines = Array.from({ length: options.sockets ?? 2 }, (_none, index) =>
    keepOneOpen(options, all, index).catch((failure: unknown) => {
      ended.abort();
      throw failure;
    }),
  );
  const results = await Promise.allSettled(lines);
  const refused = results.find((result) => result.status === "rejected");
  if (refused !== undefined) throw refused.reason;
}

/** One place in the set: it always has a current socket, or tries to. */
async function keepOneOpen(options: SocketModeOptions, signal: AbortSignal, index: number): Promise<void> {
  const { clock, random } = options;
  const backoff = createBackoff({ firstMs: 1000, mostMs: 60_000, random });
  const old = new Set<Promise<void>>();
  // The second socket starts a little later, so that Slack does not renew both at the same time.
  if (index > 0) await pause(clock, index * 1000, signal);
  while (!signal.aborted) {
    const address = await options.address(signal);
    if (signal.aborted) break;
    if (address.kind === "failed") {
      options.onState(address);
      if (address.error === "bad_token" || address.error === "missing_scope") throw new RefusedToken(address);
      await pause(clock, Math.max(address.retryAfterMs ?? 0, backoff.next()), signal);
      continue;
    }
    const connection = connect(address.value, options, signal);
    old.add(connection.closed);
    void connection.closed.finally(() => old.delete(connection.closed));
    const leaving = await connection.leaving;
    if (leaving === "before_hello") await pause(clock, backoff.next(), signal);
    else backoff.reset();
  }
  await Promise.all(old);
}

export class RefusedToken extends Error {
  readonly failure: ChatFailure;

  constructor(failure: ChatFailure) {
    super(`Slack refused the app-level token: ${failure.error}`);
    this.failure = failure;
  }
}

interface Connection {
  /** Resolves when a successor is needed. */
  readonly leaving: Promise<"before_hello" | "announced" | "closed">;
  readonly closed: Promise<void>;
}

function connect(url: string, options: SocketModeOptions, signal: AbortSignal): Connection {
  const { clock } = options;
  const leaving = Promise.withResolvers<"before_hello" | "announced" | "closed">();
  const closed = Promise.withResolvers<void>();
  let isGreeted = false;
  let isLeaving = false;
  let pending = 0;
  let aliveAt = clock.now();

  const socket: ChatSocket = openSocket(url, clock, {
    onAlive: () => {
      aliveAt = clock.now();
    },
    onText: (text) => {
      const message = parsed(text);
      if (message === undefined) return;
      if (message["type"] === "hello") greet();
      else if (message["type"] === "disconnect") leave();
      else if (typeof message["envelope_id"] === "string") void handle(message, message["envelope_id"]);
    },
    onClose: () => {
      cancelHello();
      cancelPing();
      cancelOld();
      signal.removeEventListener("abort", stop);
      leaving.resolve(isGreeted ? "closed" : "before_hello");
      closed.resolve();
    },
  });

  let cancelOld = () => {};
  let cancelPing = () => {};
  const cancelHello = clock.at(clock.now() + HELLO_MS, () => {
    if (!isGreeted) socket.cut();
  });

  function greet(): void {
    isGreeted = true;
    cancelHello();
    options.onState("connected");
    watch();
  }

  function watch(): void {
    cancelPing = clock.at(clock.now() + PING_MS, () => {
      if (clock.now() - aliveAt > SILENCE_MS) {
        socket.cut();
        return;
      }
      socket.ping();
      watch();
    });
  }

  /** M2 */
  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    leaving.resolve("announced");
    cancelOld = clock.at(clock.now() + OLD_SOCKET_MS, () => socket.cut());
  }

  async function handle(envelope: JsonObject, id: string): Promise<void> {
    pending += 1;
    let isAcked = false;
    const ack = (payload?: JsonObject) => {
      if (isAcked) return;
      isAcked = true;
      socket.send(JSON.stringify({ envelope_id: id, ...(payload === undefined ? {} : { payload }) }));
    };
    // A handler that fails is not acknowledged: Slack tells the person, who can press again (P2).
    await options.onEnvelope(envelope, ack).then(
      () => ack(),
      () => undefined,
    );
    pending -= 1;
    if (signal.aborted && pending === 0) socket.close();
  }

  /** What is being committed is still acknowledged. */
  function stop(): void {
    if (pending === 0) socket.close();
  }
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return { leaving: leaving.promise, closed: closed.promise };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
