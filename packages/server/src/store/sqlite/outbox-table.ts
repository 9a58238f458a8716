/** Outbox messages. A counter fences claims, so that only the latest claimer can end an attempt. */

import { CHANNEL_LANES } from "../../kernel/lane.ts";
import type { OutboxAttempt, OutboxRow } from "../../kernel/record.ts";
import { FIRST_LANE, isWantedLane, type LaneName, LanePick, Turns } from "../lane-pick.ts";
import type { Backlog, BacklogName, BacklogQuery, LaneRooms, OutboxQuery } from "../port.ts";
import { BEYOND_EVERY_ID } from "../text-order.ts";
import { rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";
import type { WriteList } from "./writes.ts";

const COLUMNS = `id, workspace, kind, endpoint, lane, hold_id AS holdId, event_stream AS stream, event_seq AS seq,
  event_type AS type, detail, state, attempts, created_at AS createdAt, due_at AS dueAt, claim`;

const DUE = `SELECT ${COLUMNS} FROM outbox
  WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, workspace, id LIMIT ?`;
const NEXT_LANE = `SELECT workspace, lane FROM outbox
  WHERE state = 'waiting' AND (workspace, lane) > (?, ?) ORDER BY workspace, lane LIMIT 1`;
const DUE_IN_LANE = `SELECT ${COLUMNS} FROM outbox
  WHERE state = 'waiting' AND workspace = ? AND lane = ? AND due_at <= ? ORDER BY due_at LIMIT ?`;
const CLAIM = "UPDATE outbox SET due_at = ?, claim = claim + 1 WHERE workspace = ? AND id = ?";
const NEXT = "SELECT min(due_at) AS dueAt FROM outbox WHERE state = 'waiting'";
const RENEW = `UPDATE outbox SET due_at = ?
  WHERE workspace = ? AND id = ? AND claim = ? AND state = 'waiting'`;
const SETTLE = `UPDATE outbox SET state = ?, attempts = ?, due_at = ?, lane = ?
  WHERE workspace = ? AND id = ? AND claim = ?`;

const PRUNE = `DELETE FROM outbox WHERE (workspace, id) IN (SELECT workspace, id FROM outbox
  WHERE state <> 'waiting' AND created_at < ? ORDER BY created_at, workspace, id LIMIT ?)`;

const BACKLOGS = `SELECT workspace, kind, endpoint, lane, count(*) AS waiting, min(created_at) AS oldestAt FROM outbox
  WHERE state = 'waiting' AND (?1 IS NULL OR workspace = ?1) GROUP BY workspace, lane, kind, endpoint
  HAVING count(*) >= ?2 ORDER BY waiting DESC, workspace, lane, kind, endpoint LIMIT ?3`;
const DROP = `UPDATE outbox SET state = 'failed', due_at = NULL, claim = claim + 1,
    attempts = json_insert(attempts, '$[#]', json(?))
  WHERE (workspace, id) IN (SELECT workspace, id FROM outbox WHERE state = 'waiting' AND workspace = ? AND lane = ?
    AND due_at <= ? AND kind = ? AND endpoint = ? ORDER BY created_at DESC, id DESC LIMIT ?)`;

/** The end of the lanes of this workspace that are passed over together. */
function lastUnwanted({ workspace, lane }: LaneName, { of, without = [] }: LaneRooms): string {
  if (without.includes(workspace)) return BEYOND_EVERY_ID;
  if (of === "hosts") return CHANNEL_LANES.beyond;
  return lane < CHANNEL_LANES.first ? CHANNEL_LANES.first : BEYOND_EVERY_ID;
}

interface Row {
  readonly id: string;
  readonly workspace: string;
  readonly kind: OutboxRow["kind"];
  readonly endpoint: string;
  readonly lane: string;
  readonly holdId: string | null;
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly detail: string;
  readonly state: OutboxRow["state"];
  readonly attempts: string;
  readonly createdAt: number;
  readonly dueAt: number | null;
  readonly claim: number;
}

/** How many times `limit` rows are read in due order before single lanes are searched. */
const WINDOWS = 4;
/** Limits a search over lanes to a few milliseconds. */
const LANES_AT_ONCE = 300;

export function addMessage(row: OutboxRow, list: WriteList): void {
  const { workspace, id, kind, endpoint, lane, holdId, event, state, createdAt, dueAt, claim } = row;
  const detail = JSON.stringify(row.detail);
  const attempts = JSON.stringify(row.attempts);
  // biome-ignore format: as the statement has them
  list.add(
    "insert_outbox", workspace, id, kind, endpoint, lane, holdId, event.stream, event.seq, event.type, detail,
    state, attempts, createdAt, dueAt, claim,
  );
}

/** The recipients of the messages about an erased hold are removed. */
export function addForget(workspace: string, holdId: string, list: WriteList): void {
  list.add("forget_outbox", workspace, holdId);
}

export class OutboxTable {
  readonly #statements: Statements;
  readonly #turns = new Turns();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  claim(now: number, leaseMs: number, limit: number, lanes?: LaneRooms): readonly OutboxRow[] {
    const dueAt = now + leaseMs;
    const pick = new LanePick<Row>(limit, lanes);
    const window = limit * WINDOWS;
    const first = this.#due(DUE, now, window);
    if (lanes === undefined) pick.take(first);
    else if (first.length < window) pick.takeInTurn(first, lanes, this.#turns);
    else {
      if (lanes.usual === 0) this.#pickFrom(lanes, pick, now);
      else this.#pickByLane(lanes, pick, now);
      pick.take(first.filter((row) => isWantedLane(row, lanes)));
    }
    return this.#rows(pick.rows).map((row) => {
      this.#statements.of(CLAIM).run(dueAt, row.workspace, row.id);
      return { ...row, dueAt, claim: row.claim + 1 };
    });
  }

  /** Only the lanes that are named have free slots. */
  #pickFrom(lanes: LaneRooms, pick: LanePick<Row>, now: number): void {
    const found: Row[] = [];
    let count = 0;
    for (const { workspace, lane, room } of lanes.rooms) {
      if (count === pick.limit) break;
      const rows = room > 0 ? this.#due(DUE_IN_LANE, workspace, lane, now, room) : [];
      if (rows.length > 0) count += 1;
      found.push(...rows);
    }
    pick.takeInTurn(found, lanes, this.#turns);
  }

  /** The earliest rows may all belong to a few lanes: search lane by lane instead, from the lane that was served last. */
  #pickByLane(lanes: LaneRooms, pick: LanePick<Row>, now: number): void {
    let at = this.#turns.after(lanes);
    // From the first lane, one pass to the end; from any other, the pass wraps around once.
    let lapsLeft = at === FIRST_LANE ? 1 : 2;
    for (let looked = 0; looked < LANES_AT_ONCE && !pick.isFull && lapsLeft > 0; looked += 1) {
      const next = this.#statements.of(NEXT_LANE).get(at.workspace, at.lane) as LaneName | undefined;
      if (next === undefined) {
        at = FIRST_LANE;
        lapsLeft -= 1;
      } else if (isWantedLane(next, lanes)) {
        at = next;
        const room = pick.room(next);
        if (room > 0) pick.take(this.#due(DUE_IN_LANE, next.workspace, next.lane, now, room));
      } else at = { workspace: next.workspace, lane: lastUnwanted(next, lanes) };
    }
    this.#turns.moveTo(lanes, at);
  }

  #due(sql: string, ...values: readonly (string | number)[]): readonly Row[] {
    return rowsOf<Row>(this.#statements.of(sql).all(...values));
  }

  nextAt(): number | null {
    return (this.#statements.of(NEXT).get() as { dueAt: number | null }).dueAt;
  }

  settle({ state, attempts, dueAt, lane, workspace, id, claim }: OutboxRow): boolean {
    const { changes } = this.#statements
      .of(SETTLE)
      .run(state, JSON.stringify(attempts), dueAt, lane, workspace, id, claim);
    return changes === 1;
  }

  renew({ workspace, id, claim }: OutboxRow, until: number): boolean {
    return this.#statements.of(RENEW).run(until, workspace, id, claim).changes === 1;
  }

  prune(before: number, limit: number): number {
    return Number(this.#statements.of(PRUNE).run(before, limit).changes);
  }

  /** Reads all waiting rows, so it runs on the background thread. */
  backlogs({ workspace, atLeast, limit }: BacklogQuery): readonly Backlog[] {
    const found = this.#statements.of(BACKLOGS).all(workspace ?? null, atLeast, limit);
    return rowsOf<Backlog>(found).map((backlog) => ({ ...backlog }));
  }

  drop({ workspace, kind, endpoint, lane }: BacklogName, attempt: OutboxAttempt, limit: number): number {
    const values = [workspace, lane, attempt.at, kind, endpoint, limit];
    return Number(this.#statements.of(DROP).run(JSON.stringify(attempt), ...values).changes);
  }

  list(query: OutboxQuery): readonly OutboxRow[] {
    const { workspace, endpoint = null, holdId = null, state = null, id = null, limit } = query;
    const before = query.before ?? BEYOND_EVERY_ID;
    const found = this.#statements
      .of(listSql(query))
      .all(workspace, before, endpoint, holdId, state, id, limit);
    return this.#rows(found);
  }

  #rows(found: readonly unknown[]): readonly OutboxRow[] {
    return (found as readonly Row[]).map(({ stream, seq, type, detail, attempts, ...row }) => ({
      ...row,
      event: { stream, seq, type },
      detail: JSON.parse(detail),
      attempts: JSON.parse(attempts),
    }));
  }
}

/** Whether an index leads to the rows; otherwise the query may read the whole workspace. */
export function isShortList(query: OutboxQuery): boolean {
  return query.id !== undefined || query.holdId !== undefined || isTrouble(query.state);
}

function isTrouble(state: OutboxRow["state"] | undefined): boolean {
  return state === "failed" || state === "no_channel";
}

function listSql({ id, holdId, state }: OutboxQuery): string {
  const filters = [
    "workspace = ?1 AND id < ?2",
    "(?3 IS NULL OR endpoint = ?3)",
    holdId === undefined ? "?4 IS NULL" : "hold_id = ?4",
    // SQLite uses a partial index only if the state is a literal in the statement.
    isTrouble(state) && holdId === undefined
      ? `state = '${state}' AND ?5 IS NOT NULL`
      : "(?5 IS NULL OR state = ?5)",
    id === undefined ? "?6 IS NULL" : "id = ?6",
  ];
  return `SELECT ${COLUMNS} FROM outbox WHERE ${filters.join(" AND ")} ORDER BY id DESC LIMIT ?7`;
}
