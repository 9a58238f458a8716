/**
 * Who has which hold open. It is kept in this server's memory: it is worth nothing a minute later, and a server that
 * starts again learns it from the next heartbeat.
 */

import type { Clock } from "../../system/clock.ts";

const LOOKS_MS = 30_000;
/** Bounds the memory; the one who looked longest ago is forgotten first. */
const LOOKERS_MAX = 10_000;

export interface Looker {
  readonly name: string;
  readonly since: number;
}

interface Entry extends Looker {
  readonly until: number;
}

export class Lookers {
  readonly #clock: Pick<Clock, "now">;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Notes that somebody looks, and returns who else does. */
  look(workspace: string, holdId: string, name: string): readonly Looker[] {
    const now = this.#clock.now();
    const prefix = `${workspace}\n${holdId}\n`;
    const own = prefix + name;
    const known = this.#entries.get(own);
    this.#entries.delete(own);
    const since = known !== undefined && known.until > now ? known.since : now;
    this.#entries.set(own, { name, since, until: now + LOOKS_MS });
    const others: Looker[] = [];
    for (const [key, entry] of this.#entries) {
      if (entry.until <= now || this.#entries.size > LOOKERS_MAX) this.#entries.delete(key);
      else if (key !== own && key.startsWith(prefix)) others.push({ name: entry.name, since: entry.since });
    }
    return others;
  }
}
