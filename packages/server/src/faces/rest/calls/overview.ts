/** What an operator wants to know first. Every number comes from a bounded read. */

import type { CountOut, OverviewOut, OverviewQuery } from "@holdpoint/protocol";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { seesAll } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import type { WaitingCount, WaitingGroups } from "../../../store/port.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { briefOf } from "../brief.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { hostOf } from "./endpoint-host.ts";
import { backwards, READ_MAX } from "./log-backwards.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SHOWN = 10;
const FAILED_MAX = 200;
/** Answers that did not reach their agent, or whose conversation did not go on. */
const STUCK_RELEASES = ["failed", "unknown", "stalled"] as const;

const WITHIN = { "15 minutes": HOUR_MS / 4, "1 hour": HOUR_MS, "4 hours": 4 * HOUR_MS, "1 day": DAY_MS };
const ENDINGS = ["decided", "expired", "cancelled"] as const;

export async function overview(
  { workspace, by }: Caller,
  query: OverviewQuery,
  deps: CallDeps,
): Promise<OverviewOut> {
  if (!seesAll(by)) throw fail("not_allowed");
  const { store, clock } = deps.engine;
  const now = clock.now();
  const since =
    query.since === undefined ? now - DAY_MS : Math.max(Date.parse(query.since), now - 7 * DAY_MS);
  const [waiting, unassigned, unseen, agents, tools, assignees, expiring, recent, failed, stuck] =
    await Promise.all([
      store.countWaiting({ workspace }),
      store.countWaiting({ workspace, assignee: null }),
      store.countWaiting({ workspace, isUnseen: true }),
      store.groupWaiting({ workspace }, "creator"),
      store.groupWaiting({ workspace }, "tool"),
      store.groupWaiting({ workspace }, "assignee"),
      expiringSoon(workspace, now, deps),
      recentEvents(workspace, Math.min(since, now - DAY_MS), deps),
      undelivered(workspace, deps),
      stuckReleases(workspace, deps),
    ]);
  const escalated = idsOf(recent.events, ["hold.escalated", "hold.reminded"], now - DAY_MS);
  const troubled = idsOf(recent.events, ["hold.claim_unknown", "hold.claim_failed"], 0);
  return {
    at: time(now),
    waiting: countOut(waiting),
    unassigned: countOut(unassigned),
    unseen: countOut(unseen),
    by_agent: groupsOut(waiting, agents),
    by_tool: groupsOut(waiting, tools),
    by_assignee: groupsOut(waiting, assignees),
    expiring,
    unreached: await named(workspace, failed.holdIds, (hold) => isUnreached(workspace, hold, deps), deps),
    escalated: await named(workspace, escalated, async ({ status }) => status === "open", deps),
    stalled: await named(workspace, troubled, async (hold) => isStalled(hold), deps),
    failing: [...failed.endpoints, ...stuck],
    ...endingsOf(recent.events, since, now),
    files: {
      bytes: await deps.files.used(workspace),
      bytes_max: Math.floor(deps.engine.platform.fileBytesMax),
    },
    endings_since: time(since),
    is_endings_exact: recent.isComplete,
  };
}

function countOut({ count, isExact }: WaitingCount): CountOut {
  return { count, is_exact: isExact };
}

function groupsOut(waiting: WaitingCount, { groups }: WaitingGroups): CountOut {
  return {
    ...countOut(waiting),
    groups: groups.slice(0, SHOWN).map(({ value, ...of }) => ({ value, ...countOut(of) })),
  };
}

function expiringSoon(workspace: string, now: number, { engine: { store } }: CallDeps) {
  return Promise.all(
    Object.entries(WITHIN).map(async ([within, spanMs]) => {
      const { count, isExact } = await store.countWaiting({ workspace, endsBy: now + spanMs });
      return { within, until: time(now + spanMs), count, is_exact: isExact };
    }),
  );
}

