/** Publishes a set of rules as the next version. */

import { checkRules, type DecisionRule, type RuleSet } from "@holdpoint/protocol/gating";
import { type Problem, sameJson } from "@holdpoint/protocol/rules";
import { whyStale } from "../access/fresh.ts";
import type { Context } from "../context.ts";
import { ruleNeeds } from "../decision/entitled.ts";
import { whyUnknown } from "../decision/freeze.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { actorText, mayManage } from "../principal.ts";
import type { Need, World } from "../world.ts";
import type { PublishRules } from "./commands.ts";
import { CURRENT, rulesIn, versionId } from "./gating.ts";

/** The rules that say who must agree, with their place in the set. */
function decisionsOf({ rules }: RuleSet): readonly (readonly [number, DecisionRule])[] {
  return rules.flatMap(({ decision }, at) => (decision === undefined ? [] : [[at, decision] as const]));
}

export function publishNeeds({ set }: PublishRules, world: World): readonly Need[] {
  const version = world.get("rules", CURRENT)?.version ?? 0;
  return [
    { kind: "rules", id: CURRENT },
    ...(version === 0 ? [] : [{ kind: "rules_version", id: versionId(version), read: true } as const]),
    { kind: "rules_version", id: versionId(version + 1) },
    ...decisionsOf(set).flatMap(([, decision]) => ruleNeeds(decision, world)),
  ];
}

/** A rule that names somebody who does not exist would refuse every call that it asks about. */
function unknownPeople(set: RuleSet, world: World): readonly Problem[] {
  return decisionsOf(set).flatMap(([at, decision]) => {
    const problems = whyUnknown(decision, world)?.problems ?? [];
    return problems.map((problem) => ({ ...problem, key: `/rules/${at}${problem.key}` }));
  });
}

export function publishRules(command: PublishRules, draft: Draft, context: Context): Reply {
  const { by, set, source, note, ifVersion } = command;
  if (!mayManage(by) && by.role !== "system")
    return refuse(
      failure("not_allowed", `a key with the role ${by.role} may not publish rules; use an admin key`),
    );
  const stale = whyStale(by, context.now);
  if (stale !== null) return refuse(stale);
  const { version, set: before } = rulesIn(draft);
  // The configuration file is a seed: what people published since stays.
  if (source === "config" && draft.get("rules", CURRENT)?.source === "api")
    return { ok: true, id: CURRENT, fresh: false };
  if (ifVersion !== undefined && ifVersion !== version)
    return refuse(
      failure("precondition_failed", `the rules are at version ${version} now; read them again and repeat`),
    );
  const problems = [...checkRules(set, context.judge), ...unknownPeople(set, draft)];
  if (problems.length > 0)
    return refuse(
      failure("invalid_rules", "the rules contain errors, so nothing was published; see `fields`", {
        problems,
      }),
    );
  if (version > 0 && sameJson(before, set)) return { ok: true, id: CURRENT, fresh: false };
  const published = {
    version: version + 1,
    set,
    source,
    publishedAt: context.now,
    publishedBy: actorText(by),
    ...(note === undefined ? {} : { note }),
  };
  const fact = { type: "rules.published", published, digest: context.digest(set, "") } as const;
  draft.state({ kind: "rules", id: CURRENT, fact, at: context.now, actor: actorText(by) });
  return accept(CURRENT);
}
