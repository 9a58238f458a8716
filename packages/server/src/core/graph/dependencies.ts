/** Dependencies that come and go after an intent was made. They form no cycle, so whoever waits can be freed. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { ChangeDependency } from "../intent/commands.ts";
import { type Intent, isEnded } from "../intent/intent.ts";
import { whyStale } from "../intent/stale.ts";
import { begin, bump, tell } from "../intent/story.ts";
import { may, whyNot } from "../intent/who.ts";
import { must } from "../must.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import { searchCycle } from "./cycle.ts";
import { dependentsRoll, link, unlink } from "./dependents.ts";
import { unmetOf } from "./gate.ts";
import { moveNeeds } from "./needs.ts";
import { fitToDependencies } from "./react.ts";
import { joinNeeds, leaveNeeds } from "./roll.ts";

const DEPENDENCIES_MAX = 100;

export function dependencyNeeds(command: ChangeDependency, world: World): readonly Need[] {
  const { intentId, dependencyId } = command;
  const intent = world.get("intent", intentId);
  const dependency = world.get("intent", dependencyId);
  const needs: Need[] = [{ kind: "intent", id: dependencyId }];
  if (intent === undefined || dependency === undefined) return needs;
  needs.push(...moveNeeds(intent, world));
  if (command.kind === "remove_dependency") {
    return [...needs, ...leaveNeeds(dependentsRoll(dependency).of, intent.places?.[dependencyId] ?? 0)];
  }
  return [
    ...needs,
    ...joinNeeds(dependentsRoll(dependency)),
    ...searchCycle(intentId, dependencyId, world).wants,
  ];
}

export function changeDependency(
  command: ChangeDependency,
  intent: Intent,
  world: World,
  context: Context,
): Decision {
  const denied =
    whyNot(intent, command.by, "write", context.now) ??
    whyStale(intent, command.ifVersion) ??
    whyOver(intent);
  if (denied !== null) return refuse(denied);
  return command.kind === "add_dependency"
    ? add(command, intent, world, context)
    : remove(command, intent, world, context);
}

function whyOver(intent: Intent): Refusal | null {
  if (!isEnded(intent)) return null;
  const detail = { from: intent.status, to: "blocked" };
  return refusal("invalid_transition", "the intent is over", { detail });
}

function add(command: ChangeDependency, intent: Intent, world: World, { now }: Context): Decision {
  const { by, dependencyId: id } = command;
  const dependency = world.get("intent", id);
  if (dependency === undefined || !may(dependency, by, "read", now)) {
    return refuse(refusal("not_found", "the dependency is not there"));
  }
  const wrong = whyNotDepend(intent, id, world);
  if (wrong !== null) return refuse(wrong);
  const linked = link(dependency, intent.id, world);
  const isMet = dependency.status === "completed";
  const told = tell(bump(begin(intent, world, now, by)), {
    type: "dependency_added",
    payload: { dependency_id: id, version: intent.version + 1 },
    change: {
      dependsOn: [...intent.dependsOn, id],
      unmet: isMet ? unmetOf(intent) : [...unmetOf(intent), id],
      places: { ...intent.places, [id]: linked.page },
    },
    also: linked.changes,
  });
  return accept("intent", intent.id, fitToDependencies(told).facts);
}

function whyNotDepend(intent: Intent, id: string, world: World): Refusal | null {
  if (id === intent.id) return refusal("dependency_cycle", "an intent cannot depend on itself");
  if (intent.dependsOn.includes(id)) return refusal("duplicate_dependency", "it depends on this one already");
  if (intent.dependsOn.length >= DEPENDENCIES_MAX) {
    return refusal("too_many", `an intent depends on ${DEPENDENCIES_MAX} others at most`);
  }
  const above = whyAncestor(intent.path, [id]);
  if (above !== null || !searchCycle(intent.id, id, world).found) return above;
  return refusal("dependency_cycle", "the dependency waits for this intent itself");
}

/** Whoever is above waits for its children, so a child that waited for it would never end, nor would it. */
export function whyAncestor(path: readonly string[] = [], dependsOn: readonly string[]): Refusal | null {
  if (!dependsOn.some((id) => path.includes(id))) return null;
  return refusal("dependency_cycle", "an intent cannot depend on one that it is a part of");
}

function remove(command: ChangeDependency, intent: Intent, world: World, { now }: Context): Decision {
  const { by, dependencyId: id } = command;
  if (!intent.dependsOn.includes(id)) return refuse(refusal("not_found", "it does not depend on this one"));
  const { [id]: _page, ...places } = must(intent.places, "the place of a dependency");
  const others = (ids: readonly string[]) => ids.filter((other) => other !== id);
  const told = tell(bump(begin(intent, world, now, by)), {
    type: "dependency_removed",
    payload: { dependency_id: id, version: intent.version + 1 },
    change: { dependsOn: others(intent.dependsOn), unmet: others(unmetOf(intent)), places },
    also: [unlink(id, intent, world)],
  });
  return accept("intent", intent.id, fitToDependencies(told).facts);
}
