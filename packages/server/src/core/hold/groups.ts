/** Groups: several holds placed together and answered together, in one commit or not at all. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { actorText } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { judge } from "./answer.ts";
import { cancelled } from "./cancel.ts";
import type { AnswerGroup, GroupEntry, PlaceGroup } from "./commands.ts";
import type { Group } from "./group.ts";
import { type Hold, isPast, type Outcome } from "./hold.ts";
import { placeOne } from "./place.ts";
import { settle } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { byOf, whyNotAnswer, whyNotCancel } from "./who.ts";

export function placeGroup(command: PlaceGroup, world: World, context: Context): Decision {
  const { groupId, threadId, runId, by } = command;
  if (world.get("group", groupId) !== undefined) return accept("group", groupId, []);
  const facts: Stated[] = [];
  for (const hold of command.holds) {
    const placed = placeOne(hold, by, world, context, groupId);
    if (!placed.reply.ok) return refuse(placed.reply.refusal);
    facts.push(...placed.facts);
  }
  const group: Group = {
    id: groupId,
    createdBy: by.name,
    createdAt: context.now,
    members: command.holds.map((hold) => hold.id),
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

export function answerGroup(command: AnswerGroup, world: World, context: Context): Decision {
  const group = world.get("group", command.groupId);
  if (group === undefined) return refuse(refusal("not_found", "no such group"));
  const open = membersOf(group, world).filter((hold) => hold.status === "open");
  const past = open.filter((hold) => isPast(hold, context.now));
  if (past.length > 0) {
    // The clock came first. What it decided is stated; the answers have to be given again, to what is still open.
    const facts = past.flatMap((hold) => whatIsDue(hold, world, context.now));
    return refuse(
      refusal("hold_expired", "a member of the group has expired", {
        detail: { hold_ids: past.map((hold) => hold.id) },
      }),
      facts,
    );
  }
  const missing = open.filter((hold) => !command.entries.some((entry) => entry.holdId === hold.id));
  if (missing.length > 0) {
    const detail = { missing: missing.map((hold) => hold.id) };
    return refuse(refusal("group_incomplete", "every open member of the group needs an entry", { detail }));
  }
  return settleAll(command, open, group, world, context);
}

function membersOf(group: Group, world: World): readonly Hold[] {
  return group.members.map((id) => world.get("hold", id)).filter((hold) => hold !== undefined);
}

function settleAll(
  command: AnswerGroup,
  open: readonly Hold[],
  group: Group,
  world: World,
  context: Context,
): Decision {
  const facts: Stated[] = [];
  const ended = new Set<string>();
  for (const hold of open) {
    const entry = command.entries.find(({ holdId }) => holdId === hold.id);
    if (entry === undefined) throw new Error("coverage was checked before");
    const outcome = outcomeOf(hold, entry, command, context);
    if ("code" in outcome) return refuse(outcome);
    facts.push(...settle(hold, outcome, world, command.by, ended));
    ended.add(hold.id);
  }
  return accept("group", group.id, facts);
}

function outcomeOf(hold: Hold, entry: GroupEntry, command: AnswerGroup, context: Context): Outcome | Refusal {
  const { by, door } = command;
  if (entry.action === undefined) {
    const denied = whyNotCancel(hold, by, undefined);
    const { reason } = entry;
    return denied ?? cancelled({ by, ...(reason === undefined ? {} : { reason }) }, context.now);
  }
  const denied = whyNotAnswer(hold, by, undefined, entry.action);
  if (denied !== null) return denied;
  const judged = judge(hold, entry.action, entry.data ?? {}, context);
  if ("code" in judged) return { ...judged, detail: { hold_id: hold.id } };
  return { kind: "decided", action: entry.action, data: judged.data, by: byOf(by), door, at: context.now };
}
