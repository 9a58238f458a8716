/** Claims outbox rows, of lanes in turn. */

import type { OutboxRow } from "../../kernel/record.ts";
import { FIRST_LANE, isWantedLane, type LaneName, LanePick, Turns } from "../lane-pick.ts";
import type { LaneRoom, LaneRooms } from "../port.ts";
import { BEYOND_EVERY_ID, compareText } from "../text-order.ts";
import { arrayText } from "./array-text.ts";
import { rowIn } from "./key-conditions.ts";
import { COLUMNS, KEY, type Row, rowOf } from "./outbox-table.ts";
import { pack, unpack } from "./packed-text.ts";
import { columnsOf, type Sql } from "./sql.ts";

/** How many times `limit` rows are read, because most of them may belong to one lane. */
const WINDOWS = 4;
/** Limits a search over lanes to a few milliseconds. */
const LANES_AT_ONCE = 300;
/** Of lanes: $8 names their kind, $9 the workspaces to leave out. */
const WANTED = `($8::text IS NULL OR (lane LIKE 'channel:%') = ($8::text = 'channels')) AND workspace <> ALL($9::text[])`;
const ROOMS = `rooms AS MATERIALIZED (
    SELECT * FROM unnest($4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY AS rooms (workspace, lane, room, place))`;
/** One row at least, so that the number of rows that were looked at is known. */
const TAKE = `, taken AS (UPDATE outbox o SET due_at = $1::bigint + $2::bigint, claim = o.claim + 1
    WHERE ${rowIn("o", KEY, "due")} RETURNING ${COLUMNS},
      (SELECT due.due_at FROM due WHERE due.workspace = o.workspace AND due.id = o.id) AS was_due)
  SELECT taken.*, counted.looked FROM (SELECT count(*) AS looked FROM looked) counted LEFT JOIN taken ON true`;
/**
 * Skips rows that another server is claiming, and rows of full lanes. $4 to $6: lanes and their free slots; $7: the
 * free slots of all other lanes; without any, only the lanes that are named are looked at. $10 and $11: the lane that was
 * served last. $12: claim nothing if more may be due than was looked at, because lanes beyond that would never have their turn.
 */
const CLAIM = `WITH ${ROOMS},
  looked AS MATERIALIZED (SELECT workspace, id, lane, due_at FROM outbox WHERE state = 'waiting' AND due_at <= $1
    AND (workspace, lane) NOT IN (SELECT workspace, lane FROM rooms WHERE room <= 0)
    AND ($7::bigint > 0 OR (workspace, lane) IN (SELECT workspace, lane FROM rooms)) AND ${WANTED}
    ORDER BY due_at LIMIT $3::bigint * ${WINDOWS} FOR UPDATE SKIP LOCKED),
  numbered AS (SELECT *, row_number() OVER (PARTITION BY workspace, lane ORDER BY due_at, id) AS place FROM looked),
  due AS MATERIALIZED (SELECT n.workspace, n.id, n.due_at FROM numbered n
    LEFT JOIN rooms ON rooms.workspace = n.workspace AND rooms.lane = n.lane
    WHERE n.place <= coalesce(rooms.room, $7::bigint)
      AND NOT ($12::boolean AND (SELECT count(*) FROM looked) >= $3::bigint * ${WINDOWS})
    ORDER BY n.place, CASE WHEN $7::bigint = 0 THEN rooms.place END,
      (n.workspace, n.lane) <= ($10::text, $11::text), n.workspace, n.lane LIMIT $3)${TAKE}`;
/** The same for named lanes only, each of which is searched by itself. */
const CLAIM_NAMED = `WITH ${ROOMS},
  looked AS MATERIALIZED (SELECT found.*, rooms.place AS turn,
      row_number() OVER (PARTITION BY rooms.place ORDER BY found.due_at, found.id) AS place
    FROM rooms CROSS JOIN LATERAL (SELECT workspace, id, due_at FROM outbox WHERE state = 'waiting' AND due_at <= $1
      AND outbox.workspace = rooms.workspace AND outbox.lane = rooms.lane
      ORDER BY due_at LIMIT greatest(rooms.room, 0) FOR UPDATE SKIP LOCKED) found),
  due AS MATERIALIZED (SELECT workspace, id, due_at FROM looked ORDER BY place, turn LIMIT $3)${TAKE}`;
/** The next lanes with waiting rows after a lane, by one search in the index each. */
const NEXT_LANES = `WITH RECURSIVE lanes AS (
    (SELECT workspace, lane FROM outbox WHERE state = 'waiting' AND (workspace, lane) > ($1::text, $2::text)
      ORDER BY workspace, lane LIMIT 1)
    UNION ALL
    SELECT found.workspace, found.lane FROM lanes CROSS JOIN LATERAL (SELECT o.workspace, o.lane FROM outbox o
      WHERE o.state = 'waiting' AND (o.workspace, o.lane) > (lanes.workspace, CASE
        WHEN lanes.workspace = ANY($4::text[]) THEN $5::text
        WHEN $3::text = 'hosts' AND lanes.lane LIKE 'channel:%' THEN 'channel;'
        WHEN $3::text = 'channels' AND lanes.lane < 'channel:' THEN 'channel:'
        WHEN $3::text = 'channels' AND lanes.lane >= 'channel;' THEN $5::text ELSE lanes.lane END)
      ORDER BY o.workspace, o.lane LIMIT 1) found)
  SELECT workspace, lane FROM lanes LIMIT ${LANES_AT_ONCE}`;

