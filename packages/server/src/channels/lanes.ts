/**
 * Counts the running tries per lane, so that receivers that do not answer cannot take every slot.
 *
 * A lane is one host in one workspace. A lane whose last try was answered is heard from, and gets up to `most` slots. Every other
 * lane, whether it is new or did not answer, gets one slot, and all of them together get `strangersMost`: an agent that
 * registers thousands of hosts that never answer delays none that do. The operator's own channels count as heard from until one
 * does not answer.
 */

import { isChannelLane } from "../kernel/lane.ts";
import type { LaneRoom, LaneRooms } from "../store/port.ts";

export type LaneName = Pick<LaneRoom, "workspace" | "lane">;

export interface LaneLimits {
  readonly most: number;
  readonly strangersMost: number;
}

/** The most lanes that are remembered as heard from. Beyond that, those that answered longest ago are strangers again. */
const HEARD_MAX = 256;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #taken = new Map<string, LaneName & { readonly count: number }>();
  readonly #heard = new Map<string, LaneName>();
  /** Channels that did not answer the last time. There are few, because operators connect them. */
  readonly #silentChannels = new Set<string>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Takes a slot even if the lane is full. The returned function frees it and returns `true` if other rows may wait for it. */
  enter(name: LaneName): () => boolean {
    const wasHeard = this.#isHeard(name);
    if (isChannelLane(name.lane) && !this.#silentChannels.has(keyOf(name))) this.#hear(name);
    this.#add(name, 1);
    return () => {
      // Other strangers may wait for the slot of one, and its own rows may if it is heard from now.
      const isWanted = !wasHeard || !this.#isHeard(name) || this.#takenOf(name) >= this.#limits.most;
      this.#add(name, -1);
      return isWanted;
    };
  }

  hasRoom(name: LaneName): boolean {
    if (this.#isHeard(name)) return this.#takenOf(name) < this.#limits.most;
    return this.#takenOf(name) === 0 && this.strangersRoom > 0;
  }

  /** A try ended, with any answer or without one. */
  ended(name: LaneName, isAnswered: boolean): void {
    const key = keyOf(name);
    this.#silentChannels.delete(key);
    if (isAnswered) this.#hear(name);
    else {
      this.#heard.delete(key);
      if (isChannelLane(name.lane)) this.#silentChannels.add(key);
    }
  }

  #hear({ workspace, lane }: LaneName): void {
    const key = keyOf({ workspace, lane });
    this.#heard.delete(key);
    this.#heard.set(key, { workspace, lane });
    for (const oldest of this.#heard.keys()) {
      if (this.#heard.size <= HEARD_MAX) break;
      this.#heard.delete(oldest);
    }
  }

  /** The free slots of lanes that were heard from, and of no others. */
  heardRooms(): LaneRooms {
    const rooms = [...this.#heard.values()].map((name) => ({
      ...name,
      room: this.#limits.most - this.#takenOf(name),
    }));
    return { usual: 0, rooms };
  }

  /** The free slots of all other lanes. */
  strangerRooms(): LaneRooms {
    const strangers = [...this.#taken.values()].filter((name) => !this.#isHeard(name));
    const full = [...this.#heard.values(), ...strangers];
    return { usual: 1, rooms: full.map(({ workspace, lane }) => ({ workspace, lane, room: 0 })) };
  }

  /** How many slots all lanes that were not heard from have left together. */
  get strangersRoom(): number {
    let taken = 0;
    for (const [key, { count }] of this.#taken) if (!this.#heard.has(key)) taken += count;
    return this.#limits.strangersMost - taken;
  }

  #isHeard(name: LaneName): boolean {
    return this.#heard.has(keyOf(name));
  }

  #takenOf(name: LaneName): number {
    return this.#taken.get(keyOf(name))?.count ?? 0;
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
