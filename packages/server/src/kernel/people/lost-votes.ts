/** Removes the votes of a person who no longer counts from the holds that are still open, in the same commit. */

import type { Draft } from "../draft.ts";
import { about } from "../hold/about.ts";
import type { Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { type Person, whyLost } from "./person.ts";

export function lostVoteNeeds(personId: string, world: World): readonly Need[] {
  const { holds = [] } = world.get("voter", personId) ?? {};
  return [
    { kind: "voter", id: personId },
    ...(holds.length === 0 ? [] : [{ kind: "workspace", id: "settings", read: true } as const]),
    ...holds.map((id) => ({ kind: "hold", id })),
  ];
}

export function stateLostVotes(person: Person, draft: Draft, by: Principal, now: number): void {
  for (const id of draft.get("voter", person.id)?.holds ?? []) {
    const hold = draft.get("hold", id);
    if (hold?.status !== "open") continue;
    const fact = { type: "hold.vote_withdrawn", person: person.id, reason: whyLost(person) } as const;
    draft.state(about(hold, fact, now, by));
  }
}
