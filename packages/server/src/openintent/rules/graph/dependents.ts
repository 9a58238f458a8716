/** The reverse index of dependencies: every intent lists the intents that depend on it, so that a change can reach them. */

import { must } from "../../../kernel/must.ts";
import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import type { Change, Need, World } from "../world.ts";
import { idsIn, join, joinNeeds, leave, type PagedIds, pagedIdsNeeds } from "./paged-ids.ts";
import { countNeeds } from "./status-counts.ts";

export function dependentIds({ id, dependentPages = 0 }: Pick<Intent, "id" | "dependentPages">): PagedIds {
  return { of: `dependents\n${id}`, pages: dependentPages };
}

export function dependentsOf(intent: Intent, world: World): readonly Intent[] {
  return idsIn(dependentIds(intent), world)
    .map((id) => world.get("intent", id))
    .filter((dependent) => dependent !== undefined);
}

/** Loads every dependent, with the counts and portfolios that a change of the dependent updates. */
export function dependentsNeeds(intent: Intent, world: World): readonly Need[] {
  const list = dependentIds(intent);
  return [...pagedIdsNeeds(list), ...idsIn(list, world).flatMap((id) => dependentNeeds(id, world))];
}

function dependentNeeds(id: string, world: World): readonly Need[] {
  const intent = world.get("intent", id);
  const self: Need = { kind: "intent", id };
  return intent === undefined ? [self] : [self, ...portfolioReadNeeds(intent), ...countNeeds(intent)];
}

/** The portfolios whose subscribers are notified of this intent's events. */
export function portfolioReadNeeds({ portfolios = [] }: Intent): readonly Need[] {
  return portfolios.map((id) => ({ kind: "portfolio", id, read: true }) as const);
}

/** The most intents that can depend on one: a change of it reaches all of them in one commit (G13). */
const DEPENDENTS_MAX = 1_000;

/** Rows to load before an intent may depend on this one: they say how many do. */
export function linkNeeds(dependency: Intent): readonly Need[] {
  return joinNeeds(dependentIds(dependency));
}

export function whyCrowded(dependency: Intent, world: World): Failure | null {
  if (idsIn(dependentIds(dependency), world).length < DEPENDENTS_MAX) return null;
  const message = `${DEPENDENTS_MAX} intents already depend on ${dependency.id}, which is the maximum. Depend on an intent between the two.`;
  return failure("too_many", message);
}

export interface Linked {
  /** The page of the dependency's list that holds the dependent's id. */
  readonly page: number;
  readonly changes: readonly Change[];
}

export function link(dependency: Intent, dependentId: string, world: World): Linked {
  const { page, pages, change } = join(dependentIds(dependency), dependentId, world);
  const grown: Change = {
    kind: "intent",
    id: dependency.id,
    body: { ...dependency, dependentPages: pages },
  };
  return { page, changes: pages === dependency.dependentPages ? [change] : [change, grown] };
}

export function unlink(dependencyId: string, dependent: Intent, world: World): Change {
  const page = must(
    dependent.places?.[dependencyId],
    "the page of the dependency's list that holds this dependent",
  );
  return leave(dependentIds({ id: dependencyId }).of, page, dependent.id, world);
}
