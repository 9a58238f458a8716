/**
 * Ends a hold, no matter who ends it. This is the only place that states an ending, so everything that waits for the
 * hold changes in the same commit.
 */

import { attachmentOf } from "../attachment.ts";
import type { Draft, FactRecord } from "../draft.ts";
import { actorText, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { about } from "./about.ts";
import { ENDING } from "./facts.ts";
import { usageNeeds } from "./file-usage.ts";
import { unusedFiles } from "./files.ts";
import type { Group } from "./group.ts";
import type { GroupFact } from "./group-facts.ts";
import { type Hold, mayHaveDraft, type Outcome } from "./hold.ts";

/** What must be loaded before a hold can end. */
export function settleNeeds(hold: Hold, world: World): readonly Need[] {
  return [...attachedNeeds(hold, world), ...holdEndNeeds(hold, world)];
}

/** The same, without what the hold is attached to. */
export function holdEndNeeds(hold: Hold, world: World): readonly Need[] {
  const needs: Need[] = [];
  if (mayHaveDraft(hold)) needs.push({ kind: "form_session", id: hold.id });
  if (hold.decision !== undefined) needs.push({ kind: "ruled_hold", id: hold.id });
  needs.push(...usageNeeds(hold));
  for (const { person } of hold.votes ?? []) needs.push({ kind: "voter", id: person });
  const { groupId } = hold;
  if (groupId === undefined) return needs;
  needs.push(
    { kind: "group", id: groupId },
    ...world.attachments.groups.flatMap((rules) => rules.needs(groupId)),
  );
  for (const member of world.get("group", groupId)?.members ?? []) needs.push({ kind: "hold", id: member });
  return needs;
}

export function attachedNeeds(hold: Hold, world: World): readonly Need[] {
  const attached = attachmentOf(hold, world);
  return attached === undefined ? [] : attached.rules.endNeeds(attached.id, hold, world);
}

export function settle(hold: Hold, outcome: Outcome, draft: Draft, by: Principal): void {
  endHold(hold, outcome, draft, by);
  const attached = attachmentOf(hold, draft);
  attached?.rules.ended(attached.id, hold, outcome, draft, by);
}

/** Ends only the hold and its group, for a domain that states its own facts itself. */
export function endHold(hold: Hold, outcome: Outcome, draft: Draft, by: Principal): void {
  draft.state(about(hold, { type: ENDING[outcome.kind], outcome }, outcome.at, by));
  for (const record of unusedFiles(hold, outcome, by)) draft.state(record);
  releaseGroup(hold, draft, outcome.at, by);
}

/** Releases the group when none of its members is open any more. */
function releaseGroup(hold: Hold, draft: Draft, at: number, by: Principal): void {
  const group = hold.groupId === undefined ? undefined : draft.get("group", hold.groupId);
  if (group === undefined) return;
  if (group.members.some((id) => draft.get("hold", id)?.status === "open")) return;
  for (const rules of draft.attachments.groups) rules.released(group, draft, by, at);
  draft.state(aboutGroup(group, { type: "group.released" }, at, by));
}

export function aboutGroup(group: Group, fact: GroupFact, at: number, by: Principal): FactRecord<GroupFact> {
  return { kind: "group", id: group.id, fact, at, actor: actorText(by), audience: group.createdBy };
}
