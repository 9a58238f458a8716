/** Names rules whose decision nobody can meet today: such a rule refuses every call that it asks about. */

import type { RulesOut } from "@holdpoint/protocol";
import type { DecisionRule, RuleSet } from "@holdpoint/protocol/gating";
import { ruleNeeds } from "../../kernel/decision/entitled.ts";
import { USUAL_RULE, whyUnfulfillable } from "../../kernel/decision/freeze.ts";
import type { Need, World } from "../../kernel/world.ts";
import { ownTurn } from "../../system/own-turn.ts";

type Warning = RulesOut["warnings"][number];

/** Loads rows of one workspace. */
export type Load = (
  wants: readonly Need[],
) => Promise<readonly { readonly kind: string; readonly id: string; readonly body: object }[]>;

/**
 * These are warnings, not errors: people of an identity provider may come later, and the other rules must be published meanwhile. Thousands of rules may
 * name large teams, so each decision is judged once, in an event-loop turn of its own (G13).
 */
export async function unmetRules({ rules }: RuleSet, load: Load): Promise<readonly Warning[]> {
  const ruled = rules.flatMap(({ decision }, rule) => (decision === undefined ? [] : [{ decision, rule }]));
  const people = new KnownPeople(load);
  const found: Warning[] = [];
  for (const same of Map.groupBy(ruled, ({ decision }) => JSON.stringify(decision)).values()) {
    const reason = await whyUnmet((same[0] as (typeof same)[number]).decision, people);
    if (reason !== undefined) found.push(...same.map(({ rule }) => warning(rule, reason)));
    await ownTurn();
  }
  return found.toSorted((one, other) => one.rule - other.rule);
}

async function whyUnmet(decision: DecisionRule, people: KnownPeople): Promise<unknown> {
  const world = await people.of(decision);
  return whyUnfulfillable({ ...USUAL_RULE, ...decision, excluded: [] }, world)?.detail?.["reason"];
}

function warning(rule: number, reason: unknown): Warning {
  const message = `Rule ${rule + 1} refuses every call that it asks about, because nobody can meet its decision: ${reason}.`;
  return { kind: "unfulfillable", rule, because_of: rule, message };
}

/** Loads each team and person once. */
class KnownPeople {
  readonly #load: Load;
  readonly #rows = new Map<string, object | undefined>();
  readonly #world: World = {
    get: (kind, id) => this.#rows.get(`${kind} ${id}`) as never,
    version: () => 0,
    attachments: { domains: {}, groups: [] },
  };

  constructor(load: Load) {
    this.#load = load;
  }

  /** Loads until the decision names nobody new, as the engine does for a command. */
  async of(decision: DecisionRule): Promise<World> {
    for (;;) {
      const missing = ruleNeeds(decision, this.#world).filter(
        ({ kind, id }) => !this.#rows.has(`${kind} ${id}`),
      );
      if (missing.length === 0) return this.#world;
      for (const { kind, id } of missing) this.#rows.set(`${kind} ${id}`, undefined);
      for (const { kind, id, body } of await this.#load(missing)) this.#rows.set(`${kind} ${id}`, body);
    }
  }
}
