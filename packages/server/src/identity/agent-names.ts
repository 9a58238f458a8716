/**
 * Checks the names that a key for any agent (`agent:*`) may act under. A name that belongs to an app or a person is refused:
 * the agent would see the app's holds, and would be taken for the person wherever names are compared (G7).
 */

import type { Engine } from "../engine/engine.ts";
import type { ApiKey } from "../kernel/access/access.ts";
import type { KeyRole } from "../kernel/principal.ts";

interface NamedKey {
  readonly role: KeyRole;
  readonly name: string;
  readonly workspace: string;
}

export interface AgentNamesOptions {
  readonly engine: Engine;
  readonly keys: readonly NamedKey[];
  readonly people?: readonly string[];
}

/** One name may have keys of several roles. A name with more keys than this is a mistake, and the first page shows it. */
const KEYS_OF_A_NAME = 200;
const CACHE_MS = 5_000;
const CACHED_MAX = 10_000;

export class AgentNames {
  readonly #engine: Engine;
  readonly #taken: ReadonlySet<string>;
  readonly #people: ReadonlySet<string>;
  readonly #remembered = new Map<string, { readonly isFree: boolean; readonly until: number }>();
  /** How often `forget` has cleared the cache. */
  #clearings = 0;

  constructor({ engine, keys, people = [] }: AgentNamesOptions) {
    this.#engine = engine;
    this.#people = new Set(people);
    const others = keys.filter(({ role }) => role !== "agent");
    this.#taken = new Set(others.map(({ workspace, name }) => placeOf(workspace, name)));
  }

  /** Whether no key of another role, no console session and no configured or stored person has this name. */
  async isFree(workspace: string, name: string): Promise<boolean> {
    const place = placeOf(workspace, name);
    const now = this.#engine.clock.now();
    const remembered = this.#remembered.get(place);
    if (remembered !== undefined && remembered.until > now) return remembered.isFree;
    const clearings = this.#clearings;
    const isFree =
      !this.#people.has(name) && !this.#taken.has(place) && (await this.#isFreeInStore(workspace, name));
    // A name that was looked up before the cache was cleared may have been given to an app or a person meanwhile.
    if (clearings !== this.#clearings) return isFree;
    if (this.#remembered.size >= CACHED_MAX) this.#remembered.clear();
    this.#remembered.set(place, { isFree, until: now + CACHE_MS });
    return isFree;
  }

  /** Clears the cache, because a key, session or person changed. */
  forget(): void {
    this.#remembered.clear();
    this.#clearings += 1;
  }

  async #isFreeInStore(workspace: string, name: string): Promise<boolean> {
    const { store } = this.#engine;
    const index = { name: "name", value: name };
    const [keys, sessions, people] = await Promise.all([
      store.query({ workspace, kind: "api_key", index, limit: KEYS_OF_A_NAME }),
      store.query({ workspace, kind: "session", index, limit: 1 }),
      store.load([{ workspace, kind: "person", id: name, read: true }]),
    ]);
    const isOthers = keys.some(({ body }) => (body as ApiKey).role !== "agent");
    return !isOthers && sessions.length === 0 && people.length === 0;
  }
}

function placeOf(workspace: string, name: string): string {
  return `${workspace}\u0000${name}`;
}
