/** The reverse index of dependencies: every intent lists the intents that depend on it, so that a change can reach them. */

import { type Failure, failure } from "../failure.ts";
import { type Intent, isEnded } from "../intent/intent.ts";
import type { Change, Draft, Need, World } from "../world.ts";
import { idsIn, join, joinNeeds, leave, type PagedIds, pagedIdsNeeds, replace } from "./paged-ids.ts";
import { hasLoaded, needsInBatches } from "./small-batches.ts";
import { countNeeds } from "./status-counts.ts";

export function dependentIds({ id, dependentPages = 0 }: Pick<Intent, "id" | "dependentPages">): PagedIds {
  return { of: `dependents\n${id}`, pages: dependentPages };
}

/** The dependents that were loaded, and the ids of those for which the batch had no room. */
export function loadedOf(ids: readonly string[], draft: Draft) {
  const isLoaded = (id: string) => hasLoaded(dependentNeeds(id, draft), draft);
  const { found = [], left = [] } = Object.groupBy(ids, (id) => (isLoaded(id) ? "found" : "left"));
  const dependents = found.map((id) => draft.get("intent", id));
  return { dependents: dependents.filter((dependent) => dependent !== undefined), left };
}

/** Loads every dependent, with the counts and portfolios that a change of the dependent updates, as far as there is room. */
export function dependentsNeeds(intent: Intent, world: World): readonly Need[] {
  const list = dependentIds(intent);
  return [...pagedIdsNeeds(list), ...followersNeeds(idsIn(list, world), world)];
}

export function followersNeeds(ids: readonly string[], world: World): readonly Need[] {
  return needsInBatches(ids, (id) => dependentNeeds(id, world));
}

function* dependentNeeds(id: string, world: World): Iterable<Need> {
  yield { kind: "intent", id };
  const intent = world.get("intent", id);
  if (intent !== undefined) yield* [...portfolioReadNeeds(intent), ...countNeeds(intent)];
}

/** The portfolios whose subscribers are notified of this intent's events. */
export function portfolioReadNeeds({ portfolios = [] }: Intent): readonly Need[] {
  return portfolios.map((id) => ({ kind: "portfolio", id, read: true }) as const);
}

/** The most intents that can depend on one: a change of it reaches all of them in one commit (G13). */
const DEPENDENTS_MAX = 1_000;

/**
 * Rows to load before an intent may depend on this one: they say how many do. Where the list is full, also those that depend on
 * it, because some may have ended.
 */
export function linkNeeds(dependency: Intent, world: World): readonly Need[] {
  const list = dependentIds(dependency);
  const ids = idsIn(list, world);
  if (isEnded(dependency) || ids.length < DEPENDENTS_MAX) return joinNeeds(list);
  return [...joinNeeds(list), ...ids.map((id) => ({ kind: "intent", id, read: true }) as const)];
}

/** Changes reach only those that have not ended, and none comes from an intent that has ended itself. */
export function whyCrowded(dependency: Intent, world: World): Failure | null {
  if (isEnded(dependency)) return null;
  const ids = idsIn(dependentIds(dependency), world);
  if (ids.length < DEPENDENTS_MAX) return null;
  if (ids.filter((id) => !hasEnded(id, world)).length < DEPENDENTS_MAX) return null;
  const message = `${DEPENDENTS_MAX} intents already depend on ${dependency.id}, which is the maximum. Depend on an intent between the two.`;
  return failure("too_many", message);
}

function hasEnded(id: string, world: World): boolean {
  const intent = world.get("intent", id);
  return intent === undefined || isEnded(intent);
}

export interface Linked {
  /** The page of the dependency's list that holds the dependent's id; absent: the list is full and nothing will reach the dependent. */
  readonly page?: number;
  readonly changes: readonly Change[];
}

export function link(dependency: Intent, dependentId: string, world: World): Linked {
  const list = dependentIds(dependency);
  if (idsIn(list, world).length >= DEPENDENTS_MAX) {
    if (isEnded(dependency)) return { changes: [] };
    const { page, change } = replace(list, dependentId, (id) => hasEnded(id, world), world);
    return { page, changes: [change] };
  }
  const { page, pages, change } = join(list, dependentId, world);
  const grown: Change = {
    kind: "intent",
    id: dependency.id,
    body: { ...dependency, dependentPages: pages },
  };
  return { page, changes: pages === dependency.dependentPages ? [change] : [change, grown] };
}

export function unlink(dependencyId: string, dependent: Intent, world: World): readonly Change[] {
  const page = dependent.places?.[dependencyId];
  return page === undefined ? [] : [leave(dependentIds({ id: dependencyId }).of, page, dependent.id, world)];
}
