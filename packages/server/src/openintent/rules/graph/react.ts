/**
 * Applies the effects of one intent's status change to other intents. Every status change goes through this function, so no door
 * can forget it. What the commit has no room for is noted on the intent and follows at once (`follow.ts`). Effects reach one step:
 * an intent that is blocked or unblocked here does not trigger further changes.
 */

import { covering, logDependentsBlocked } from "../coordinator/cover.ts";
import { type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import type { IntentLog } from "../intent/intent-log.ts";
import { blockTasks, endTasks, unblockTasks } from "../plan/mirror.ts";
import { type Ending, logMemberResumed, markMember } from "../portfolio/watch.ts";
import { block, unblock } from "./blocking.ts";
import { blockDependents, dependentsIn, freeDependents } from "./follow.ts";
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
      return freeDependents(intentLog, dependentsIn(intentLog));
    case "abandoned":
      return endTasks(intentLog);
    default:
      return intentLog;
  }
}

function suspended(intentLog: IntentLog): IntentLog {
  const log = blockTasks(markMember(intentLog, true));
  const pausing = covering(log.intent, log.draft, "block_dependents");
  const blocked = blockDependents(log, dependentsIn(log), pausing);
  return logDependentsBlocked(blocked.log, pausing, blocked.paused);
}

/** The suspension ended. An intent that goes on notifies its portfolios, and blocks again if its gate is not open. */
function afterSuspension(intentLog: IntentLog, ending: Ending | undefined): IntentLog {
  const marked = markMember(intentLog, false);
  if (marked.intent.status !== "active") return endTasks(marked);
  const working = unblockTasks(marked, ending?.resolution ?? "cancelled");
  const log = ending === undefined ? working : logMemberResumed(working, ending);
  return isGateOpen(log.intent, log.draft) ? log : block(log, { reason: "dependencies_incomplete" });
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
