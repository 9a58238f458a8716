/** What lies between a simulated server and its store: bugs that were put in on purpose, below the faults of a real store. */

import type { Store } from "../src/store/port.ts";
import { type FaultyStoreOptions, faultyStore } from "./faulty-store.ts";
import { type Sabotage, sabotaged, sharedWith } from "./sabotage.ts";

export function layered(options: FaultyStoreOptions, sabotage: Sabotage | undefined): Store {
  const { store: stored, random } = options;
  const lying: Store = new Proxy(stored, {
    get: (target, name: keyof Store & string) => {
      const member = target[name] as unknown;
      if (name === "shared") return sharedWith(sabotage, target.shared);
      if (typeof member !== "function") return member;
      if (name !== "begin") return member.bind(target);
      return async () => {
        const batch = await target.begin();
        const commit = batch.commit.bind(batch);
        batch.commit = async (changes) => {
          const written = sabotaged(sabotage, changes, random);
          if (written !== null) return commit(written);
          await batch.release();
          const last = await target.lastPosition();
          return { positions: changes.events.map(() => last) };
        };
        return batch;
      };
    },
  });
  return faultyStore({ ...options, store: lying });
}
