/** Reads intents. Reading applies timers that are already due, and changes nothing else (G6). */

import type { EntityOf } from "../../domains.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Hold, isPast } from "../../kernel/hold/hold.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { type Intent, openSuspension } from "../rules/intent/intent.ts";
import { intentDueAt } from "../rules/intent/tick.ts";

/** An intent with every hold that suspended it, keyed by hold id. */
export interface SeenIntent {
  readonly intent: EntityOf<"intent">;
  readonly holds: ReadonlyMap<string, Hold>;
}

/** The end of a hold can make another timer due, so the check is repeated a few times. */
const TRIES_MAX = 4;

/**
 * What is left behind follows at once, so that after so long its timer is gone: an earlier version that serves the same database
 * takes it away when it writes the intent.
 */
const FORGOTTEN_MS = 10_000;

export class Intents {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async get(workspace: string, id: string): Promise<SeenIntent | undefined> {
    const [seen] = await this.see([await this.#load(workspace, id)].filter((found) => found !== undefined));
    return seen;
  }

  /** Each intent with its holds, after applying the timers that are due. */
  async see(found: readonly EntityOf<"intent">[]): Promise<readonly SeenIntent[]> {
    const holds = await this.#holdsOf(found);
    const now = this.#engine.clock.now();
    return Promise.all(
      found.map(async (intent) => {
        const seen = { intent, holds: holds(intent) };
        return isDue(seen, now) ? this.#bringForward(seen) : seen;
      }),
    );
  }

  async #bringForward(seen: SeenIntent): Promise<SeenIntent> {
    const { workspace, id: intentId } = seen.intent;
    let now = seen;
    for (let tries = 1; tries < TRIES_MAX && isDue(now, this.#engine.clock.now()); tries += 1) {
      await this.#engine.run({ kind: "tick_intent", workspace, by: SYSTEM, intentId });
      const again = await this.#load(workspace, intentId);
      if (again === undefined) return now;
      now = { intent: again, holds: (await this.#holdsOf([again]))(again) };
    }
    return now;
  }

  async #load(workspace: string, id: string): Promise<EntityOf<"intent"> | undefined> {
    const [found] = await this.#engine.store.load([{ workspace, kind: "intent", id, read: true }]);
    return found;
  }

  async #holdsOf(
    intents: readonly EntityOf<"intent">[],
  ): Promise<(intent: EntityOf<"intent">) => ReadonlyMap<string, Hold>> {
    const wants = intents.flatMap((intent) =>
      holdIdsOf(intent.body).map(
        (id) => ({ workspace: intent.workspace, kind: "hold", id, read: true }) as const,
      ),
    );
    const found = wants.length === 0 ? [] : await this.#engine.store.load(wants);
    const holds = new Map(found.map(({ id, body }) => [id, body]));
    return ({ body }) =>
      new Map(
        holdIdsOf(body).flatMap((id) => {
          const hold = holds.get(id);
          return hold === undefined ? [] : [[id, hold] as const];
        }),
      );
  }
}

function holdIdsOf({ suspension, history }: Intent): readonly string[] {
  return [...history, ...(suspension === undefined ? [] : [suspension])].map(({ holdId }) => holdId);
}

function isDue({ intent, holds }: SeenIntent, now: number): boolean {
  const ref = openSuspension(intent.body);
  const hold = ref === undefined ? undefined : holds.get(ref.holdId);
  if (hold !== undefined && isPast(hold, now)) return true;
  // What follows the intent is not part of it: a reader does not wait for it, unless nothing goes on with it.
  const { behind, ...body } = intent.body;
  if (behind !== undefined && behind.at + FORGOTTEN_MS <= now) return true;
  return (intentDueAt(body) ?? Number.POSITIVE_INFINITY) <= now;
}
