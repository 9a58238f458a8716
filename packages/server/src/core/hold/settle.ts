/**
 * How a hold ends, whoever ends it: this is the only place where an ending is stated, so this is where it spreads to
 * whatever waits on the hold, in the same commit.
 */

import type { Stated } from "../fact.ts";
import { onIntentNeeds, resumeIntent } from "../intent/ending.ts";
import { actorText, type Principal } from "../principal.ts";
import { releaseReady } from "../release/decide.ts";
import type { Need, World } from "../world.ts";
import type { HoldFact } from "./facts.ts";
import { leftOver } from "./files.ts";
import { type Hold, mayHaveDraft, type Outcome } from "./hold.ts";

export function about(
  hold: Pick<Hold, "id" | "createdBy">,
  fact: HoldFact,
  at: number,
  by: Principal,
): Stated {
  return { kind: "hold", id: hold.id, fact, at, actor: actorText(by), audience: hold.createdBy };
}

/** What must be in sight before a hold can end. */
export function settleNeeds(hold: Hold, world: World): readonly Need[] {
  const needs: Need[] = [...onIntentNeeds(hold, world)];
  if (mayHaveDraft(hold)) needs.push({ kind: "form_session", id: hold.id });
  if (hold.groupId === undefined) return needs;
  needs.push({ kind: "group", id: hold.groupId }, { kind: "release", id: hold.groupId });
  for (const member of world.get("group", hold.groupId)?.members ?? [])
    needs.push({ kind: "hold", id: member });
  return needs;
}

/** What a hold's own log says of its end. */
export const ENDING = {
  decided: "hold.decided",
  expired: "hold.expired",
  cancelled: "hold.cancelled",
} as const;

/** `endedBefore`: members of the same group that this very decision has ended already. */
export function settle(
  hold: Hold,
  outcome: Outcome,
  world: World,
  by: Principal,
  endedBefore: ReadonlySet<string> = new Set(),
): readonly Stated[] {
  return [...endHold(hold, outcome, world, by, endedBefore), ...resumeIntent(hold, outcome, world, by)];
}

/** The end of the hold and its group alone, for whoever tells the intent's part of the story. */
export function endHold(
  hold: Hold,
  outcome: Outcome,
  world: World,
  by: Principal,
  endedBefore: ReadonlySet<string> = new Set(),
): readonly Stated[] {
  const ended = about(hold, { type: ENDING[outcome.kind], outcome }, outcome.at, by);
  return [ended, ...leftOver(hold, outcome, by), ...releaseOf(hold, world, outcome.at, by, endedBefore)];
}

function releaseOf(
  hold: Hold,
  world: World,
  at: number,
  by: Principal,
  ended: ReadonlySet<string>,
): readonly Stated[] {
  const group = hold.groupId === undefined ? undefined : world.get("group", hold.groupId);
  if (group === undefined) return [];
  const waiting = group.members.some(
    (id) => id !== hold.id && !ended.has(id) && world.get("hold", id)?.status === "open",
  );
  if (waiting) return [];
  const release = world.get("release", group.id);
  return [
    ...(release?.state === "waiting" ? [releaseReady(release, at, by)] : []),
    {
      kind: "group",
      id: group.id,
      fact: { type: "group.released" },
      at,
      actor: actorText(by),
      audience: group.createdBy,
    },
  ];
}
