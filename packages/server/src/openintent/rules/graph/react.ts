/**
 * What a change of one intent's status does to others, in the same commit. Called where statuses change and nowhere else, so
 * no door can forget it. Reactions reach one step: who is blocked or freed by another does not move anybody in turn.
 */

import { SYSTEM } from "../../../kernel/principal.ts";
import { covering, tellDependentsBlocked } from "../coordinator/cover.ts";
import { type Intent, type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import { begin, note, type Story, tellStatus } from "../intent/intent-log.ts";
import { blockTasks, endTasks, unblockTasks } from "../plan/mirror.ts";
import { type Ending, markMember, tellMemberResumed } from "../portfolio/watch.ts";
import { isWiredTo } from "../workflow/inputs.ts";
import type { Draft } from "../world.ts";
import { dependentsOf } from "./dependents.ts";
import { isGateOpen, suspendedUpstream, unmetOf } from "./gate.ts";
import { count } from "./status-counts.ts";

/** The story is at its intent's new status; `from` is the one before. */
export function react(story: Story, from: IntentStatus, ending?: Ending): Story {
  count(story, from);
  if (from === SUSPENDED) return left(story, ending);
  switch (story.intent.status) {
    case SUSPENDED:
      return suspended(story);
    case "completed":
      freeDependents(story);
      return story;
    case "abandoned":
      return abandoned(story);
    default:
      return story;
  }
}

function suspended(story: Story): Story {
  const told = blockTasks(markMember(story, true));
  const pausing = covering(told.intent, told.draft, "block_dependents");
  const wired = pausing.length === 0 ? [] : wiredDrafts(told);
  const pausedIds = pausing.length === 0 ? [] : wiredIds(told);
  blockDependents(told, wired);
  return pausing.length === 0 ? told : tellDependentsBlocked(told, pausing, pausedIds);
}

/** Phases that are not begun yet and take what this one brings. */
function wiredDrafts({ intent, draft }: Story): readonly Intent[] {
  const drafts = dependentsOf(intent, draft).filter(({ status }) => status === "draft");
  return drafts.filter((dependent) => isWiredTo(dependent, intent));
}

function wiredIds({ intent, draft }: Story): readonly string[] {
  const wired = dependentsOf(intent, draft).filter((dependent) => isWiredTo(dependent, intent));
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
  return isGateOpen(told.intent, told.draft) ? told : block(told, { reason: "dependencies_incomplete" });
}

interface Why {
  readonly reason: string;
  readonly payload?: { readonly upstream_intent_id: string };
}

/** Blocked by what it depends on, which is also what will free it; who blocks by hand frees by hand. */
export function block(story: Story, why: Why): Story {
  const from = story.intent.status;
  const told = tellStatus(story, "blocked", { ...why, change: { blockedBy: "dependencies" } });
  count(told, from);
  return told;
}

function unblock(story: Story): Story {
  const told = tellStatus(story, "active", { reason: "dependencies_completed" });
  count(told, "blocked");
  return told;
}

/** Whoever works on top of what now waits for a person waits too. */
function blockDependents({ intent, draft, at }: Story, paused: readonly Intent[]): void {
  const working = dependentsOf(intent, draft).filter(({ status }) => status === "active");
  const why = { reason: "upstream_suspended", payload: { upstream_intent_id: intent.id } };
  for (const dependent of [...working, ...paused]) block(moved(dependent, draft, at), why);
}

function moved(intent: Intent, draft: Draft, at: number): Story {
  return begin({ ...intent, version: intent.version + 1, updatedAt: at }, draft, at, SYSTEM);
}

/** One dependency less for all of them, and those that waited for nothing else go on. */
function freeDependents({ intent, draft, at }: Story): void {
  for (const dependent of dependentsOf(intent, draft)) {
    const unmet = unmetOf(dependent).filter((id) => id !== intent.id);
    if (unmet.length === 0 && dependent.blockedBy === "dependencies") {
      unblock(moved({ ...dependent, unmet }, draft, at));
    } else note(begin(dependent, draft, at, SYSTEM), { unmet });
  }
}

/** After its dependencies have changed: nobody works on what waits for a person, and nobody waits for nothing. */
export function fitToDependencies(story: Story): Story {
  const { intent, draft } = story;
  if (intent.status === "active") {
    const upstream = suspendedUpstream(intent, draft);
    if (upstream === undefined) return story;
    return block(story, { reason: "upstream_suspended", payload: { upstream_intent_id: upstream } });
  }
  return intent.blockedBy === "dependencies" && unmetOf(intent).length === 0 ? unblock(story) : story;
}
