/** The conditions an intent must meet before it may begin and before it may complete. */

import { type Failure, failure } from "../failure.ts";
import { type Intent, SUSPENDED } from "../intent/intent.ts";
import { whyNoOutputs } from "../workflow/outputs.ts";
import type { World } from "../world.ts";
import { aggregateOf, childCountsId, NO_MEMBERS } from "./status-counts.ts";

/** Dependencies that are not complete yet. */
export function unmetOf({ unmet = [] }: Pick<Intent, "unmet">): readonly string[] {
  return unmet;
}

/** A dependency that is suspended for a person. It blocks its dependents under either gate. */
export function suspendedUpstream(intent: Intent, world: World): string | undefined {
  return unmetOf(intent).find((id) => world.get("intent", id)?.status === SUSPENDED);
}

/**
 * Strict gate: every dependency is complete. Soft gate: work may begin while dependencies are still in progress, but not
 * while one is suspended for a person or was abandoned.
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
  return failure("dependencies_incomplete", "not all dependencies of this intent are complete", {
    detail: { blocking_intents: [...unmetOf(intent)] },
  });
}

export function whyNotComplete(intent: Intent, world: World): Failure | null {
  if (unmetOf(intent).length > 0) return whyDependent(intent);
  const { total, by_status } = aggregateOf(world.get("tally", childCountsId(intent.id)) ?? NO_MEMBERS);
  if (by_status.completed === total) return whyNoOutputs(intent, intent.id, intent.state);
  return failure("children_incomplete", "not all children of this intent are complete", {
    detail: { blocking_intents: [] },
  });
}
