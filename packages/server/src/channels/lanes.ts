/**
 * Divides the slots of the sender among lanes, so that receivers that answer late or never cannot take every slot.
 *
 * A lane is one host in one workspace, or one channel of the operator. It is in one pool, and each pool has a bound:
 *
 * - `channels`: up to `most` slots each. Channels together and hosts together leave some slots to each other.
 * - `silentChannels`: did not answer the last time; one slot each.
 * - `quick`: hosts whose last try got a response at once; up to `most` slots each. The other pools of hosts leave them some.
 * - `slow`: hosts that answered before, but late or not at all the last time; one slot each.
 * - `strangers`: all other hosts; one slot each. An agent can name thousands of them.
 *
 * In each pool lanes take turns. Lanes of workspaces with fewer tries under way come first.
 */

import { isChannelLane } from "../kernel/lane.ts";
import type { LaneRoom, LaneRooms } from "../store/port.ts";
import { KnownLanes } from "./known-lanes.ts";
import type { Response } from "./response.ts";

export type LaneName = Pick<LaneRoom, "workspace" | "lane">;

export interface LaneLimits {
  readonly most: number;
  /** The most tries to all channels together that answered the last time. */
  readonly channels: number;
  readonly silentChannels: number;
  /** The most tries to all hosts together. */
  readonly hosts: number;
  readonly strangers: number;
  readonly slow: number;
}

type Pool = "channels" | "silentChannels" | "strangers" | "slow" | "quick";

/** The order in which rows are claimed. Workspaces without a try to a stranger come before the others. */
export const CLAIMS = [
  "channels",
  "silentChannels",
  "otherWorkspaces",
  "strangers",
  "slow",
  "quick",
] as const satisfies readonly (Pool | "otherWorkspaces")[];

