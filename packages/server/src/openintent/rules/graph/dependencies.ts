/** Adds and removes dependencies of an existing intent. Cycles are refused, so every waiting intent can be unblocked. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { ChangeDependency } from "../intent/commands.ts";
import { type Intent, isEnded } from "../intent/intent.ts";
import { append, begin, nextVersion } from "../intent/intent-log.ts";
import { whyStale } from "../intent/stale.ts";
import { may, whyNot } from "../intent/who.ts";
import type { Draft, Need, World } from "../world.ts";
import { cycleNeeds, searchCycle, whyCycle } from "./cycle.ts";
import { dependentIds, link, linkNeeds, unlink, whyCrowded } from "./dependents.ts";
import { unmetOf } from "./gate.ts";
import { moveNeeds } from "./needs.ts";
import { leaveNeeds } from "./paged-ids.ts";
import { fitToDependencies } from "./react.ts";

const DEPENDENCIES_MAX = 100;

export function dependencyNeeds(command: ChangeDependency, world: World): readonly Need[] {
  const { intentId, dependencyId } = command;
  const intent = world.get("intent", intentId);
  const dependency = world.get("intent", dependencyId);
  const needs: Need[] = [{ kind: "intent", id: dependencyId }];
  if (intent === undefined || dependency === undefined) return needs;
  needs.push(...moveNeeds(intent, world));
  if (command.kind === "remove_dependency") {
    return [...needs, ...leaveNeeds(dependentIds(dependency).of, intent.places?.[dependencyId] ?? 0)];
  }
  return [...needs, ...linkNeeds(dependency, world), ...cycleNeeds(command, intentId, [dependencyId], world)];
}

export function changeDependency(
  command: ChangeDependency,
  intent: Intent,
  draft: Draft,
  context: Context,
): Reply {
  const denied =
    whyNot(intent, command.by, "write", context.now) ??
    whyStale(intent, command.ifVersion) ??
    whyOver(intent);
  if (denied !== null) return refuse(denied);
  return command.kind === "add_dependency"
    ? add(command, intent, draft, context)
    : remove(command, intent, draft, context);
}

function whyOver(intent: Intent): Failure | null {
  if (!isEnded(intent)) return null;
  const detail = { from: intent.status, to: "blocked" };
  return failure("invalid_transition", "the intent has ended, so its dependencies cannot change", { detail });
}

function add(command: ChangeDependency, intent: Intent, draft: Draft, { now }: Context): Reply {
  const { by, dependencyId: id } = command;
  const dependency = draft.get("intent", id);
  if (dependency === undefined || !may(dependency, by, "read", now)) {
    return refuse(
      failure("not_found", "There is no intent with the dependency's id, or this key may not read it."),
    );
  }
  const wrong = whyNotDepend(intent, dependency, draft);
  if (wrong !== null) return refuse(wrong);
  const linked = link(dependency, intent.id, draft);
  const isMet = dependency.status === "completed";
  const log = append(nextVersion(begin(intent, draft, now, by)), {
    type: "dependency_added",
    payload: { dependency_id: id, version: intent.version + 1 },
    change: {
      dependsOn: [...intent.dependsOn, id],
      unmet: isMet ? unmetOf(intent) : [...unmetOf(intent), id],
      places: { ...intent.places, ...(linked.page === undefined ? {} : { [id]: linked.page }) },
    },
    also: linked.changes,
  });
  fitToDependencies(log);
  return accept(intent.id);
}

function whyNotDepend(intent: Intent, dependency: Intent, world: World): Failure | null {
  const { id } = dependency;
  if (id === intent.id) return failure("dependency_cycle", "an intent cannot depend on itself");
  if (intent.dependsOn.includes(id))
    return failure("duplicate_dependency", "the intent already depends on this one");
  if (intent.dependsOn.length >= DEPENDENCIES_MAX) {
    return failure("too_many", `an intent can depend on at most ${DEPENDENCIES_MAX} others`);
  }
  return (
    whyAncestor(intent.path, [id]) ??
    whyCrowded(dependency, world) ??
    whyCycle(
      searchCycle(intent.id, [id], world),
      "the dependency already waits for this intent, directly or through others",
    )
  );
}

/** An ancestor completes only after its children. A child that depended on its ancestor would deadlock both. */
export function whyAncestor(path: readonly string[] = [], dependsOn: readonly string[]): Failure | null {
  if (!dependsOn.some((id) => path.includes(id))) return null;
  return failure("dependency_cycle", "an intent cannot depend on one of its own ancestors");
}

function remove(command: ChangeDependency, intent: Intent, draft: Draft, { now }: Context): Reply {
  const { by, dependencyId: id } = command;
  if (!intent.dependsOn.includes(id))
    return refuse(failure("not_found", "the intent does not depend on this one"));
  const { [id]: _page, ...places } = intent.places ?? {};
  const others = (ids: readonly string[]) => ids.filter((other) => other !== id);
  const log = append(nextVersion(begin(intent, draft, now, by)), {
    type: "dependency_removed",
    payload: { dependency_id: id, version: intent.version + 1 },
    change: { dependsOn: others(intent.dependsOn), unmet: others(unmetOf(intent)), places },
    also: unlink(id, intent, draft),
  });
  fitToDependencies(log);
  return accept(intent.id);
}
