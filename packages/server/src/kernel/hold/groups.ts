/** Groups: several holds that are placed together and answered together, in one commit or not at all. */

import { type Ask, type JsonObject, maskSensitive, sameJson } from "@holdpoint/protocol/rules";
import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { decided, judge, whyUnknownCall } from "./answer.ts";
import { cancelled } from "./cancel.ts";
import type { AnswerGroup, GroupEntry, PlaceGroup } from "./commands.ts";
import { type Group, seesGroup } from "./group.ts";
import { endsAt, type Hold, isPast, type Outcome } from "./hold.ts";
import { holdUnderKey, placeNeeds, placeOne } from "./place.ts";
import { aboutGroup, settle } from "./settle.ts";
import { whySettled } from "./settled.ts";
import { stateDue } from "./tick.ts";
import { castVote } from "./vote.ts";
import { isRuled, type RuledHold, voteNeeds } from "./voter.ts";
import { mayKnow, whyNotAnswer, whyNotCancel } from "./who.ts";

export function placeGroupNeeds({ groupId, holds, by }: PlaceGroup, world: World): readonly Need[] {
  const before = holds.map((hold) => holdUnderKey(world, by, hold.key)?.groupId);
  const groups = [groupId, ...before].filter((id) => id !== undefined);
  return [
    ...groups.map((id) => ({ kind: "group", id })),
    ...holds.flatMap((hold) => placeNeeds(hold, by, world)),
  ];
}

export function placeGroup(command: PlaceGroup, draft: Draft, context: Context): Reply {
  const { groupId, threadId, runId, by } = command;
  const known = draft.get("group", groupId);
  if (known !== undefined) {
    if (known.createdBy === by.name) return accept(groupId);
    return refuse(
      failure("already_exists", "another agent already placed a group with this id; use another id"),
    );
  }
  const keys = command.holds.map((hold) => hold.key).filter((key) => key !== undefined);
  if (new Set(keys).size < keys.length) {
    return refuse(failure("key_reused", "two members of the group have the same key"));
  }
  const before = command.holds
    .map((hold) => holdUnderKey(draft, by, hold.key))
    .find((hold, at) => hold !== undefined && command.holds[at]?.after !== hold.id);
  const group: Group = {
    id: groupId,
    createdBy: by.name,
    createdAt: context.now,
    members: command.holds.map(({ id }) => id),
    ...(threadId === undefined ? {} : { threadId }),
    ...(runId === undefined ? {} : { runId }),
  };
  if (before === undefined) draft.state(aboutGroup(group, { type: "group.placed", group }, context.now, by));
  const members: string[] = [];
  for (const hold of command.holds) {
    const reply = placeOne(hold, by, draft, context, groupId);
    if (!reply.ok) return reply;
    members.push(reply.id);
  }
  return before === undefined ? accept(groupId) : placedTogether(before, members, draft);
}

/** Known keys find the group they were placed in (G8), if it has exactly these members. */
function placedTogether(before: Hold, members: readonly string[], world: World): Reply {
  const group = before.groupId === undefined ? undefined : world.get("group", before.groupId);
  if (group === undefined || !sameJson(group.members, members)) {
    return refuse(
      failure("key_reused", "some of these holds were already placed, but not as this group; use new keys"),
    );
  }
  return { ok: true, id: group.id, fresh: false };
}

export function answerGroup(command: AnswerGroup, draft: Draft, context: Context): Reply {
  const group = draft.get("group", command.groupId);
  if (group === undefined || !seesGroup(group, command.by)) {
    return refuse(failure("not_found", "there is no group with this id, or this caller may not see it"));
  }
  const members = membersOf(group, draft);
  const wrong = whyNotEntries(command.entries, members);
  if (wrong !== null) return refuse(wrong);
  const open = members.filter((hold) => hold.status === "open");
  const past = open.filter((hold) => isPast(hold, context.now));
  if (past.length > 0) {
    // The expiry came first and is kept. The caller has to answer the members that are still open again.
    for (const hold of past.toSorted((a, b) => endsAt(a) - endsAt(b))) stateDue(hold, draft, context.now);
    draft.keepSoFar();
    const detail = { hold_ids: past.map((hold) => hold.id) };
    return refuse(
      failure("hold_expired", "a member of the group has expired; answer the members that are still open", {
        detail,
      }),
    );
  }
  const missing = open.filter((hold) => !command.entries.some(({ holdId }) => holdId === hold.id));
  if (missing.length > 0) {
    const detail = { missing: missing.map((hold) => hold.id) };
    return refuse(failure("group_incomplete", "every open member of the group needs an entry", { detail }));
  }
  return whyTooLate(command, members, context) ?? settleAll(command, open, group, draft, context);
}

/** An entry for a hold outside the group, or a second one for the same member, is refused instead of ignored. */
function whyNotEntries(entries: readonly GroupEntry[], members: readonly Hold[]): Failure | null {
  const seen = new Set<string>();
  for (const [at, { holdId }] of entries.entries()) {
    const isMember = members.some(({ id }) => id === holdId);
    if (isMember && !seen.has(holdId)) {
      seen.add(holdId);
      continue;
    }
    const message = isMember ? "has another entry already" : "is not a member of the group";
    const problems = [{ key: `/entries/${at}/hold_id`, rule: "member", message }];
    return failure("invalid_answer", "the entries do not fit the group", { problems });
  }
  return null;
}

