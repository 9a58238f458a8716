/**
 * Finds out whether a new dependency would close a cycle of waiting: an intent waits for its dependencies, and a parent for its
 * children. Searches breadth-first from both ends, one step at a time: upwards from the dependency, and downwards from the
 * dependent to whatever waits for it. The downward side sees every edge. The upward side does not see children, because an
 * intent has no list of them; it settles the question only if none of its intents has any. Then the cost is that of the
 * smaller side.
 */

import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import type { Need, World } from "../world.ts";
import { dependentIds } from "./dependents.ts";
import { idsIn, pagedIdsNeeds } from "./paged-ids.ts";
import { childCountsId } from "./status-counts.ts";

/** Every step costs a load, and no other command is decided meanwhile, so a search follows no more than these (G13). */
const STEPS_MAX = 300;
const WALKED_MAX = 2_000;

interface Side {
  frontier: readonly string[];
  readonly seen: Set<string>;
  readonly goals: ReadonlySet<string>;
  steps: number;
  isMet: boolean;
  /** It passed an intent whose children it cannot follow. */
  isPartial: boolean;
  readonly next: (intent: Intent, world: World) => Next;
}

interface Next {
  readonly isPartial?: boolean;
  readonly wants: readonly Need[];
  readonly ids: readonly string[];
}

interface Walk {
  readonly up: Side;
  readonly down: Side;
  /** Those that both sides have made. */
  steps: number;
}

/** `unknown`: the search ended at its bound. */
type Found = boolean | "unknown";

/**
 * Rows to load before `searchCycle`. Asked again for the same command, it goes on where it stopped, so that a chain takes linear
 * time. Then everything is walked once more, because other commands may have changed what was passed.
 */
export function cycleNeeds(
  command: object,
  dependent: string,
  dependencies: readonly string[],
  world: World,
): readonly Need[] {
  const walk = BEGUN.get(command) ?? begin(dependent, dependencies);
  BEGUN.set(command, walk);
  const missing = goOn(walk, world);
  if (missing.length > 0) return missing;
  BEGUN.delete(command);
  const again = begin(dependent, dependencies);
  return [...goOn(again, world), ...countsNeeds(again.up.seen)];
}

const BEGUN = new WeakMap<object, Walk>();

/** Whether one of the dependencies waits for the dependent. */
export function searchCycle(dependent: string, dependencies: readonly string[], world: World): Found {
  const walk = begin(dependent, dependencies);
  goOn(walk, world);
  if (isMet(walk)) return true;
  return isOver(walk) ? false : "unknown";
}

function begin(dependent: string, dependencies: readonly string[]): Walk {
  const up = side(dependencies, [dependent], upward);
  const down = side([dependent], dependencies, downward);
  return { up, down, steps: 0 };
}

/** Walks until it ends or a row is missing, and returns what is missing. Neither side is a step ahead of the other. */
function goOn(walk: Walk, world: World): readonly Need[] {
  const { up, down } = walk;
  while (!isOver(walk) && !isMet(walk) && !isTooLong(walk)) {
    const { frontier } = up;
    const above = expand(up, walk.steps, world);
    const below = expand(down, walk.steps, world);
    const counts = above.length === 0 ? [] : countsNeeds(frontier);
    if (above.length > 0 || below.length > 0) return [...above, ...counts, ...below];
    walk.steps += 1;
  }
  return [];
}

function isMet({ up, down }: Walk): boolean {
  return up.isMet || down.isMet;
}

function isOver({ up, down }: Walk): boolean {
  return down.frontier.length === 0 || (up.frontier.length === 0 && !up.isPartial);
}

function isTooLong({ up, down, steps }: Walk): boolean {
  return steps >= STEPS_MAX || up.seen.size + down.seen.size > WALKED_MAX;
}

/** `message` is for a cycle that was found. */
export function whyCycle(found: Found, message: string): Failure | null {
  if (found === false) return null;
  if (found === true) return failure("dependency_cycle", message);
  const bounds = `${STEPS_MAX} in a row and ${WALKED_MAX} in all`;
  const unknown = `whether this would close a cycle is not known: too many intents depend on each other there. At most ${bounds} are followed. Remove dependencies that are no longer needed.`;
  return failure("too_many", unknown);
}

function side(from: readonly string[], goals: readonly string[], next: Side["next"]): Side {
  const begin = { frontier: from, seen: new Set(from), goals: new Set(goals) };
  return { ...begin, steps: 0, isMet: false, isPartial: false, next };
}

function upward({ id, dependsOn }: Intent, world: World): Next {
  return { wants: [], ids: dependsOn, isPartial: world.get("tally", childCountsId(id)) !== undefined };
}

/** Whether an intent has children is known by its counts, so that those of every intent on the upward side are loaded. */
function countsNeeds(ids: Iterable<string>): readonly Need[] {
  return Array.from(ids, (id) => ({ kind: "tally", id: childCountsId(id), read: true }));
}

/** Its dependents, and its parent. */
function downward(intent: Intent, world: World): Next {
  const list = dependentIds(intent);
  const wants = pagedIdsNeeds(list).filter(({ id }) => world.version("roll", id) === 0);
  const { parentId } = intent;
  return { wants, ids: [...idsIn(list, world), ...(parentId === undefined ? [] : [parentId])] };
}

/** One step after so many. If rows are missing, it returns them as needs and the step is repeated once they are loaded. */
function expand(side: Side, steps: number, world: World): readonly Need[] {
  if (side.steps > steps) return [];
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
  side.steps += 1;
  side.frontier = [...new Set(found)].filter((id) => !side.seen.has(id));
  for (const id of side.frontier) side.seen.add(id);
  side.isMet = side.frontier.some((id) => side.goals.has(id));
  return [];
}
