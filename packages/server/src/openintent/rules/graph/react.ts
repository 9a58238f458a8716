/**
 * What a change of one intent's status does to others, in the same commit. Called where statuses change and nowhere else, so
 * no door can forget it. Reactions reach one step: who is blocked or freed by another does not move anybody in turn.
 */

import { SYSTEM } from "../../../kernel/principal.ts";
import { covering, logDependentsBlocked } from "../coordinator/cover.ts";
import { type Intent, type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import { begin, changeIntent, type IntentLog, logStatus } from "../intent/intent-log.ts";
import { blockTasks, endTasks, unblockTasks } from "../plan/mirror.ts";
import { type Ending, logMemberResumed, markMember } from "../portfolio/watch.ts";
import { isWiredTo } from "../workflow/inputs.ts";
import type { Draft } from "../world.ts";
import { dependentsOf } from "./dependents.ts";
import { isGateOpen, suspendedUpstream, unmetOf } from "./gate.ts";
import { count } from "./status-counts.ts";

/** The story is at its intent's new status; `from` is the one before. */
export function react(intentLog: IntentLog, from: IntentStatus, ending?: Ending): IntentLog {
  count(intentLog, from);
  if (from === SUSPENDED) return left(intentLog, ending);
  switch (intentLog.intent.status) {
    case SUSPENDED:
      return suspended(intentLog);
    case "completed":
      freeDependents(intentLog);
      return intentLog;
    case "abandoned":
      return abandoned(intentLog);
    default:
      return intentLog;
  }
}

function suspended(intentLog: IntentLog): IntentLog {
  const told = blockTasks(markMember(intentLog, true));
  const pausing = covering(told.intent, told.draft, "block_dependents");
  const wired = pausing.length === 0 ? [] : wiredDrafts(told);
  const pausedIds = pausing.length === 0 ? [] : wiredIds(told);
  blockDependents(told, wired);
  return pausing.length === 0 ? told : logDependentsBlocked(told, pausing, pausedIds);
}

/** Phases that are not begun yet and take what this one brings. */
function wiredDrafts({ intent, draft }: IntentLog): readonly Intent[] {
  const drafts = dependentsOf(intent, draft).filter(({ status }) => status === "draft");
  return drafts.filter((dependent) => isWiredTo(dependent, intent));
}

function wiredIds({ intent, draft }: IntentLog): readonly string[] {
  const wired = dependentsOf(intent, draft).filter((dependent) => isWiredTo(dependent, intent));
  return wired.filter(({ status }) => status === "draft" || status === "active").map(({ id }) => id);
}

function abandoned(intentLog: IntentLog): IntentLog {
  return endTasks(intentLog, intentLog.intent.abandonmentReason ?? "intent_abandoned");
}

/** The wait is over. Whoever goes on tells the portfolios, and waits again if others are not done. */
function left(intentLog: IntentLog, ending: Ending | undefined): IntentLog {
  const marked = markMember(intentLog, false);
  if (marked.intent.status !== "active") return abandoned(marked);
  const working = unblockTasks(marked, ending?.resolution ?? "cancelled");
  const told = ending === undefined ? working : logMemberResumed(working, ending);
  return isGateOpen(told.intent, told.draft) ? told : block(told, { reason: "dependencies_incomplete" });
}

interface Why {
  readonly reason: string;
  readonly payload?: { readonly upstream_intent_id: string };
}

/** Blocked by what it depends on, which is also what will free it; who blocks by hand frees by hand. */
export function block(intentLog: IntentLog, why: Why): IntentLog {
  const from = intentLog.intent.status;
  const told = logStatus(intentLog, "blocked", { ...why, change: { blockedBy: "dependencies" } });
  count(told, from);
  return told;
}

function unblock(intentLog: IntentLog): IntentLog {
  const told = logStatus(intentLog, "active", { reason: "dependencies_completed" });
  count(told, "blocked");
  return told;
}

/** Whoever works on top of what now waits for a person waits too. */
function blockDependents({ intent, draft, at }: IntentLog, paused: readonly Intent[]): void {
  const working = dependentsOf(intent, draft).filter(({ status }) => status === "active");
  const why = { reason: "upstream_suspended", payload: { upstream_intent_id: intent.id } };
  for (const dependent of [...working, ...paused]) block(moved(dependent, draft, at), why);
}

function moved(intent: Intent, draft: Draft, at: number): IntentLog {
  return begin({ ...intent, version: intent.version + 1, updatedAt: at }, draft, at, SYSTEM);
}

/** One dependency less for all of them, and those that waited for nothing else go on. */
function freeDependents({ intent, draft, at }: IntentLog): void {
  for (const dependent of dependentsOf(intent, draft)) {
    const unmet = unmetOf(dependent).filter((id) => id !== intent.id);
    if (unmet.length === 0 && dependent.blockedBy === "dependencies") {
      unblock(moved({ ...dependent, unmet }, draft, at));
    } else changeIntent(begin(dependent, draft, at, SYSTEM), { unmet });
  }
}

/** After its dependencies have changed: nobody works on what waits for a person, and nobody waits for nothing. */
export function fitToDependencies(intentLog: IntentLog): IntentLog {
  const { intent, draft } = intentLog;
  if (intent.status === "active") {
    const upstream = suspendedUpstream(intent, draft);
    if (upstream === undefined) return intentLog;
    return block(intentLog, { reason: "upstream_suspended", payload: { upstream_intent_id: upstream } });
  }
  return intent.blockedBy === "dependencies" && unmetOf(intent).length === 0 ? unblock(intentLog) : intentLog;
}
