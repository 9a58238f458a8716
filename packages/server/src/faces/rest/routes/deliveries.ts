/** Messages to endpoints, creators and people: their state, and sending one again. */

import type { ChatMessage } from "../../../kernel/chat/chat.ts";
import { mayManage, seesDeliveries } from "../../../kernel/principal.ts";
import type { OutboxRow } from "../../../kernel/record.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { readCursor, writeCursor } from "../calls/cursor.ts";
import { hostOf } from "../calls/endpoint-host.ts";
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
    const messages = await messagesOf(rows, workspace, deps);
    const shown = rows.map((row) => presentDelivery(row, messages.get(row.id)));
    return { status: 200, body: { deliveries: shown, ...next, ...waiting } };
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

/** The chat messages of these deliveries, by delivery. */
async function messagesOf(
  rows: readonly OutboxRow[],
  workspace: string,
  { engine: { store } }: RestDeps,
): Promise<ReadonlyMap<string, ChatMessage>> {
  const ids = new Set(
    rows.flatMap(({ kind, holdId }) => (kind === "notice" && holdId !== null ? [holdId] : [])),
  );
  const holds = await store.load(
    [...ids].map((id) => ({ workspace, kind: "hold" as const, id, read: true as const })),
  );
  const marks = holds.flatMap(({ body }) => body.chats ?? []);
  const found = await store.load(
    marks.map(({ id }) => ({ workspace, kind: "chat_message" as const, id, read: true as const })),
  );
  return new Map(found.map(({ body }) => [body.delivery, body]));
}

/** Enough for a person to read. */
const BACKLOGS_MAX = 50;

async function backlogsOf(workspace: string, endpoint: string | undefined, { engine }: RestDeps) {
  const found = await engine.store.backlogs({ workspace, atLeast: 1, limit: BACKLOGS_MAX });
  return found
    .filter((backlog) => endpoint === undefined || backlog.endpoint === endpoint)
    .map((backlog) => ({
      kind: backlog.kind,
      endpoint: backlog.endpoint,
      ...hostOf(backlog),
      waiting: backlog.waiting,
      oldest_at: time(backlog.oldestAt),
    }));
}

function presentDelivery(row: OutboxRow, message?: ChatMessage) {
  const { to, attempt } = row.detail;
  const { seenAt, actedAt, closedAt } = message ?? {};
  const reason = row.attempts.at(-1)?.error;
  return {
    id: row.id,
    kind: row.kind,
    endpoint: row.endpoint,
    ...hostOf(row),
    ...(row.holdId === null ? {} : { hold_id: row.holdId }),
    event_type: row.event.type,
    event_seq: row.event.seq,
    ...(typeof to === "string" ? { to } : {}),
    ...(typeof attempt === "number" ? { attempt } : {}),
    state: row.state === "waiting" ? "queued" : row.state,
    ...(seenAt === undefined ? {} : { seen_at: time(seenAt) }),
    ...(actedAt === undefined ? {} : { acted_at: time(actedAt) }),
    ...(closedAt === undefined ? {} : { closed_at: time(closedAt) }),
    ...(reason === undefined ? {} : { reason }),
    attempts: row.attempts.map(({ at, durationMs, told: _told, ...rest }) => ({
      ...rest,
      at: time(at),
      duration_ms: durationMs,
    })),
    created_at: time(row.createdAt),
    ...(row.dueAt === null ? {} : { due_at: time(row.dueAt) }),
  };
}
