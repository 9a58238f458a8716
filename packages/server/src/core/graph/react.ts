/**
 * What a change of one intent's status does to others, in the same commit. Called where statuses change and nowhere else, so
 * no door can forget it. Reactions reach one step: who is blocked or freed by another does not move anybody in turn.
 */

import { covering, tellDependentsBlocked } from "../coordinator/cover.ts";
import type { Stated } from "../fact.ts";
import { type Intent, type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import { begin, note, type Story, tellStatus, weave } from "../intent/story.ts";
import { blockTasks, endTasks, unblockTasks } from "../plan/mirror.ts";
import { type Ending, markMember, tellMemberResumed } from "../portfolio/watch.ts";
import { SYSTEM } from "../principal.ts";
import { isWiredTo } from "../workflow/inputs.ts";
import type { World } from "../world.ts";
import { dependentsOf } from "./dependents.ts";
import { isGateOpen, suspendedUpstream, unmetOf } from "./gate.ts";
import { count } from "./tally.ts";

/** The story is at its intent's new status; `from` is the one before. */
export function react(story: Story, from: IntentStatus, ending?: Ending): Story {
  const counted = weave(story, count(story.intent, from, story.at));
  if (from === SUSPENDED) return left(counted, ending);
  switch (counted.intent.status) {
    case SUSPENDED:
      return suspended(counted);
    case "completed":
      return weave(counted, freeDependents(counted));
    case "abandoned":
      return abandoned(counted);
    default:
      return counted;
  }
}

function suspended(story: Story): Story {
  const told = blockTasks(markMember(story, true));
  const pausing = covering(told.intent, told.world, "block_dependents");
  const wired = pausing.length === 0 ? [] : wiredDrafts(told);
  const blocked = weave(told, blockDependents(told, wired));
  return pausing.length === 0 ? blocked : tellDependentsBlocked(blocked, pausing, wiredIds(told));
}

/** Phases that are not begun yet and take what this one brings. */
function wiredDrafts({ intent, world }: Story): readonly Intent[] {
  const drafts = dependentsOf(intent, world).filter(({ status }) => status === "draft");
  return drafts.filter((dependent) => isWiredTo(dependent, intent));
}

function wiredIds({ intent, world }: Story): readonly string[] {
  const wired = dependentsOf(intent, world).filter((dependent) => isWiredTo(dependent, intent));
  return wired.filter(({ status }) => status === "draft" || status === "active").map(({ id }) => id);
}

function abandoned(story: Story): Story {
  return endTasks(story, story.intent.abandonmentReason ?? "intent_abandoned");
}

/** The wait is over. Whoever goes on tells the portfolios, and waits again if others are not done. */
function left(story: Story, ending: Ending | undefined): Story {
  const marked = markMember(story, false);
  if (marked.intent.status !== "active") return abandoned(marked);
  const working = unblockTasks(marked, ending?.resolution ?? "cancelled");
  const told = ending === undefined ? working : tellMemberResumed(working, ending);
  return isGateOpen(told.intent, told.world) ? told : block(told, { reason: "dependencies_incomplete" });
}

interface Why {
  readonly reason: string;
  readonly payload?: { readonly upstream_intent_id: string };
}

/** Blocked by what it depends on, which is also what will free it; who blocks by hand frees by hand. */
export function block(story: Story, why: Why): Story {
  const from = story.intent.status;
  const told = tellStatus(story, "blocked", { ...why, change: { blockedBy: "dependencies" } });
  return weave(told, count(told.intent, from, told.at));
}

function unblock(story: Story): Story {
  const told = tellStatus(story, "active", { reason: "dependencies_completed" });
  return weave(told, count(told.intent, "blocked", told.at));
}

/** Whoever works on top of what now waits for a person waits too. */
function blockDependents({ intent, world, at }: Story, paused: readonly Intent[]): readonly Stated[] {
  const working = dependentsOf(intent, world).filter(({ status }) => status === "active");
  return [...working, ...paused].flatMap((dependent) => {
    const why = { reason: "upstream_suspended", payload: { upstream_intent_id: intent.id } };
    return block(moved(dependent, world, at), why).facts;
  });
}

function moved(intent: Intent, world: World, at: number): Story {
  return begin({ ...intent, version: intent.version + 1, updatedAt: at }, world, at, SYSTEM);
}

/** One dependency less for all of them, and those that waited for nothing else go on. */
function freeDependents({ intent, world, at }: Story): readonly Stated[] {
  return dependentsOf(intent, world).flatMap((dependent) => {
    const unmet = unmetOf(dependent).filter((id) => id !== intent.id);
    const freed = unmet.length === 0 && dependent.blockedBy === "dependencies";
    if (freed) return unblock(moved({ ...dependent, unmet }, world, at)).facts;
    return note(begin(dependent, world, at, SYSTEM), { unmet }).facts;
  });
}

/** After its dependencies have changed: nobody works on what waits for a person, and nobody waits for nothing. */
export function fitToDependencies(story: Story): Story {
  const { intent, world } = story;
  if (intent.status === "active") {
    const upstream = suspendedUpstream(intent, world);
    if (upstream === undefined) return story;
    return block(story, { reason: "upstream_suspended", payload: { upstream_intent_id: upstream } });
  }
  return intent.blockedBy === "dependencies" && unmetOf(intent).length === 0 ? unblock(story) : story;
}