const ALL: LaneRooms = { usual: Number.MAX_SAFE_INTEGER, rooms: [] };

type TakenRow = Row & { readonly was_due: number };
type ClaimedRow = { readonly looked: number } & (TakenRow | { readonly id: null });

/** What one call claims. */
interface Claim {
  readonly pick: LanePick<OutboxRow>;
  readonly times: readonly [now: number, leaseMs: number];
  readonly lanes: LaneRooms;
}

/** Claims outbox rows; remembers which lanes had their turn. */
export class OutboxClaims {
  readonly #sql: Sql;
  readonly #turns = new Turns();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async claim(now: number, leaseMs: number, limit: number, lanes = ALL): Promise<readonly OutboxRow[]> {
    const claim: Claim = { pick: new LanePick<OutboxRow>(limit, lanes), times: [now, leaseMs], lanes };
    const { pick } = claim;
    if (lanes !== ALL) {
      const looked = await this.#fromEarliest(claim, true);
      if (looked < limit * WINDOWS) return pick.rows;
      if (lanes.usual === 0) await this.#fromLanes(claim, lanes.rooms);
      else await this.#fromNextLanes(claim);
    }
    while (!pick.isFull) {
      const wanted = limit - pick.rows.length;
      // All rows that were read may belong to one lane, which is full now.
      if ((await this.#fromEarliest(claim, false)) < wanted * WINDOWS) break;
    }
    return pick.rows;
  }

  /** Returns how many rows were looked at. */
  async #fromEarliest({ pick, times, lanes }: Claim, onlyIfAll: boolean): Promise<number> {
    const { workspace, lane } = this.#turns.after(lanes);
    const without = arrayText(lanes.without ?? [], pack);
    const which = [lanes.of ?? null, without, pack(workspace), pack(lane), onlyIfAll];
    const values = [
      ...times,
      pick.limit - pick.rows.length,
      ...roomColumns(pick.rooms),
      lanes.usual,
      ...which,
    ];
    const claimed = await this.#sql.all<ClaimedRow>(CLAIM, values);
    if (onlyIfAll) pick.takeInTurn(rowsOf(claimed), lanes, this.#turns);
    else pick.take(rowsOf(claimed));
    return claimed[0]?.looked ?? 0;
  }

  /** The earliest rows may all belong to a few lanes: search lane by lane instead, from the lane that was served last. */
  async #fromNextLanes(claim: Claim): Promise<void> {
    const { pick, lanes } = claim;
    // From the first lane, one pass to the end; from any other, the pass wraps around once.
    for (let lapsLeft = 2, looked = 0; lapsLeft > 0 && looked < LANES_AT_ONCE && !pick.isFull; ) {
      const after = this.#turns.after(lanes);
      const without = arrayText(lanes.without ?? [], pack);
      const values = [pack(after.workspace), pack(after.lane), lanes.of ?? null, without, BEYOND_EVERY_ID];
      const found = (await this.#sql.all<LaneName>(NEXT_LANES, values)).map(unpackedName);
      looked += found.length;
      const rooms = found
        .filter((name) => isWantedLane(name, lanes))
        .map((name) => ({ ...name, room: pick.room(name) }));
      const last = await this.#fromLanes(claim, rooms);
      const end = found.length < LANES_AT_ONCE ? FIRST_LANE : (found.at(-1) ?? FIRST_LANE);
      this.#turns.moveTo(lanes, pick.isFull ? (last ?? end) : end);
      if (end === FIRST_LANE) lapsLeft -= after.workspace === "" ? 2 : 1;
    }
  }

  /** Returns the last lane in turn of which a row was claimed. */
  async #fromLanes({ pick, times }: Claim, rooms: readonly LaneRoom[]): Promise<LaneRoom | undefined> {
    const free = rooms.filter(({ room }) => room > 0);
    if (free.length === 0) return undefined;
    const values = [...times, pick.limit - pick.rows.length, ...roomColumns(free)];
    const rows = rowsOf(await this.#sql.all<ClaimedRow>(CLAIM_NAMED, values));
    pick.take(rows);
    return free.findLast(({ workspace, lane }) =>
      rows.some((row) => row.workspace === workspace && row.lane === lane),
    );
  }
}

function roomColumns(rooms: readonly LaneRoom[]): readonly string[] {
  return columnsOf(rooms, [({ workspace }) => pack(workspace), ({ lane }) => pack(lane), ({ room }) => room]);
}

function unpackedName({ workspace, lane }: LaneName): LaneName {
  return { workspace: unpack(workspace), lane: unpack(lane) };
}

function rowsOf(claimed: readonly ClaimedRow[]): readonly OutboxRow[] {
  return claimed
    .filter((row) => row.id !== null)
    .sort(byDue)
    .map(rowOf);
}

function byDue(a: TakenRow, b: TakenRow): number {
  return a.was_due - b.was_due || compareText(a.workspace, b.workspace) || compareText(a.id, b.id);
}
