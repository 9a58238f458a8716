/** Names rules whose decision nobody can meet today: such a rule refuses every call that it asks about. */

import type { RulesOut } from "@holdpoint/protocol";
import type { RuleSet } from "@holdpoint/protocol/gating";
import type { Kind } from "../../domains.ts";
import { ruleNeeds } from "../../kernel/decision/entitled.ts";
import { USUAL_RULE, whyUnfulfillable } from "../../kernel/decision/freeze.ts";
import type { Need, World } from "../../kernel/world.ts";
import type { Store } from "../../store/port.ts";

type Warning = RulesOut["warnings"][number];

/** They are no errors: people of an identity provider may come later, and other rules must be published meanwhile. */
export async function unmetRules(
  { rules }: RuleSet,
  workspace: string,
  store: Store,
): Promise<readonly Warning[]> {
  const ruled = rules.flatMap(({ decision }, rule) => (decision === undefined ? [] : [{ decision, rule }]));
  const needs = (world: World) => ruled.flatMap(({ decision }) => ruleNeeds(decision, world));
  const world = await worldWith(needs, workspace, store);
  return ruled.flatMap(({ decision, rule }): readonly Warning[] => {
    const frozen = { ...USUAL_RULE, ...decision, excluded: [] };
    const reason = whyUnfulfillable(frozen, world)?.detail?.["reason"];
    if (reason === undefined) return [];
    const message = `Rule ${rule + 1} refuses every call that it asks about, because nobody can meet its decision: ${reason}.`;
    return [{ kind: "unfulfillable", rule, because_of: rule, message }];
  });
}

/** Loads until `needs` names nothing new, as the engine does for a command. */
async function worldWith(
  needs: (world: World) => readonly Need[],
  workspace: string,
  store: Store,
): Promise<World> {
  const rows = new Map<string, object | undefined>();
  const world: World = {
    get: (kind, id) => rows.get(`${kind} ${id}`) as never,
    version: () => 0,
    attachments: { domains: {}, groups: [] },
  };
  for (;;) {
    const missing = needs(world).filter(({ kind, id }) => !rows.has(`${kind} ${id}`));
    if (missing.length === 0) return world;
    const wants = missing.map(({ kind, id }) => ({ workspace, kind: kind as Kind, id, read: true }) as const);
    for (const { kind, id } of missing) rows.set(`${kind} ${id}`, undefined);
    for (const { kind, id, body } of await store.load(wants)) rows.set(`${kind} ${id}`, body);
  }
}
