/** Groups: several holds placed together and answered together, in one commit or not at all. */

import { sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { whyNotOnIntent } from "../intent/who.ts";
import { actorText, seesAll } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import { worldAfter } from "../world-after.ts";
import { decided, judge, whySettled } from "./answer.ts";
import { cancelled } from "./cancel.ts";
import type { AnswerGroup, GroupEntry, PlaceGroup } from "./commands.ts";
import type { Group } from "./group.ts";
import { endsAt, type Hold, isPast, type Outcome } from "./hold.ts";
import { holdUnderKey, placeNeeds, placeOne } from "./place.ts";
import { settle } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { whyNotAnswer, whyNotCancel } from "./who.ts";

export function placeGroupNeeds({ groupId, holds, by }: PlaceGroup, world: World): readonly Need[] {
  const before = holds.map((hold) => holdUnderKey(world, by, hold.key)?.groupId);
  const groups = [groupId, ...before].filter((id) => id !== undefined);
  return [
    ...groups.map((id) => ({ kind: "group", id }) as const),
    ...holds.flatMap((hold) => placeNeeds(hold, by, world)),
  ];
}

export function placeGroup(command: PlaceGroup, world: World, context: Context): Decision {
  const { groupId, threadId, runId, by } = command;
  const known = world.get("group", groupId);
  if (known !== undefined) {
    if (known.createdBy === by.name) return accept("group", groupId, []);
    return refuse(refusal("already_exists", "that group exists"));
  }
  const keys = command.holds.map((hold) => hold.key).filter((key) => key !== undefined);
  if (new Set(keys).size < keys.length) {
    return refuse(refusal("key_reused", "two members of the group have the same key"));
  }
  const intents = command.holds.map((hold) => hold.intentId).filter((id) => id !== undefined);
  if (new Set(intents).size < intents.length) {
    return refuse(refusal("intent_suspended", "two members of the group would suspend the same intent"));
  }
  const facts: Stated[] = [];
  const members: string[] = [];
  let before: Hold | undefined;
  // One member's intent may depend on another's.
  let now = world;
  for (const hold of command.holds) {
    const { reply, facts: stated } = placeOne(hold, by, now, context, groupId);
    now = worldAfter(now, stated);
    if (!reply.ok) return refuse(reply.refusal);
    before ??= reply.fresh ? undefined : holdUnderKey(world, by, hold.key);
    members.push(reply.id);
    facts.push(...stated);
  }
  if (before !== undefined) return placedTogether(before, members, facts, world);
  const group: Group = {
    id: groupId,
    createdBy: by.name,
    createdAt: context.now,
    members,
    ...(threadId === undefined ? {} : { threadId }),
    ...(runId === undefined ? {} : { runId }),
  };
  const placed: Stated = {
    kind: "group",
    id: groupId,
    fact: { type: "group.placed", group },
    at: context.now,
    actor: actorText(by),
    audience: by.name,
  };
  return accept("group", groupId, [placed, ...facts]);
}

/** Keys that are known already find the group they were placed in (G8), if it is that very group. */
function placedTogether(
  before: Hold,
  members: readonly string[],
  facts: readonly Stated[],
  world: World,
): Decision {
  const group = before.groupId === undefined ? undefined : world.get("group", before.groupId);
  if (group === undefined || !sameJson(group.members, members)) {
    return refuse(refusal("key_reused", "some of these holds were placed before, but not as this group"));
  }
  return { facts, reply: { ok: true, kind: "group", id: group.id, fresh: false } };
}

export function answerGroup(command: AnswerGroup, world: World, context: Context): Decision {
  const group = world.get("group", command.groupId);
  if (group === undefined || !(seesAll(command.by) || group.createdBy === command.by.name)) {
    return refuse(refusal("not_found", "no such group"));
  }
  const members = membersOf(group, world);
  const wrong = whyNotEntries(command.entries, members);
  if (wrong !== null) return refuse(wrong);
  const open = members.filter((hold) => hold.status === "open");
  const past = open.filter((hold) => isPast(hold, context.now));
  if (past.length > 0) {
    const detail = { hold_ids: past.map((hold) => hold.id) };
    const refused = refusal("hold_expired", "a member of the group has expired", { detail });
    return refuse(refused, expireAll(past, world, context.now));
  }
  const covered = open.flatMap((hold) => {
    const entry = command.entries.find(({ holdId }) => holdId === hold.id);
    return entry === undefined ? [] : [{ hold, entry }];
  });
  const missing = open.filter((hold) => !covered.some((each) => each.hold === hold));
  if (missing.length > 0) {
    const detail = { missing: missing.map((hold) => hold.id) };
    return refuse(refusal("group_incomplete", "every open member of the group needs an entry", { detail }));
  }
  const lost = whyTooLate(command.entries, members, context);
  return lost === null ? settleAll(command, covered, group, world, context) : refuse(lost);
}

/** What would be dropped without a word is refused: somebody meant it. */
function whyNotEntries(entries: readonly GroupEntry[], members: readonly Hold[]): Refusal | null {
  const seen = new Set<string>();
  for (const [at, { holdId }] of entries.entries()) {
    const isMember = members.some(({ id }) => id === holdId);
    if (isMember && !seen.has(holdId)) {
      seen.add(holdId);
      continue;
    }
    const message = isMember ? "has an entry already" : "is no member of the group";
    const problems = [{ key: `/entries/${at}/hold_id`, rule: "member", message }];
    return refusal("invalid_answer", "the entries do not fit the group", { problems });
  }
  return null;
}

/** A member that ended by another door is covered, if it ended so; whoever says otherwise is told how it did (G1). */
function whyTooLate(
  entries: readonly GroupEntry[],
  members: readonly Hold[],
  context: Context,
): Refusal | null {
  for (const hold of members) {
    const settled = whySettled(hold);
    const entry = entries.find(({ holdId }) => holdId === hold.id);
    if (settled !== null && entry !== undefined && !endedSo(hold, entry, context)) return settled;
  }
  return null;
}

function endedSo({ ask, outcome, ...hold }: Hold, entry: GroupEntry, context: Context): boolean {
  if (entry.action === undefined) return outcome?.kind === "cancelled";
  if (outcome?.kind !== "decided" || outcome.action !== entry.action || ask === null) return false;
  const judged = judge({ ...hold, ask }, entry.action, entry.data ?? {}, context);
  return "data" in judged && sameJson(judged.data, outcome.data);
}

/** The clock came first. What it decided is stated; the answers have to be given again, to what is still open. */
function expireAll(past: readonly Hold[], world: World, now: number): readonly Stated[] {
  const inOrder = past.toSorted((a, b) => endsAt(a) - endsAt(b));
  return inOrder.flatMap((hold, at) => {
    const ended = new Set(inOrder.slice(0, at).map(({ id }) => id));
    return whatIsDue(hold, world, now, ended);
  });
}

function membersOf(group: Group, world: World): readonly Hold[] {
  return group.members.map((id) => world.get("hold", id)).filter((hold) => hold !== undefined);
}

interface Covered {
  readonly hold: Hold;
  readonly entry: GroupEntry;
}

function settleAll(
  command: AnswerGroup,
  covered: readonly Covered[],
  group: Group,
  world: World,
  context: Context,
): Decision {
  const facts: Stated[] = [];
  const ended = new Set<string>();
  for (const { hold, entry } of covered) {
    const outcome = outcomeOf(hold, entry, command, world, context);
    if ("code" in outcome) return refuse(outcome);
    facts.push(...settle(hold, outcome, world, command.by, ended));
    ended.add(hold.id);
  }
  return accept("group", group.id, facts);
}

function outcomeOf(
  hold: Hold,
  entry: GroupEntry,
  command: AnswerGroup,
  world: World,
  context: Context,
): Outcome | Refusal {
  const { door } = command;
  const by = entry.claimed === undefined ? command.by : { ...command.by, claimed: entry.claimed };
  if (entry.action === undefined) {
    const denied = whyNotCancel(hold, by, undefined) ?? whyNotOnIntent(hold.intentId, by, world, context.now);
    const { reason } = entry;
    return denied ?? cancelled({ by, ...(reason === undefined ? {} : { reason }) }, context.now);
  }
  const denied =
    whyNotAnswer(hold, by, undefined, entry.action) ?? whyNotOnIntent(hold.intentId, by, world, context.now);
  if (denied !== null) return denied;
  const { action, shown } = entry;
  if (shown !== undefined && shown !== hold.digest) {
    const detail = { hold_id: hold.id };
    return refusal("shown_mismatch", "what was shown is not what this hold asks", { detail });
  }
  const judged = judge(hold, action, entry.data ?? {}, context);
  if ("code" in judged) return { ...judged, detail: { hold_id: hold.id } };
  return decided({ action, by, door, ...(shown === undefined ? {} : { shown }) }, judged.data, context.now);
}
