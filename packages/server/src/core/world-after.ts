/** The world as it will be once these facts are in it: for a decision that goes on where it has just stated something. */

import { ByName } from "./by-name.ts";
import type { Kind } from "./entity.ts";
import { evolve } from "./evolve.ts";
import type { Stated } from "./fact.ts";
import type { Bodies, Change, World } from "./world.ts";

export function worldAfter(world: World, facts: readonly Stated[]): World {
  if (facts.length === 0) return world;
  const changed = new ByName<Change>();
  const after: World = {
    get<K extends Kind & keyof Bodies>(kind: K, id: string) {
      const change = changed.get(kind, id);
      return change === undefined
        ? world.get(kind, id)
        : ((change.body ?? undefined) as Bodies[K] | undefined);
    },
    version: (kind, id) => world.version(kind, id),
  };
  for (const stated of facts) {
    for (const change of evolve(after, stated)) changed.set(change.kind, change.id, change);
  }
  return after;
}
