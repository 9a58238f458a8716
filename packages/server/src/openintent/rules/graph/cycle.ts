/**
 * Finds out whether a new dependency would close a cycle. Searches breadth-first from both ends, one step at a time: upwards
 * from the dependency and downwards from the dependent, until either side has no more nodes. So the cost is that of the
 * smaller side.
 */

import type { Intent } from "../intent/intent.ts";
import type { Need, World } from "../world.ts";
import { dependentIds } from "./dependents.ts";
import { idsIn, pagedIdsNeeds } from "./paged-ids.ts";

export interface Search {
  /** Rows that must be loaded before the search can continue. */
  readonly wants: readonly Need[];
  readonly found: boolean;
}

interface Side {
  frontier: readonly string[];
  readonly seen: Set<string>;
  readonly goal: string;
  readonly next: (intent: Intent, world: World) => Step;
}

interface Step {
  readonly wants: readonly Need[];
  readonly ids: readonly string[];
}

export function searchCycle(dependent: string, dependency: string, world: World): Search {
  const up = side(dependency, dependent, (intent) => ({ wants: [], ids: intent.dependsOn }));
  const down = side(dependent, dependency, downward);
  while (up.frontier.length > 0 && down.frontier.length > 0) {
    const above = expand(up, world);
    const below = expand(down, world);
    const wants = [...above, ...below];
    if (wants.length > 0) return { wants, found: false };
    if (up.seen.has(up.goal) || down.seen.has(down.goal)) return { wants: [], found: true };
  }
  return { wants: [], found: false };
}

function side(from: string, goal: string, next: Side["next"]): Side {
  return { frontier: [from], seen: new Set([from]), goal, next };
}

function downward(intent: Intent, world: World): Step {
  const list = dependentIds(intent);
  const wants = pagedIdsNeeds(list).filter(({ id }) => world.version("roll", id) === 0);
  return { wants, ids: idsIn(list, world) };
}

/** One step. If rows are missing, it returns them as needs and the step is repeated once they are loaded. */
function expand(side: Side, world: World): readonly Need[] {
  const wants: Need[] = [];
  const found: string[] = [];
  for (const id of side.frontier) {
    const intent = world.get("intent", id);
    if (intent === undefined) {
      wants.push({ kind: "intent", id, read: true });
      continue;
    }
    const step = side.next(intent, world);
    wants.push(...step.wants);
    found.push(...step.ids);
  }
  if (wants.length > 0) return wants;
  side.frontier = [...new Set(found)].filter((id) => !side.seen.has(id));
  for (const id of side.frontier) side.seen.add(id);
  return [];
}
