/** Facts about a group. */

import type { FactTable } from "../domain.ts";
import type { Group } from "./group.ts";

export type GroupFact =
  | { readonly type: "group.placed"; readonly group: Group }
  | { readonly type: "group.released" };

export const GROUP_FACTS: FactTable<GroupFact> = {
  "group.placed": {
    evolve: (_world, id, { group }) => [{ kind: "group", id, body: group }],
    log: ({ group }) => ({ members: [...group.members] }),
  },
  "group.released": {
    evolve(world, id, _fact, at) {
      const group = world.get("group", id);
      if (group === undefined) throw new Error(`Invariant: group ${id} is released but was never placed`);
      return [{ kind: "group", id, body: { ...group, releasedAt: at } }];
    },
    log: () => ({}),
  },
};
