/** The world as it will be once these facts are in it: for a decision that goes on where it has just stated something. */

import type { Kind } from "./entity.ts";
import { evolve } from "./evolve.ts";
import type { Stated } from "./fact.ts";
import type { Bodies, Change, World } from "./world.ts";

export function worldAfter(world: World, facts: readonly Stated[]): World {
  const changed = new Map<string, Change["body"]>();
  const nameOf = (kind: Kind, id: string) => `${kind}\u0000${id}`;
  const after: World = {
    get<K extends Kind & keyof Bodies>(kind: K, id: string) {
      const name = nameOf(kind, id);
      if (!changed.has(name)) return world.get(kind, id);
      return (changed.get(name) ?? undefined) as Bodies[K] | undefined;
    },
    version: (kind, id) => world.version(kind, id),
  };
  for (const stated of facts) {
    for (const { kind, id, body } of evolve(after, stated)) changed.set(nameOf(kind, id), body);
  }
  return after;
}
