/**
 * Who has which hold open. It is kept in the servers' memory: it is worth nothing a minute later, and a server that
 * starts again learns it from the next heartbeat. Each server tells the others who looks through it.
 */

import type { Shared } from "../../store/port.ts";
import type { Clock } from "../../system/clock.ts";

const LOOKS_MS = 30_000;
/** Bounds the memory; the one who looked longest ago is forgotten first. */
const LOOKERS_MAX = 10_000;
/** Three names at their longest. */
const TOLD_MAX = 1_000;

export interface Looker {
  readonly name: string;
  readonly since: number;
}

interface Entry extends Looker {
  readonly until: number;
}

export class Lookers {
  readonly #clock: Pick<Clock, "now">;
  readonly #others: Pick<Shared, "tell" | "hear">;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Pick<Clock, "now">, others: Pick<Shared, "tell" | "hear">) {
    this.#clock = clock;
    this.#others = others;
    others.hear((text) => {
      const [workspace, holdId, name, ...more] = text.split("\n");
      // Every role of the database can send this.
      if (!workspace || !holdId || !name || more.length > 0 || text.length > TOLD_MAX) return;
      this.#note(prefixOf(workspace, holdId), name);
    });
  }

  /** Notes that somebody looks, and returns who else does. */
  look(workspace: string, holdId: string, name: string): readonly Looker[] {
    const now = this.#clock.now();
    const prefix = prefixOf(workspace, holdId);
    const own = this.#note(prefix, name);
    this.#others.tell(own);
    const others: Looker[] = [];
    for (const [key, entry] of this.#entries) {
      if (entry.until <= now) this.#entries.delete(key);
      else if (key !== own && key.startsWith(prefix)) others.push({ name: entry.name, since: entry.since });
    }
    return others;
  }

  #note(prefix: string, name: string): string {
    const now = this.#clock.now();
    const own = prefix + name;
    const known = this.#entries.get(own);
    this.#entries.delete(own);
    const since = known !== undefined && known.until > now ? known.since : now;
    this.#entries.set(own, { name, since, until: now + LOOKS_MS });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > LOOKERS_MAX && oldest !== undefined) this.#entries.delete(oldest);
    return own;
  }
}

function prefixOf(workspace: string, holdId: string): string {
  return `${workspace}\n${holdId}\n`;
}
