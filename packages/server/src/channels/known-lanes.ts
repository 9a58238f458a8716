/** A bounded set of lanes. Beyond its bound, the workspace with the most lanes loses the one that was served longest ago. */

import type { LaneRoom } from "../store/port.ts";

type LaneName = Pick<LaneRoom, "workspace" | "lane">;

export class KnownLanes {
  readonly #max: number;
  /** The one that was served longest ago first. */
  readonly #lanes = new Map<string, LaneName>();
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  has(name: LaneName): boolean {
    return this.#lanes.has(keyOf(name));
  }

  /** The one that was served longest ago first. */
  names(): readonly LaneName[] {
    return [...this.#lanes.values()];
  }

  add({ workspace, lane }: LaneName): void {
    if (this.has({ workspace, lane })) return;
    this.#lanes.set(keyOf({ workspace, lane }), { workspace, lane });
    this.#count(workspace, 1);
    if (this.#lanes.size > this.#max) this.#forget();
  }

  delete(name: LaneName): void {
    if (this.#lanes.delete(keyOf(name))) this.#count(name.workspace, -1);
  }

  /** It is the last one in turn now. */
  served(name: LaneName): void {
    const key = keyOf(name);
    const known = this.#lanes.get(key);
    if (known === undefined || !this.#lanes.delete(key)) return;
    this.#lanes.set(key, known);
  }

  #forget(): void {
    const most = Math.max(...this.#counts.values());
    const isLargest = ({ workspace }: LaneName) => this.#counts.get(workspace) === most;
    const oldest = this.names().find(isLargest);
    if (oldest !== undefined) this.delete(oldest);
  }

  #count(workspace: string, change: number): void {
    const count = (this.#counts.get(workspace) ?? 0) + change;
    if (count === 0) this.#counts.delete(workspace);
    else this.#counts.set(workspace, count);
  }
}

function keyOf({ workspace, lane }: LaneName): string {
  return `${workspace}\u0000${lane}`;
}