/** The most lanes that are remembered as quick, and as slow. */
const QUICK_MAX = 256;
const SLOW_MAX = 64;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #running = new Map<string, LaneName & { readonly count: number }>();
  readonly #quick = new KnownLanes(QUICK_MAX);
  readonly #slow = new KnownLanes(SLOW_MAX);
  /** There are few, because operators connect channels. */
  readonly #silentChannels = new KnownLanes(QUICK_MAX);

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Takes a slot even if the lane is full. The returned function frees it and returns `true` if other rows may wait for it. */
  enter(name: LaneName): () => boolean {
    const mostBefore = this.#mostOf(name);
    for (const known of [this.#quick, this.#slow, this.#silentChannels]) known.served(name);
    this.#add(name, 1);
    return () => {
      // Other lanes may wait for the slot of a lane that has only one, and its own rows may if it has more from now.
      const most = Math.min(mostBefore, this.#mostOf(name));
      const isWanted = most === 1 || this.#takenOf(name) >= most;
      this.#add(name, -1);
      return isWanted;
    };
  }

  hasRoom(name: LaneName): boolean {
    return this.#takenOf(name) < this.#mostOf(name) && this.#roomOf(this.#poolOf(name)) > 0;
  }

  /** A try ended. */
  ended(name: LaneName, response: Response): void {
    if (isChannelLane(name.lane)) {
      if (response === "none") this.#silentChannels.add(name);
      else this.#silentChannels.delete(name);
    } else if (response === "quick") {
      this.#slow.delete(name);
      this.#quick.add(name);
    } else if (response === "slow" || this.#quick.has(name)) {
      this.#quick.delete(name);
      this.#slow.add(name);
    }
  }

  /** How many slots hosts have left together. */
  get hostsRoom(): number {
    const taken = this.#takenBy((pool) => pool !== "channels" && pool !== "silentChannels");
    return this.#limits.hosts - taken;
  }

  /** How many slots channels that answered have left together. */
  get channelsRoom(): number {
    return this.#roomOf("channels");
  }

  /** What to claim at this step, and at most how many rows; `null` if no lane of it has a free slot. */
  claimOf(step: (typeof CLAIMS)[number]): { readonly most: number; readonly lanes: LaneRooms } | null {
    const pool = step === "otherWorkspaces" ? "strangers" : step;
    const most = this.#roomOf(pool);
    if (most <= 0) return null;
    switch (step) {
      case "channels": {
        const rooms = this.#roomsOf([...this.#runningIn("channels"), ...this.#silentChannels.names()], pool);
        return { most, lanes: { of: "channels", usual: this.#limits.most, rooms } };
      }
      case "otherWorkspaces": {
        const without = [...new Set(this.#runningIn("strangers").map(({ workspace }) => workspace))];
        return without.length === 0 ? null : { most, lanes: { ...this.#strangers(), without } };
      }
      case "strangers":
        return { most, lanes: this.#strangers() };
      default: {
        const rooms = this.#roomsOf(this.#inTurn(this.#known(step)), step).filter(({ room }) => room > 0);
        return rooms.length === 0 ? null : { most, lanes: { usual: 0, rooms } };
      }
    }
  }

  #strangers(): LaneRooms {
    const full = [...this.#quick.names(), ...this.#slow.names(), ...this.#runningIn("strangers")];
    const rooms = full.map(({ workspace, lane }) => ({ workspace, lane, room: 0 }));
    return { of: "hosts", usual: 1, rooms };
  }

  #known(pool: "silentChannels" | "slow" | "quick"): readonly LaneName[] {
    const known = { silentChannels: this.#silentChannels, slow: this.#slow, quick: this.#quick };
    return known[pool].names();
  }

  /** Lanes of the workspace with the fewest tries first, and of these the one that was served longest ago. */
  #inTurn(names: readonly LaneName[]): readonly LaneName[] {
    const tries = new Map<string, number>();
    for (const { workspace, count } of this.#running.values())
      tries.set(workspace, (tries.get(workspace) ?? 0) + count);
    const of = ({ workspace }: LaneName) => tries.get(workspace) ?? 0;
    return names.toSorted((a, b) => of(a) - of(b));
  }

  #roomsOf(names: readonly LaneName[], pool: Pool): readonly LaneRoom[] {
    return names.map(({ workspace, lane }) => {
      const isOther = this.#poolOf({ workspace, lane }) !== pool;
      const room = isOther ? 0 : this.#mostOf({ workspace, lane }) - this.#takenOf({ workspace, lane });
      return { workspace, lane, room };
    });
  }

  #poolOf(name: LaneName): Pool {
    if (isChannelLane(name.lane)) return this.#silentChannels.has(name) ? "silentChannels" : "channels";
    if (this.#quick.has(name)) return "quick";
    return this.#slow.has(name) ? "slow" : "strangers";
  }

  #mostOf(name: LaneName): number {
    const pool = this.#poolOf(name);
    return pool === "channels" || pool === "quick" ? this.#limits.most : 1;
  }

  /** How many slots the pool has left. */
  #roomOf(pool: Pool): number {
    if (pool === "quick") return this.hostsRoom;
    const left = this.#limits[pool] - this.#takenBy((other) => other === pool);
    return pool === "slow" || pool === "strangers" ? Math.min(left, this.hostsRoom) : left;
  }

  #runningIn(pool: Pool): readonly LaneName[] {
    return [...this.#running.values()].filter((name) => this.#poolOf(name) === pool);
  }

  #takenBy(isCounted: (pool: Pool) => boolean): number {
    let taken = 0;
    for (const name of this.#running.values()) if (isCounted(this.#poolOf(name))) taken += name.count;
    return taken;
  }

  #takenOf(name: LaneName): number {
    return this.#running.get(keyOf(name))?.count ?? 0;
  }

  #add(name: LaneName, count: number): void {
    const taken = this.#takenOf(name) + count;
    if (taken <= 0) this.#running.delete(keyOf(name));
    else this.#running.set(keyOf(name), { workspace: name.workspace, lane: name.lane, count: taken });
  }
}

function keyOf({ workspace, lane }: LaneName): string {
  return `${workspace}\u0000${lane}`;
}
