/**
 * Finds out whether a new dependency would close a cycle of waiting: an intent waits for its dependencies, and a parent for its
 * children. Searches breadth-first from both ends, one step at a time: upwards from the dependency, and downwards from the
 * dependent to whatever waits for it. The downward side sees every edge. The upward side does not see children, because an
 * intent has no list of them; it settles the question only if none of its intents has any. Then the cost is that of the
 * smaller side.
 */

import type { Intent } from "../intent/intent.ts";
import type { Need, World } from "../world.ts";
import { dependentIds } from "./dependents.ts";
import { idsIn, pagedIdsNeeds } from "./paged-ids.ts";
import { childCountsId } from "./status-counts.ts";

export interface Search {
  /** Rows that must be loaded before the search can continue. */
  readonly wants: readonly Need[];
  readonly found: boolean;
}

interface Side {
  frontier: readonly string[];
  readonly seen: Set<string>;
  readonly goal: string;
  /** It passed an intent whose children it cannot follow. */
  isPartial: boolean;
  readonly next: (intent: Intent, world: World) => Step;
}

interface Step {
  readonly isPartial?: boolean;
  readonly wants: readonly Need[];
  readonly ids: readonly string[];
}

export function searchCycle(dependent: string, dependency: string, world: World): Search {
  const up = side(dependency, dependent, upward);
  const down = side(dependent, dependency, downward);
  while (down.frontier.length > 0 && (up.frontier.length > 0 || up.isPartial)) {
    const above = expand(up, world);
    const below = expand(down, world);
    const wants = [...above, ...below];
    if (wants.length > 0) return { wants: [...wants, ...countsNeeds(up)], found: false };
    if (up.seen.has(up.goal) || down.seen.has(down.goal)) return { wants: countsNeeds(up), found: true };
  }
  return { wants: countsNeeds(up), found: false };
}

function side(from: string, goal: string, next: Side["next"]): Side {
  return { frontier: [from], seen: new Set([from]), goal, isPartial: false, next };
}

function upward({ id, dependsOn }: Intent, world: World): Step {
  return { wants: [], ids: dependsOn, isPartial: world.get("tally", childCountsId(id)) !== undefined };
}

/** Whether an intent has children is known by its counts, so that those of every intent on the upward side are loaded. */
function countsNeeds({ seen }: Side): readonly Need[] {
  return [...seen].map((id) => ({ kind: "tally", id: childCountsId(id), read: true }));
}

/** Its dependents, and its parent. */
function downward(intent: Intent, world: World): Step {
  const list = dependentIds(intent);
  const wants = pagedIdsNeeds(list).filter(({ id }) => world.version("roll", id) === 0);
  const { parentId } = intent;
  return { wants, ids: [...idsIn(list, world), ...(parentId === undefined ? [] : [parentId])] };
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
    if (step.isPartial === true) side.isPartial = true;
    wants.push(...step.wants);
    found.push(...step.ids);
  }
  if (wants.length > 0) return wants;
  side.frontier = [...new Set(found)].filter((id) => !side.seen.has(id));
  for (const id of side.frontier) side.seen.add(id);
  return [];
}
