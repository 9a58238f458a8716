/**
 * Counts who is under way to where, so that a receiver that does not answer cannot take every slot.
 *
 * A lane is one host as one workspace knows it. A lane whose last try got no answer is slow: it gets one slot until somebody
 * answers there again, and all slow lanes together get `slowMost`, so that the rest is always free for the others.
 */

import type { LaneRoom } from "../store/port.ts";

export type LaneName = Pick<LaneRoom, "workspace" | "lane">;

export interface LaneLimits {
  readonly most: number;
  readonly slowMost: number;
}

/** The slow lanes that are remembered; of more than that, those found slow first are tried as if they were not. */
const SLOW_MAX = 256;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #taken = new Map<string, LaneName & { readonly count: number }>();
  readonly #slow = new Map<string, LaneName>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Takes a slot of the lane, whether or not there is room. Returns how to leave it: `true` if others may wait for the slot. */
  enter(name: LaneName): () => boolean {
    this.#add(name, 1);
    return () => {
      const isAwaited = this.#slow.has(keyOf(name)) || this.#takenOf(name) >= this.#limits.most;
      this.#add(name, -1);
      return isAwaited;
    };
  }

  hasRoom(name: LaneName): boolean {
    const isSlow = this.#slow.has(keyOf(name));
    if (isSlow && this.#slowTaken() >= this.#limits.slowMost) return false;
    return this.#takenOf(name) < (isSlow ? 1 : this.#limits.most);
  }

  /** A try ended, with an answer of whatever kind or without one. */
  ended(name: LaneName, isAnswered: boolean): void {
    this.#slow.delete(keyOf(name));
    if (isAnswered) return;
    this.#slow.set(keyOf(name), { workspace: name.workspace, lane: name.lane });
    for (const key of this.#slow.keys()) {
      if (this.#slow.size <= SLOW_MAX) break;
      this.#slow.delete(key);
    }
  }

  /** How many more may enter each lane that is not empty or slow. Slow lanes take turns in having room. */
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
