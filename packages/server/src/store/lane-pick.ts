/** Picks rows for a claim: at most `limit` in total, and from each lane at most as many as its free slots. */

import { isChannelLane } from "../kernel/lane.ts";
import type { LaneKind, LaneRoom, LaneRooms } from "./port.ts";
import { compareText } from "./text-order.ts";

interface LaneRow {
  readonly workspace: string;
  readonly id: string;
  readonly lane: string;
}

export type LaneName = Pick<LaneRow, "workspace" | "lane">;

export const FIRST_LANE: LaneName = { workspace: "", lane: "" };

/** The lane that was served last, of each kind. */
export class Turns {
  readonly #last = new Map<LaneKind | undefined, LaneName>();

  after({ of }: LaneRooms): LaneName {
    return this.#last.get(of) ?? FIRST_LANE;
  }

  moveTo({ of }: LaneRooms, { workspace, lane }: LaneName): void {
    this.#last.set(of, { workspace, lane });
  }
}

export function isWantedLane({ workspace, lane }: LaneName, { of, without = [] }: LaneRooms): boolean {
  return (of === undefined || isChannelLane(lane) === (of === "channels")) && !without.includes(workspace);
}

export class LanePick<Row extends LaneRow> {
  readonly rows: Row[] = [];
  readonly limit: number;
  readonly #usual: number;
  readonly #rooms: Map<string, LaneRoom>;
  readonly #picked = new Set<string>();

  constructor(limit: number, { usual, rooms }: LaneRooms = { usual: limit, rooms: [] }) {
    this.limit = limit;
    this.#usual = usual;
    this.#rooms = new Map(rooms.map((room) => [nameOf(room), room]));
  }

  get isFull(): boolean {
    return this.rows.length >= this.limit;
  }

  /** The remaining free slots of all lanes that were given or picked from. */
  get rooms(): readonly LaneRoom[] {
    return [...this.#rooms.values()];
  }

  room(lane: LaneName): number {
    return this.#rooms.get(nameOf(lane))?.room ?? this.#usual;
  }

  take(rows: readonly Row[]): void {
    for (const row of rows) {
      const room = this.room(row);
      const name = `${row.workspace}\u0000${row.id}`;
      if (this.isFull || room <= 0 || this.#picked.has(name)) continue;
      this.#picked.add(name);
      this.#rooms.set(nameOf(row), { workspace: row.workspace, lane: row.lane, room: room - 1 });
      this.rows.push(row);
    }
  }

  /** One row of each lane before a second of any. The rows of each lane are given in their order. */
  takeInTurn(rows: readonly Row[], lanes: LaneRooms, turns: Turns): void {
    const byLane = Map.groupBy(
      rows.filter((row) => isWantedLane(row, lanes) && this.room(row) > 0),
      nameOf,
    );
    const inTurn = [...byLane.values()].sort(this.#order(lanes, turns));
    const longest = Math.max(0, ...inTurn.map(({ length }) => length));
    for (let place = 0; place < longest && !this.isFull; place += 1) {
      const before = this.rows.length;
      this.take(inTurn.flatMap((ofLane) => ofLane[place] ?? []));
      const last = this.rows.at(-1);
      if (place === 0 && last !== undefined && this.rows.length > before) turns.moveTo(lanes, last);
    }
  }

  #order(lanes: LaneRooms, turns: Turns): (a: readonly Row[], b: readonly Row[]) => number {
    const places = new Map(lanes.rooms.map((room, place) => [nameOf(room), place]));
    const after = turns.after(lanes);
    const rank = (row: Row) => {
      if (lanes.usual === 0) return places.get(nameOf(row)) ?? places.size;
      return compareLanes(row, after) > 0 ? 0 : 1;
    };
    return ([a], [b]) => (a && b ? rank(a) - rank(b) || compareLanes(a, b) : 0);
  }
}

function compareLanes(a: LaneName, b: LaneName): number {
  return compareText(a.workspace, b.workspace) || compareText(a.lane, b.lane);
}

function nameOf({ workspace, lane }: LaneName): string {
  return `${workspace}\u0000${lane}`;
}
