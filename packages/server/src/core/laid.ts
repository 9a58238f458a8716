/** The world as it will be after facts that are decided but not yet kept: for decisions made of several. */

import { evolve } from "./evolve.ts";
import type { Stated } from "./fact.ts";
import type { Change, World } from "./world.ts";

export function layOver(world: World, facts: readonly Stated[]): World {
  const bodies = new Map<string, Change["body"]>();
  const laid: World = {
    get(kind, id) {
      const key = `${kind}\n${id}`;
      return bodies.has(key)
        ? ((bodies.get(key) ?? undefined) as ReturnType<typeof world.get<typeof kind>>)
        : world.get(kind, id);
    },
    version: (kind, id) => world.version(kind, id),
  };
  for (const stated of facts) {
    for (const { kind, id, body } of evolve(laid, stated)) bodies.set(`${kind}\n${id}`, body);
  }
  return laid;
}
