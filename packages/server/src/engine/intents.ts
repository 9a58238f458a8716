/** Reading intents: what the clock has already decided is brought forward first, nothing else ever changes (G6). */

import type { Command } from "../core/decide.ts";
import type { Entity } from "../core/entity.ts";
import { type Hold, isPast } from "../core/hold/hold.ts";
import type { IntentCommand } from "../core/intent/commands.ts";
import { type Intent, openSuspension } from "../core/intent/intent.ts";
import { intentDueAt } from "../core/intent/tick.ts";
import { SYSTEM } from "../core/principal.ts";
import type { Engine, Result } from "./engine.ts";

/** An intent with the holds it was suspended by, by hold id. */
export interface SeenIntent {
  readonly intent: Entity<Intent>;
  readonly holds: ReadonlyMap<string, Hold>;
}

/** A hold's end may bring more to light that is due; after that there is nothing left. */
const TRIES_MAX = 4;

export class Intents {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Runs a command as soon as the clock has had its say. */
  async run(command: Extract<Command, IntentCommand>): Promise<Result> {
    let result = await this.#engine.run(command);
    for (let tries = 1; tries < TRIES_MAX && cameDue(result); tries += 1)
      result = await this.#engine.run(command);
    return result;
  }

  async get(workspace: string, id: string): Promise<SeenIntent | undefined> {
    const [seen] = await this.see([await this.#load(workspace, id)].filter((found) => found !== undefined));
    return seen;
  }

  /** Each with its holds, none as it was before its time had come. */
  async see(found: readonly Entity<Intent>[]): Promise<readonly SeenIntent[]> {
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

  async #load(workspace: string, id: string): Promise<Entity<Intent> | undefined> {
    const [found] = await this.#engine.store.load([{ workspace, kind: "intent", id, read: true }]);
    return found as unknown as Entity<Intent> | undefined;
  }

  async #holdsOf(
    intents: readonly Entity<Intent>[],
  ): Promise<(intent: Entity<Intent>) => ReadonlyMap<string, Hold>> {
    const wants = intents.flatMap((intent) =>
      holdIdsOf(intent.body).map(
        (id) => ({ workspace: intent.workspace, kind: "hold", id, read: true }) as const,
      ),
    );
    const found = wants.length === 0 ? [] : await this.#engine.store.load(wants);
    const holds = new Map(found.map(({ id, body }) => [id, body as unknown as Hold]));
    return ({ body }) =>
      new Map(
        holdIdsOf(body).flatMap((id) => {
          const hold = holds.get(id);
          return hold === undefined ? [] : [[id, hold] as const];
        }),
      );
  }
}

function cameDue(result: Result): boolean {
  return !result.ok && result.refusal.code === "came_due";
}

function holdIdsOf({ suspension, history }: Intent): readonly string[] {
  return [...history, ...(suspension === undefined ? [] : [suspension])].map(({ holdId }) => holdId);
}

function isDue({ intent, holds }: SeenIntent, now: number): boolean {
  const ref = openSuspension(intent.body);
  const hold = ref === undefined ? undefined : holds.get(ref.holdId);
  if (hold !== undefined && isPast(hold, now)) return true;
  return (intentDueAt(intent.body) ?? Number.POSITIVE_INFINITY) <= now;
}
