/**
 * Socket Mode: the app asks for an address and connects. Two sockets, so that one that goes takes no press with it.
 *
 * M1  An envelope is acknowledged on the socket that brought it, after its handler has resolved: by then it is committed. If the
 *     handler takes longer than Slack waits, it is acknowledged before, and what it says follows in another way.
 * M2  When Slack announces that a socket will go, its successor is connected first; the old one goes on until Slack closes it or
 *     it has nothing left to acknowledge.
 * M3  A socket without any sign of life for 40 seconds is cut and replaced.
 * M4  Failed attempts wait longer and longer. A refused token ends it.
 */

import type { Clock } from "../../system/clock.ts";
import { createBackoff, pause } from "../chat/backoff.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";

export interface SocketModeOptions {
  /** Asks Slack for an address that works once. */
  readonly address: (signal: AbortSignal) => Promise<ChatResult<string>>;
  readonly onEnvelope: ConnectionOptions["onEnvelope"];
  readonly onState: (state: "connected" | ChatFailure) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sockets?: number;
}

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
    const { onEnvelope, onState } = options;
    const onConnected = () => onState("connected");
    const connection = new Connection(address.value, { onEnvelope, onConnected, clock }, signal);
    old.add(connection.closed);
    void connection.closed.finally(() => old.delete(connection.closed));
    const leaving = await connection.leaving;
    if (leaving === "before_hello") await pause(clock, backoff.next(), signal);
    else backoff.reset();
  }
  await Promise.all(old);
}

class RefusedToken extends Error {
  constructor({ error }: ChatFailure) {
    super(`Slack refused the app-level token: ${error}`);
  }
}
