/**
 * Waiting for a person, minutes or weeks. Waiting is only reading: an agent that stops and starts again finds the same answer.
 *
 * W1 The poll address alone decides. Streams and callbacks only say that it is worth looking now.
 * W2 Nobody is polled faster than once a second, nor before a 429 allows it.
 * W3 Whatever pace a service names, its case is looked at once its time is over: an end is not slept through.
 * W4 A reminder goes out only while nobody has begun to answer, and once for each moment.
 */

import { runtimeOver } from "@holdpoint/protocol/http";
import { type Access, accessWith } from "./access.ts";
import type { CallbackInbox } from "./callback.ts";
import { Alarm, type Clock } from "./clock.ts";
import { HitlError } from "./errors.ts";
import { listen } from "./listen.ts";
import { type Decision, type Looked, look, type Open } from "./poll.ts";
import type { Review } from "./review.ts";

export interface WaitOptions {
  readonly access?: Access;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** How often to look while nothing else tells us to. */
  readonly pollEveryMs?: number;
  /** `auto` also listens to the case's events where the service offers them. */
  readonly transport?: "auto" | "polling";
  readonly callbacks?: CallbackInbox;
  /** Told of each change of status and progress. */
  readonly onStatus?: (open: Open) => void;
  /** Told when the person should be reminded: send the review's own link again. Failing does not end the wait. */
  readonly onReminder?: (review: Review) => void | Promise<void>;
}

const POLL_EVERY_MS = 30_000;
/** While a live stream or a callback address would wake us, looking is only a safeguard. */
const RELAXED_MS = 300_000;
const SPACING_MS = 1_000;
const LIMITED_MS = 60_000;
const BACKOFF_MS = 5_000;
const BACKOFF_MAX_MS = 300_000;
const IDLE_MS = 90_000;
/** Clocks differ: so long after its end a case should know that it is over. */
const END_SLACK_MS = 1_000;
/** So long after its end a case that cannot be asked about is given up. */
const GRACE_MS = 600_000;

/** Which reminders are due; each moment counts once, whether the clock or the service tells of it. */
function reminderPlan(review: Review, fromMs: number) {
  const planned = new Set(review.reminderAt.map((text) => Date.parse(text)).filter((at) => at > fromMs));
  const told = new Set<number>();
  let due = false;
  return {
    nextAt: () => Math.min(...planned),
    hear(at: number) {
      if (!told.has(at)) due = true;
      told.add(at);
      planned.delete(at);
    },
    /** Whether one is due by now; asking takes it off the plan. */
    take(nowMs: number): boolean {
      for (const at of planned) if (at <= nowMs) this.hear(at);
      const was = due;
      due = false;
      return was;
    },
  };
}

/** How long to leave the service alone after what was just seen. */
function pauseAfter(looked: Looked, failures: number, everyMs: number | undefined, relaxed: boolean): number {
  switch (looked.kind) {
    case "failed":
      return Math.min(BACKOFF_MS * 2 ** (failures - 1), BACKOFF_MAX_MS);
    case "limited":
      return looked.retryAfterMs ?? LIMITED_MS;
    default: {
      if (relaxed) return Math.max(RELAXED_MS, looked.retryAfterMs ?? 0);
      // The service may name its own pace; an interval that is set here is never shortened by it.
      if (everyMs === undefined) return looked.retryAfterMs ?? POLL_EVERY_MS;
      return Math.max(everyMs, looked.retryAfterMs ?? 0);
    }
  }
}

class Watch implements AsyncDisposable {
  readonly alarm: Alarm;
  readonly reminders: ReturnType<typeof reminderPlan>;
  live = false;
  readonly #stop = new AbortController();
  readonly #unsubscribe: (() => void) | undefined;
  readonly #listening: Promise<void>;

  constructor(review: Review, options: WaitOptions, access: Access, clock: Clock) {
    this.alarm = new Alarm(clock);
    this.reminders = reminderPlan(review, clock.now());
    const { signal } = options;
    this.#unsubscribe = options.callbacks?.subscribe(review.caseId, () => this.alarm.ring());
    const stop = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    this.#listening =
      review.eventsUrl === undefined || options.transport === "polling"
        ? Promise.resolve()
        : listen(review, review.eventsUrl, {
            access,
            clock,
            signal: stop,
            idleMs: IDLE_MS,
            onLive: (live) => {
              this.live = live;
              // Whatever happened while nobody listened is only to be seen by looking.
              if (!live) this.alarm.ring();
            },
            onHeard: ({ event, data }) => {
              if (event === "review.reminder") this.reminders.hear(Date.parse(String(data["reminder_at"])));
              this.alarm.ring();
            },
          }).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe?.();
    this.#stop.abort();
    await this.#listening;
  }
}

/** A reminder that cannot be sent is no reason to stop listening for the answer. */
async function remind(review: Review, { onReminder }: WaitOptions): Promise<void> {
  try {
    await onReminder?.(review);
  } catch {
    // The first message is out already; the caller of `deliver` handles its failures.
  }
}

/** When to look for the end: when it comes, and now and then while a case that should be over is not. */
function endAfter(review: Review, nowMs: number): number {
  const endAt = Date.parse(review.expiresAt) + END_SLACK_MS;
  return endAt > nowMs ? endAt : nowMs + RELAXED_MS;
}

function sameOpen(one: Open | undefined, other: Open): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Waits until the review has ended, however long that takes. */
export async function waitForDecision(review: Review, options: WaitOptions = {}): Promise<Decision> {
  const clock = options.clock ?? runtimeOver();
  const access = options.access ?? accessWith();
  const { signal } = options;
  await using watch = new Watch(review, options, access, clock);
  let etag: string | undefined;
  let open: Open | undefined;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const lookedAt = clock.now();
    const looked = await look(review, { access, nowMs: lookedAt, etag, signal });
    failures = looked.kind === "failed" ? failures + 1 : 0;
    if (looked.kind === "state") {
      if (looked.state.kind !== "open") return looked.state;
      etag = looked.etag;
      if (!sameOpen(open, looked.state)) options.onStatus?.(looked.state);
      open = looked.state;
    }
    if (looked.kind === "failed" && clock.now() > Date.parse(review.expiresAt) + GRACE_MS)
      throw new HitlError(
        "unreachable",
        review.caseId,
        `${review.caseId} is past its end, and its service cannot be reached. Check ${review.pollUrl}.`,
        {
          cause: looked.cause,
        },
      );
    const known = looked.kind === "state" || looked.kind === "unchanged";
    if (known && watch.reminders.take(clock.now()) && open !== undefined && open.status !== "in_progress")
      await remind(review, options);
    const relaxed = watch.live || options.callbacks !== undefined;
    const pauseMs = pauseAfter(looked, failures, options.pollEveryMs, relaxed);
    const soonest = known
      ? Math.min(watch.reminders.nextAt(), endAfter(review, lookedAt))
      : Number.POSITIVE_INFINITY;
    const untilAt = Math.min(lookedAt + pauseMs, soonest);
    await watch.alarm.sleep(untilAt - clock.now(), signal);
    const earliestAt = lookedAt + (looked.kind === "limited" ? pauseMs : SPACING_MS);
    await new Alarm(clock).sleep(earliestAt - clock.now(), signal);
  }
}
