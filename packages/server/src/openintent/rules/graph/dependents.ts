/** The other end of a dependency: every intent knows who depends on it, so that it can tell them. */

import { must } from "../../../kernel/must.ts";
import type { Intent } from "../intent/intent.ts";
import type { Change, Need, World } from "../world.ts";
import { idsIn, join, leave, type PagedIds, pagedIdsNeeds } from "./paged-ids.ts";
import { countNeeds } from "./status-counts.ts";

export function dependentIds({ id, dependentPages = 0 }: Pick<Intent, "id" | "dependentPages">): PagedIds {
  return { of: `dependents\n${id}`, pages: dependentPages };
}

export function dependentsOf(intent: Intent, world: World): readonly Intent[] {
  return idsIn(dependentIds(intent), world)
    .map((id) => world.get("intent", id))
    .filter((dependent) => dependent !== undefined);
}

/** All that depend on it, and whoever counts them. */
export function dependentsNeeds(intent: Intent, world: World): readonly Need[] {
  const roll = dependentIds(intent);
  return [...pagedIdsNeeds(roll), ...idsIn(roll, world).flatMap((id) => dependentNeeds(id, world))];
}

function dependentNeeds(id: string, world: World): readonly Need[] {
  const intent = world.get("intent", id);
  const self: Need = { kind: "intent", id };
  return intent === undefined ? [self] : [self, ...hearersNeeds(intent), ...countNeeds(intent)];
}

/** Portfolios whose subscribers hear of this intent. */
export function hearersNeeds({ portfolios = [] }: Intent): readonly Need[] {
  return portfolios.map((id) => ({ kind: "portfolio", id, read: true }) as const);
}

export interface Linked {
  /** On which page of the dependency's list the dependent stands. */
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
    `the index entry of dependency ${dependencyId} of intent ${dependent.id}`,
  );
  return leave(dependentIds({ id: dependencyId }).of, page, dependent.id, world);
}
