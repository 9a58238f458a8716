/** Picks rows for a claim: at most `limit` in total, and from each lane at most as many as its free slots. */

import type { LaneRoom, LaneRooms } from "./port.ts";

interface LaneRow {
  readonly workspace: string;
  readonly id: string;
  readonly lane: string;
}

type LaneName = Pick<LaneRow, "workspace" | "lane">;

export class LanePick<Row extends LaneRow> {
  readonly rows: Row[] = [];
  readonly #limit: number;
  readonly #usual: number;
  readonly #rooms: Map<string, LaneRoom>;
  readonly #picked = new Set<string>();

  constructor(limit: number, { usual, rooms }: LaneRooms = { usual: limit, rooms: [] }) {
    this.#limit = limit;
    this.#usual = usual;
    this.#rooms = new Map(rooms.map((room) => [nameOf(room), room]));
  }

  get isFull(): boolean {
    return this.rows.length >= this.#limit;
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
}

function nameOf({ workspace, lane }: LaneName): string {
  return `${workspace}\u0000${lane}`;
}