/**
 * An entry for a member that already ended is accepted if it repeats the outcome. Otherwise the caller is told how
 * the member ended (G1).
 */
function whyTooLate({ entries, by }: AnswerGroup, members: readonly Hold[], context: Context): Reply | null {
  for (const hold of members) {
    const settled = whySettled(hold);
    const entry = entries.find(({ holdId }) => holdId === hold.id);
    if (settled !== null && entry !== undefined && !hasSameOutcome(hold, entry, by, context))
      return refuse(settled, hold.id);
  }
  return null;
}

function hasSameOutcome(hold: Hold, entry: GroupEntry, by: Principal, context: Context): boolean {
  const { ask, outcome } = hold;
  if (entry.action === undefined) return outcome?.kind === "cancelled";
  if (outcome?.kind !== "decided" || outcome.action !== entry.action || ask === null) return false;
  // Whether a guess is right would tell the caller what it may not know (G9).
  if (!mayKnow(hold, by) && hasSensitive(ask, outcome.data)) return false;
  const judged = judge(hold, entry.action, entry.data ?? {}, context);
  return "data" in judged && sameJson(judged.data, outcome.data);
}

function hasSensitive(ask: Ask, data: JsonObject): boolean {
  return !sameJson(maskSensitive(ask, data), data);
}

function membersOf(group: Group, world: World): readonly Hold[] {
  return group.members.map((id) => world.get("hold", id)).filter((hold) => hold !== undefined);
}

function settleAll(
  command: AnswerGroup,
  open: readonly Hold[],
  group: Group,
  draft: Draft,
  context: Context,
): Reply {
  for (const hold of open) {
    const entry = command.entries.find(({ holdId }) => holdId === hold.id) as GroupEntry;
    const refused =
      isRuled(hold) && entry.action !== undefined
        ? voteOf(hold, entry, entry.action, command, draft, context)
        : settleOne(hold, entry, command, draft, context);
    if (refused !== null) return refuse(refused, hold.id);
  }
  return accept(group.id);
}

function settleOne(
  hold: Hold,
  entry: GroupEntry,
  command: AnswerGroup,
  draft: Draft,
  context: Context,
): Failure | null {
  const outcome = outcomeOf(hold, entry, command, draft, context);
  if ("code" in outcome) return outcome;
  settle(hold, outcome, draft, command.by);
  return null;
}

/** The member may stay open; the votes of all members are recorded in the same commit. */
function voteOf(
  hold: RuledHold,
  entry: GroupEntry,
  action: string,
  command: AnswerGroup,
  draft: Draft,
  context: Context,
): Failure | null {
  const outcome = outcomeOf(hold, entry, command, draft, context);
  if ("code" in outcome) return outcome;
  const { data } = outcome as Extract<Outcome, { readonly kind: "decided" }>;
  const { shown } = entry;
  const by = entryBy(entry, command.by);
  const ballot = { by, link: undefined, action, data, door: command.door };
  return castVote(hold, shown === undefined ? ballot : { ...ballot, shown }, draft, context);
}

/** What the vote of this entry needs, if its hold has a decision rule. */
export function entryNeeds(entry: GroupEntry, by: Principal, world: World): readonly Need[] {
  const hold = world.get("hold", entry.holdId);
  return hold === undefined ? [] : voteNeeds(hold, { by: entryBy(entry, by), link: undefined }, world);
}

function entryBy({ claimed }: GroupEntry, by: Principal): Principal {
  return claimed === undefined ? by : { ...by, claimed };
}

function outcomeOf(
  hold: Hold,
  entry: GroupEntry,
  command: AnswerGroup,
  world: World,
  context: Context,
): Outcome | Failure {
  const { door } = command;
  const by = entryBy(entry, command.by);
  if (entry.action === undefined) {
    const denied = whyNotCancel(hold, by, undefined) ?? whyNotAttached(hold, by, world, context.now);
    const { reason } = entry;
    return denied ?? cancelled({ by, ...(reason === undefined ? {} : { reason }) }, context.now);
  }
  const denied =
    whyNotAnswer(hold, by, undefined, entry.action) ?? whyNotAttached(hold, by, world, context.now);
  if (denied !== null) return denied;
  const { action, shown } = entry;
  if (shown !== undefined && shown !== hold.digest) {
    const detail = { hold_id: hold.id };
    return failure(
      "shown_mismatch",
      "the digest in `shown` is not the digest of this hold; read the hold again and answer what it asks",
      { detail },
    );
  }
  const judged = judge(hold, action, entry.data ?? {}, context);
  if ("code" in judged) return { ...judged, detail: { hold_id: hold.id } };
  const unknown = whyUnknownCall(hold, { door, action, by }, judged.data);
  if (unknown !== null) return { ...unknown, detail: { hold_id: hold.id } };
  return decided({ action, by, door, ...(shown === undefined ? {} : { shown }) }, judged.data, context.now);
}