async function recentEvents(workspace: string, since: number, { engine: { store } }: CallDeps) {
  const last = await store.lastPosition();
  const events: StoredEvent[] = [];
  let isComplete = last <= READ_MAX;
  for await (const window of backwards(store, workspace, last + 1)) {
    events.push(...window.events.filter(({ at }) => at >= since));
    if ((window.events.at(-1)?.at ?? since) >= since) continue;
    isComplete = true;
    break;
  }
  return { events, isComplete };
}

function idsOf(events: readonly StoredEvent[], types: readonly string[], since: number): readonly string[] {
  const wanted = events.filter(({ type, at }) => types.includes(type) && at >= since);
  return [...new Set(wanted.map(({ stream }) => stream.slice("hold:".length)))];
}

/** The newest messages that did not arrive: about which holds, and where they were to go. */
async function undelivered(workspace: string, { engine: { store } }: CallDeps) {
  const rows = (
    await Promise.all(
      (["failed", "no_channel"] as const).map((state) =>
        store.outbox({ workspace, state, limit: FAILED_MAX }),
      ),
    )
  ).flat();
  const notices = rows.filter(({ kind, holdId }) => kind === "notice" && holdId !== null);
  return {
    holdIds: [...new Set(notices.map(({ holdId }) => holdId as string))],
    endpoints: counted(rows.map((row) => ({ endpoint: row.endpoint, ...hostOf(row) }))),
  };
}

async function stuckReleases(workspace: string, { engine: { store } }: CallDeps) {
  const pages = await Promise.all(
    STUCK_RELEASES.map((value) =>
      store.query({ workspace, kind: "release", index: { name: "state", value }, limit: FAILED_MAX }),
    ),
  );
  return counted(pages.flat().map(({ body }) => ({ endpoint: `agui-proxy:${body.proxy}` })));
}

interface Endpoint {
  readonly endpoint: string;
  readonly host?: string;
}

/** The callbacks of different agents have one name and are told apart by their hosts. */
function counted(endpoints: readonly Endpoint[]) {
  const counts = new Map<string, Endpoint & { readonly count: number }>();
  for (const one of endpoints) {
    const key = JSON.stringify([one.endpoint, one.host]);
    counts.set(key, { ...one, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

async function isUnreached(workspace: string, hold: Hold, { engine: { store } }: CallDeps): Promise<boolean> {
  if (hold.status !== "open" || hold.openedAt !== undefined) return false;
  const rows = await store.outbox({ workspace, holdId: hold.id, limit: 50 });
  return !rows.some(({ kind, state }) => kind === "notice" && state === "sent");
}

function isStalled({ claim }: Hold): boolean {
  return claim?.state === "unknown" || claim?.state === "failed";
}

/** Those of the holds that fit, counted, and some of them. */
async function named(
  workspace: string,
  ids: readonly string[],
  fits: (hold: Hold) => Promise<boolean>,
  { engine: { store } }: CallDeps,
) {
  const looked = ids.slice(0, FAILED_MAX);
  const wants = looked.map((id) => ({ workspace, kind: "hold", id, read: true }) as const);
  const found: Hold[] = [];
  for (const { body } of await store.load(wants)) if (await fits(body)) found.push(body);
  return {
    count: found.length,
    is_exact: looked.length === ids.length,
    holds: found.slice(0, SHOWN).map(briefOf),
  };
}

function endingsOf(events: readonly StoredEvent[], since: number, now: number) {
  const counts = new Map<string, number>();
  const first = since - (since % HOUR_MS);
  const hours = Array.from({ length: Math.floor((now - first) / HOUR_MS) + 1 }, (_, at) => ({
    from: time(first + at * HOUR_MS),
    decided: 0,
    expired: 0,
    cancelled: 0,
  }));
  for (const { type, at, data } of events) {
    const kind = ENDINGS.find((ending) => type === `hold.${ending}`);
    if (kind === undefined || at < since) continue;
    const ending = kind === "decided" ? String((JSON.parse(data) as { action?: unknown }).action) : kind;
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
    const hour = hours[Math.floor((at - first) / HOUR_MS)];
    if (hour !== undefined) hour[kind] += 1;
  }
  const endings = [...counts].map(([ending, count]) => ({ ending, count }));
  return { endings: endings.toSorted((one, other) => other.count - one.count), hours };
}
