/**
 * Listening to a case's event stream. What is heard only says that it is worth looking again: the poll address is the
 * source of truth, so a stream that lies, lags or dies can delay a decision but never make one.
 */

import { CASE_EVENTS, type CaseEventName } from "@holdpoint/protocol/hitl/words";
import type { Frame } from "@holdpoint/protocol/http";
import { pause } from "@holdpoint/protocol/http";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { type Access, discard, request } from "./access.ts";
import type { Clock } from "./clock.ts";
import { framesOf } from "./event-stream.ts";
import type { Review } from "./review.ts";

export interface Heard {
  readonly event: CaseEventName;
  readonly data: JsonObject;
}

export interface ListenOptions {
  readonly access: Access;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onHeard: (heard: Heard) => void;
  /** Whether the stream can be relied on just now. */
  readonly onLive: (live: boolean) => void;
  /** Without a sign of life for so long the stream counts as dead. Services send one about every 30 s. */
  readonly idleMs: number;
}

const RECONNECT_MS = [1_000, 5_000, 30_000] as const;
/** A stream that ends sooner and told nothing is no better than none. */
const BRIEF_MS = 10_000;

function heardOf(review: Review, frame: Frame): Heard | undefined {
  const event = CASE_EVENTS.find((name) => name === frame.event);
  if (event === undefined) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(frame.data);
  } catch {
    return undefined;
  }
  return isObject(data) && data["case_id"] === review.caseId ? { event, data } : undefined;
}

/** One connection, from opening to its end. Gives the last event id that it heard, and whether it was worth having. */
async function listenOnce(
  review: Review,
  url: string,
  lastId: string | undefined,
  options: ListenOptions,
): Promise<{ readonly lastId: string | undefined; readonly lived: boolean }> {
  const { access, clock, signal, onHeard, onLive, idleMs } = options;
  const idle = new AbortController();
  const ended = new AbortController();
  const either = AbortSignal.any([signal, idle.signal]);
  let deadlineAt = clock.now() + idleMs;
  const watch = async () => {
    while (deadlineAt > clock.now()) await pause(clock, deadlineAt - clock.now(), ended.signal);
    idle.abort();
  };
  watch().catch(() => undefined);
  const startedAt = clock.now();
  let last = lastId;
  let lived = false;
  let told = false;
  try {
    const headers = {
      accept: "text/event-stream",
      ...(lastId === undefined ? {} : { "last-event-id": lastId }),
    };
    const response = await request(access, url, { headers, signal: either });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    if (response.status !== 200 || !isStream || response.body === null) {
      discard(response);
      return { lastId: last, lived };
    }
    lived = true;
    onLive(true);
    const alive = () => {
      deadlineAt = clock.now() + idleMs;
    };
    for await (const frame of framesOf(response.body, alive)) {
      told = true;
      last = frame.id === "" ? last : frame.id;
      const heard = heardOf(review, frame);
      if (heard !== undefined) onHeard(heard);
    }
  } catch {
    signal.throwIfAborted();
  } finally {
    ended.abort();
    if (lived) onLive(false);
  }
  return { lastId: last, lived: told || (lived && clock.now() - startedAt >= BRIEF_MS) };
}

/** Keeps listening until aborted. Gives up for good after a few attempts in a row that told nothing and did not last. */
export async function listen(review: Review, url: string, options: ListenOptions): Promise<void> {
  let lastId: string | undefined;
  let failures = 0;
  while (failures < RECONNECT_MS.length) {
    const heard = await listenOnce(review, url, lastId, options);
    lastId = heard.lastId;
    failures = heard.lived ? 1 : failures + 1;
    const pauseMs = RECONNECT_MS[failures - 1];
    if (pauseMs !== undefined) await pause(options.clock, pauseMs, options.signal);
  }
}
