/** What an intent waits for before it may begin, and before it may be called complete. */

import { type Failure, failure } from "../failure.ts";
import { type Intent, SUSPENDED } from "../intent/intent.ts";
import { whyNoOutputs } from "../workflow/outputs.ts";
import type { World } from "../world.ts";
import { aggregateOf, childCountsId, NO_MEMBERS } from "./status-counts.ts";

/** Dependencies that are not complete. */
export function unmetOf({ unmet = [] }: Pick<Intent, "unmet">): readonly string[] {
  return unmet;
}

/** A dependency that waits for a person: whoever builds on it waits too, whatever the gate says. */
export function suspendedUpstream(intent: Intent, world: World): string | undefined {
  return unmetOf(intent).find((id) => world.get("intent", id)?.status === SUSPENDED);
}

/**
 * Strict: every dependency is complete first. Soft: work may begin while they are merely being worked on, but not while one
 * waits for a person or was given up.
 */
export function isGateOpen(intent: Intent, world: World): boolean {
  const unmet = unmetOf(intent);
  if (intent.gate !== "soft") return unmet.length === 0;
  return unmet.every((id) => {
    const status = world.get("intent", id)?.status;
    return status !== SUSPENDED && status !== "abandoned";
  });
}

export function whyDependent(intent: Intent): Failure {
  return failure("dependencies_incomplete", "not everything this intent depends on is complete", {
    detail: { blocking_intents: [...unmetOf(intent)] },
  });
}

export function whyNotComplete(intent: Intent, world: World): Failure | null {
  if (unmetOf(intent).length > 0) return whyDependent(intent);
  const { total, by_status } = aggregateOf(world.get("tally", childCountsId(intent.id)) ?? NO_MEMBERS);
  if (by_status.completed === total) return whyNoOutputs(intent, intent.id, intent.state);
  return failure("children_incomplete", "not every child of this intent is complete", {
    detail: { blocking_intents: [] },
  });
}
