/** Messages to endpoints, creators and people: their state, and sending one again. */

import { mayManage, seesDeliveries } from "../../../kernel/principal.ts";
import type { OutboxRow } from "../../../kernel/record.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { readCursor, writeCursor } from "../calls/cursor.ts";
import type { RestDeps } from "../deps.ts";
import type { Routes } from "../operations.ts";

export const deliveries = {
  async listDeliveries(call, deps) {
    const { workspace, by, query } = call;
    if (!seesDeliveries(by)) throw fail("not_allowed");
    const { endpoint, state, hold_id: holdId, limit = 50 } = query;
    const rows = await deps.engine.store.outbox({
      workspace,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(state === undefined ? {} : { state: state === "queued" ? "waiting" : state }),
      ...(holdId === undefined ? {} : { holdId }),
      ...(query.cursor === undefined ? {} : { before: readCursor(query.cursor) }),
      limit,
    });
    const last = rows.at(-1);
    const next = rows.length === limit && last !== undefined ? { next_cursor: writeCursor(last.id) } : {};
    const isFirstQueued = state === "queued" && query.cursor === undefined && holdId === undefined;
    const waiting = isFirstQueued ? { backlogs: await backlogsOf(workspace, endpoint, deps) } : {};
    return { status: 200, body: { deliveries: rows.map(presentDelivery), ...next, ...waiting } };
  },

  /** Replays settled messages only, because a message under way would be sent twice. */
  async replayDelivery({ workspace, by, params }, deps) {
    if (!mayManage(by)) throw fail("not_allowed");
    const { store, clock } = deps.engine;
    const [row] = await store.outbox({ workspace, id: params.id, limit: 1 });
    if (row === undefined) throw fail("not_found");
    const now = clock.now();
    const again: OutboxRow = { ...row, state: "waiting", dueAt: now };
    // The claim number is the fence: if another caller has replayed the message since, the number has changed.
    const isTaken = row.state !== "waiting" && (await store.settleOutbox(again, now));
    if (!isTaken) throw fail("delivery_queued");
    deps.wakeSender();
    return { status: 202, body: presentDelivery(again) };
  },
} satisfies Routes;

/** Enough for a person to read. */
const BACKLOGS_MAX = 50;

async function backlogsOf(workspace: string, endpoint: string | undefined, { engine }: RestDeps) {
  const found = await engine.store.backlogs({ workspace, atLeast: 1, limit: BACKLOGS_MAX });
  return found
    .filter((backlog) => endpoint === undefined || backlog.endpoint === endpoint)
    .map((backlog) => ({
      kind: backlog.kind,
      endpoint: backlog.endpoint,
      ...(backlog.kind === "notice" || backlog.lane === "" ? {} : { host: backlog.lane }),
      waiting: backlog.waiting,
      oldest_at: time(backlog.oldestAt),
    }));
}

function presentDelivery(row: OutboxRow) {
  const { to, attempt } = row.detail;
  const reason = row.attempts.at(-1)?.error;
  return {
    id: row.id,
    kind: row.kind,
    endpoint: row.endpoint,
    ...(row.holdId === null ? {} : { hold_id: row.holdId }),
    event_type: row.event.type,
    event_seq: row.event.seq,
    ...(typeof to === "string" ? { to } : {}),
    ...(typeof attempt === "number" ? { attempt } : {}),
    state: row.state === "waiting" ? "queued" : row.state,
    ...(reason === undefined ? {} : { reason }),
    attempts: row.attempts.map(({ at, durationMs, ...rest }) => ({
      ...rest,
      at: time(at),
      duration_ms: durationMs,
    })),
    created_at: time(row.createdAt),
    ...(row.dueAt === null ? {} : { due_at: time(row.dueAt) }),
  };
}
