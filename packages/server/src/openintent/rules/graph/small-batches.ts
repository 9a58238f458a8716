/**
 * Rows that follow a change of another one in small batches, because each may be as long as a request (G13). The first is always
 * loaded, so every commit gets further, and the others where the batch has room. What was left out follows in a later commit.
 */

import type { Draft, Need } from "../world.ts";

/** In the order of their ids, in which all servers lock them. */
export function needsInBatches(
  ids: readonly string[],
  needsOf: (id: string) => Iterable<Need>,
): readonly Need[] {
  return ids
    .toSorted()
    .flatMap((id, at) => [...needsOf(id)].map((need): Need => (at === 0 ? need : { ...need, ifRoom: true })));
}

/** The needs are read one after another, because what one names may say what else is needed. */
export function hasLoaded(needs: Iterable<Need>, draft: Draft): boolean {
  for (const need of needs) if (!draft.hasLoaded([need])) return false;
  return true;
}
