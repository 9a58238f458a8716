/** The rows to load before an intent's status may change: everything the change updates or notifies in the same commit. */

import { coverNeeds } from "../coordinator/cover.ts";
import type { Intent } from "../intent/intent.ts";
import { mirrorNeeds } from "../plan/mirror.ts";
import { watchNeeds } from "../portfolio/watch.ts";
import type { Need, World } from "../world.ts";
import { dependentsNeeds, portfolioReadNeeds } from "./dependents.ts";
import { unmetOf } from "./gate.ts";
import { childCountsId, countNeeds } from "./status-counts.ts";

/** For any change of status. */
export function moveNeeds(intent: Intent, world: World): readonly Need[] {
  return [
    ...portfolioReadNeeds(intent),
    ...countNeeds(intent),
    ...watchNeeds(intent),
    ...mirrorNeeds(intent, world),
    ...unmetOf(intent).map((id) => ({ kind: "intent", id, read: true }) as const),
  ];
}

/** For a change that can block or unblock dependents. */
export function suspendNeeds(intent: Intent, world: World): readonly Need[] {
  return [...moveNeeds(intent, world), ...coverNeeds(intent, world), ...dependentsNeeds(intent, world)];
}

export function completeNeeds(intent: Intent, world: World): readonly Need[] {
  return [...suspendNeeds(intent, world), { kind: "tally", id: childCountsId(intent.id) }];
}
