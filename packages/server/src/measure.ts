/** The server's metrics, collected from the engine, timers and sender. */

import type { Engine } from "./engine/engine.ts";
import type { Feed } from "./engine/feed.ts";
import type { Files } from "./engine/files.ts";
import type { Census } from "./store/port.ts";
import { type Counter, type Histogram, Metrics, SECONDS, SIZES } from "./system/metrics.ts";

export interface Measures {
  readonly metrics: Metrics;
  readonly timerLateness: Histogram;
  readonly outboxLag: Histogram;
  readonly outboxTries: Counter;
  readonly faults: Counter;
}

const CENSUS_MS = 5_000;
const HOLD_STREAM = "hold:";
const OPENED = "hold.opened";
const TIMED: ReadonlySet<string> = new Set([OPENED, "hold.decided"]);

export function measure(engine: Engine, feed: Feed): Measures {
  const metrics = new Metrics();
  const batch = metrics.histogram("holdpoint_commit_batch_commands", "Commands per group commit.", SIZES);
  const events = metrics.counter("holdpoint_events_total", "Events committed, by type.", "type");
  const toOpen = metrics.histogram(
    "holdpoint_time_to_open_seconds",
    "From placing to the first opening.",
    SECONDS,
  );
  const toDecide = metrics.histogram(
    "holdpoint_time_to_decide_seconds",
    "From placing to the decision.",
    SECONDS,
  );
  engine.onCommit((commit) => {
    batch.observe(commit.commands);
    for (const { type } of commit.events) events.add(1, type);
    if (!commit.events.some(({ type }) => TIMED.has(type))) return;
    const placedAt = new Map<string, number>();
    for (const entity of commit.entities)
      if (entity.kind === "hold") placedAt.set(entity.id, entity.body.createdAt);
    for (const { type, stream, at } of commit.events) {
      const since = TIMED.has(type) ? placedAt.get(stream.slice(HOLD_STREAM.length)) : undefined;
      if (since !== undefined) (type === OPENED ? toOpen : toDecide).observe((at - since) / 1000);
    }
  });
  gauges(metrics, engine, feed);
  return {
    metrics,
    timerLateness: metrics.histogram("holdpoint_timer_lateness_seconds", "How late timers fired.", SECONDS),
    outboxLag: metrics.histogram(
      "holdpoint_outbox_lag_seconds",
      "How long after it was committed a message was first tried.",
      SECONDS,
    ),
    outboxTries: metrics.counter("holdpoint_outbox_tries_total", "Tries to deliver, by result.", "result"),
    faults: metrics.counter("holdpoint_faults_total", "Unexpected errors, by place.", "place"),
  };
}

export function measureFiles(metrics: Metrics, files: Files): void {
  metrics.gauge("holdpoint_file_bytes", "Bytes of uploaded files, by workspace.", async () =>
    (await files.usedByEach()).map(({ workspace, bytes }) => ({ labels: { workspace }, value: bytes })),
  );
}

function gauges(metrics: Metrics, engine: Engine, feed: Feed): void {
  const now = () => engine.clock.now();
  const census = rarely(() => engine.store.census(now()), now);
  const seconds = (since: number | null) => (since === null ? 0 : Math.max(0, now() - since) / 1000);
  const one = (read: (found: Census) => number) => async () => [{ value: read(await census()) }];
  metrics.gauge("holdpoint_holds", "Holds by status.", async () =>
    Object.entries((await census()).holds).map(([status, value]) => ({ labels: { status }, value })),
  );
  metrics.gauge("holdpoint_holds_open_by_age", "Open holds by age.", async () =>
    Object.entries((await census()).openByAge).map(([age, value]) => ({ labels: { age }, value })),
  );
  metrics.gauge(
    "holdpoint_oldest_open_seconds",
    "Age of the oldest open hold.",
    one(({ oldestOpenAt }) => seconds(oldestOpenAt)),
  );
  metrics.gauge(
    "holdpoint_outbox_waiting",
    "Messages not delivered yet.",
    one(({ outboxWaiting }) => outboxWaiting),
  );
  const longest = rarely(() => engine.store.backlogs({ atLeast: 1, limit: 1 }), now);
  metrics.gauge(
    "holdpoint_outbox_longest_backlog",
    "Messages waiting for the endpoint with the longest backlog.",
    async () => [{ value: (await longest())[0]?.waiting ?? 0 }],
  );
  metrics.gauge(
    "holdpoint_outbox_overdue_seconds",
    "How long the oldest due message has waited.",
    one(({ outboxOldestDueAt }) => seconds(outboxOldestDueAt)),
  );
  metrics.gauge(
    "holdpoint_timers_overdue_seconds",
    "How late the oldest due timer is.",
    one(({ timersOldestDueAt }) => seconds(timersOldestDueAt)),
  );
  metrics.gauge(
    "holdpoint_clock_behind_seconds",
    "How far the clock is behind the time of the log, because it was set back.",
    async () => [{ value: engine.clockBehindMs / 1000 }],
  );
  metrics.gauge("holdpoint_queue_commands", "Commands waiting for their commit.", async () => [
    { value: engine.queued },
  ]);
  metrics.gauge("holdpoint_waiters", "Holds that a caller waits for.", async () => [{ value: feed.waiting }]);
  metrics.gauge("holdpoint_streams", "Open event streams.", async () => [{ value: feed.subscribers }]);
}

/** Caches a value for five seconds: one scrape reads several gauges of the same census, and a census counts many rows. */
function rarely<T>(read: () => Promise<T>, now: () => number): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > CENSUS_MS) last = { at: now(), value: read() };
    return last.value;
  };
}
