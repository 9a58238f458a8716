/** Reads holds. A hold past its time is expired before it is returned; reading changes nothing else (G6). */

import type { Entity } from "../kernel/entity.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import { isPast } from "../kernel/hold/hold.ts";
import { SYSTEM } from "../kernel/principal.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";

export class Holds {
  readonly #engine: Engine;
  readonly #feed: Feed;

  constructor(engine: Engine, feed: Feed) {
    this.#engine = engine;
    this.#feed = feed;
  }

  async get(workspace: string, id: string): Promise<Entity<Hold> | undefined> {
    const [found] = await this.#engine.store.load([{ workspace, kind: "hold", id, read: true }]);
    return found === undefined ? undefined : this.bringForward(found);
  }

  /** Expires a hold past its time before anybody sees it open. */
  async bringForward(entity: Entity<Hold>): Promise<Entity<Hold>> {
    if (!isPast(entity.body, this.#engine.clock.now())) return entity;
    const { workspace, id: holdId } = entity;
    const ticked = await this.#engine.run({ kind: "tick_hold", workspace, by: SYSTEM, holdId });
    return ticked.ok ? ticked.entity : entity;
  }

  /**
   * Returns the hold as soon as it is settled, or as it is after `waitMs`; `undefined` if the caller may not see it.
   * It registers before it reads, so an ending in between is not missed (F1).
   */
  async wait(
    workspace: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
    sees: (hold: Entity<Hold>) => boolean = () => true,
  ): Promise<Entity<Hold> | undefined> {
    let notify: (hold: Entity<Hold> | null) => void = () => undefined;
    const settled = new Promise<Entity<Hold> | null>((resolve) => {
      notify = resolve;
    });
    const forget = this.#feed.onSettled(workspace, id, notify);
    const giveUp = () => notify(null);
    signal.addEventListener("abort", giveUp, { once: true });
    let cancelTimer: () => void = () => undefined;
    try {
      const now = await this.get(workspace, id);
      if (now === undefined || !sees(now)) return undefined;
      if (now.body.status !== "open" || signal.aborted) return now;
      cancelTimer = this.#engine.clock.at(this.#engine.clock.now() + waitMs, giveUp);
      return (await settled) ?? (await this.get(workspace, id));
    } finally {
      cancelTimer();
      forget();
      signal.removeEventListener("abort", giveUp);
    }
  }
}
