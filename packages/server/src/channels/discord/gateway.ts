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

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { createBackoff, pause } from "../chat/backoff.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";
import { GatewayConnection, type Session } from "./connection.ts";

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

const IDENTIFY_MS = 5_000;
const REFUSED_MS = 15 * 60_000;

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
    const end = await new GatewayConnection(url, session, options, signal).ended;
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
