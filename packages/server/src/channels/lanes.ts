/**
 * Counts the running tries per lane, so that a receiver that does not answer cannot take every slot.
 *
 * A lane is one host in one workspace. A lane whose last try got no answer is slow: it gets one slot until its receiver
 * answers again, and all slow lanes together get `slowMost`, so that the other slots stay free for the rest.
 */

import type { LaneRoom } from "../store/port.ts";

export type LaneName = Pick<LaneRoom, "workspace" | "lane">;

export interface LaneLimits {
  readonly most: number;
  readonly slowMost: number;
}

/** The most slow lanes that are remembered. Beyond that, the ones found slow first are treated as normal again. */
const SLOW_MAX = 256;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #taken = new Map<string, LaneName & { readonly count: number }>();
  readonly #slow = new Map<string, LaneName>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Takes a slot even if the lane is full. The returned function frees it and returns `true` if other rows may wait for it. */
  enter(name: LaneName): () => boolean {
    this.#add(name, 1);
    return () => {
      const isWanted = this.#slow.has(keyOf(name)) || this.#takenOf(name) >= this.#limits.most;
      this.#add(name, -1);
      return isWanted;
    };
  }

  hasRoom(name: LaneName): boolean {
    const isSlow = this.#slow.has(keyOf(name));
    if (isSlow && this.#slowTaken() >= this.#limits.slowMost) return false;
    return this.#takenOf(name) < (isSlow ? 1 : this.#limits.most);
  }

  /** A try ended, with any answer or without one. */
  ended(name: LaneName, isAnswered: boolean): void {
    this.#slow.delete(keyOf(name));
    if (isAnswered) return;
    this.#slow.set(keyOf(name), { workspace: name.workspace, lane: name.lane });
    for (const key of this.#slow.keys()) {
      if (this.#slow.size <= SLOW_MAX) break;
      this.#slow.delete(key);
    }
  }

  /** The free slots of each lane that is in use or slow. Slow lanes take turns. */
  rooms(): readonly LaneRoom[] {
    const rooms = [...this.#taken].flatMap(([key, { workspace, lane, count }]) =>
      this.#slow.has(key) ? [] : [{ workspace, lane, room: this.#limits.most - count }],
    );
    let slowLeft = this.#limits.slowMost - this.#slowTaken();
    for (const [key, name] of [...this.#slow]) {
      const hasRoom = slowLeft > 0 && !this.#taken.has(key);
      rooms.push({ ...name, room: hasRoom ? 1 : 0 });
      if (!hasRoom) continue;
      slowLeft -= 1;
      this.#slow.delete(key);
      this.#slow.set(key, name);
    }
    return rooms;
  }

  #takenOf(name: LaneName): number {
    return this.#taken.get(keyOf(name))?.count ?? 0;
  }

  #slowTaken(): number {
    let taken = 0;
    for (const key of this.#slow.keys()) taken += this.#taken.get(key)?.count ?? 0;
    return taken;
  }

  #add(name: LaneName, count: number): void {
    const taken = this.#takenOf(name) + count;
    if (taken <= 0) this.#taken.delete(keyOf(name));
    else this.#taken.set(keyOf(name), { workspace: name.workspace, lane: name.lane, count: taken });
  }
}

function keyOf({ workspace, lane }: LaneName): string {
  return `${workspace}\u0000${lane}`;
}
