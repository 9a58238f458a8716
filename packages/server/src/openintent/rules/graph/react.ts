/**
 * Applies the effects of one intent's status change to other intents, in the same commit. Every status change goes through
 * this function, so no door can forget it. Effects reach one step: an intent that is blocked or unblocked here does not
 * trigger further changes.
 */

import { SYSTEM } from "../../../kernel/principal.ts";
import { covering, logDependentsBlocked } from "../coordinator/cover.ts";
import { type Intent, type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import { begin, changeIntent, type IntentLog, logStatus } from "../intent/intent-log.ts";
import { blockTasks, endTasks, unblockTasks } from "../plan/mirror.ts";
import { type Ending, logMemberResumed, markMember } from "../portfolio/watch.ts";
import { wiringOf } from "../workflow/inputs.ts";
import type { Draft } from "../world.ts";
import { dependentsOf } from "./dependents.ts";
import { isGateOpen, suspendedUpstream, unmetOf } from "./gate.ts";
import { count } from "./status-counts.ts";

/** `intentLog` already has the new status; `from` is the status before it. */
export function react(intentLog: IntentLog, from: IntentStatus, ending?: Ending): IntentLog {
  count(intentLog, from);
  if (from === SUSPENDED) return afterSuspension(intentLog, ending);
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
  const log = blockTasks(markMember(intentLog, true));
  const pausing = covering(log.intent, log.draft, "block_dependents");
  const paused = pausing.length === 0 ? [] : wiredTo(log);
  blockDependents(
    log,
    paused.filter(({ status }) => status === "draft"),
  );
  const pausedIds = paused.map(({ id }) => id);
  return pausing.length === 0 ? log : logDependentsBlocked(log, pausing, pausedIds);
}

/** Dependents in draft or at work that take input from this intent. */
function wiredTo({ intent, draft }: IntentLog): readonly Intent[] {
  const waiting = dependentsOf(intent, draft).filter(
    ({ status }) => status === "draft" || status === "active",
  );
  return waiting.filter((dependent) => wiringOf(dependent)(intent));
}

function abandoned(intentLog: IntentLog): IntentLog {
  return endTasks(intentLog, intentLog.intent.abandonmentReason ?? "intent_abandoned");
}

/** The suspension ended. An intent that goes on notifies its portfolios, and blocks again if its gate is not open. */
function afterSuspension(intentLog: IntentLog, ending: Ending | undefined): IntentLog {
  const marked = markMember(intentLog, false);
  if (marked.intent.status !== "active") return abandoned(marked);
  const working = unblockTasks(marked, ending?.resolution ?? "cancelled");
  const log = ending === undefined ? working : logMemberResumed(working, ending);
  return isGateOpen(log.intent, log.draft) ? log : block(log, { reason: "dependencies_incomplete" });
}

interface Why {
  readonly reason: string;
  readonly payload?: { readonly upstream_intent_id: string };
}

/** `blockedBy: "dependencies"` lets the dependencies unblock it again. An intent blocked by hand is unblocked by hand. */
export function block(intentLog: IntentLog, why: Why): IntentLog {
  const from = intentLog.intent.status;
  const log = logStatus(intentLog, "blocked", { ...why, change: { blockedBy: "dependencies" } });
  count(log, from);
  return log;
}

function unblock(intentLog: IntentLog): IntentLog {
  const log = logStatus(intentLog, "active", { reason: "dependencies_completed" });
  count(log, "blocked");
  return log;
}

/** Blocks every active dependent of an intent that was just suspended, and the drafts in `paused`. */
function blockDependents({ intent, draft, at }: IntentLog, paused: readonly Intent[]): void {
  const working = dependentsOf(intent, draft).filter(({ status }) => status === "active");
  const why = { reason: "upstream_suspended", payload: { upstream_intent_id: intent.id } };
  for (const dependent of [...working, ...paused]) block(moved(dependent, draft, at), why);
}

function moved(intent: Intent, draft: Draft, at: number): IntentLog {
  return begin({ ...intent, version: intent.version + 1, updatedAt: at }, draft, at, SYSTEM);
}

/** Removes the completed intent from its dependents' unmet lists, and unblocks those that waited for nothing else. */
function freeDependents({ intent, draft, at }: IntentLog): void {
  for (const dependent of dependentsOf(intent, draft)) {
    const unmet = unmetOf(dependent).filter((id) => id !== intent.id);
    if (unmet.length === 0 && dependent.blockedBy === "dependencies") {
      unblock(moved({ ...dependent, unmet }, draft, at));
    } else changeIntent(begin(dependent, draft, at, SYSTEM), { unmet });
  }
}

/** Called after the dependencies changed: blocks an active intent with a suspended dependency, unblocks one with none unmet. */
export function fitToDependencies(intentLog: IntentLog): IntentLog {
  const { intent, draft } = intentLog;
  if (intent.status === "active") {
    const upstream = suspendedUpstream(intent, draft);
    if (upstream === undefined) return intentLog;
    return block(intentLog, { reason: "upstream_suspended", payload: { upstream_intent_id: upstream } });
  }
  return intent.blockedBy === "dependencies" && unmetOf(intent).length === 0 ? unblock(intentLog) : intentLog;
}
