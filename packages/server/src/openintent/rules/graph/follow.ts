/**
 * What follows an intent's change of status: the intents that depend on it, and the tasks that execute it. Those for which a commit
 * has no room follow in the next ones, each by the status that the intent has then.
 */

import { SYSTEM } from "../../../kernel/principal.ts";
import type { Coordinator } from "../coordinator/coordinator.ts";
import { covering, coverNeeds, logDependentsBlocked } from "../coordinator/cover.ts";
import { leaveBehind } from "../intent/behind.ts";
import { type Intent, SUSPENDED } from "../intent/intent.ts";
import { begin, changeIntent, type IntentLog } from "../intent/intent-log.ts";
import { followTasks, tasksBehindNeeds } from "../plan/mirror.ts";
import { wiringOf } from "../workflow/inputs.ts";
import type { Draft, Need, World } from "../world.ts";
import { block, unblock } from "./blocking.ts";
import { dependentIds, followersNeeds, loadedOf } from "./dependents.ts";
import { unmetOf } from "./gate.ts";
import { idsIn } from "./paged-ids.ts";

export function dependentsIn({ intent, draft }: IntentLog): readonly string[] {
  return idsIn(dependentIds(intent), draft);
}

/** Blocks the active dependents of a suspended intent, and the drafts among them that its coordinators pause. */
export function blockDependents(
  intentLog: IntentLog,
  ids: readonly string[],
  pausing: readonly Coordinator[],
): { readonly log: IntentLog; readonly paused: readonly string[] } {
  const { intent, draft, at } = intentLog;
  const { dependents: loaded, left } = loadedOf(ids, draft);
  // One that was left behind may depend on other intents by now.
  const dependents = loaded.filter(({ dependsOn }) => dependsOn.includes(intent.id));
  const paused = pausing.length === 0 ? [] : wiredTo(intent, dependents);
  const working = dependents.filter(({ status }) => status === "active");
  const why = { reason: "upstream_suspended", payload: { upstream_intent_id: intent.id } };
  for (const dependent of [...working, ...paused.filter(({ status }) => status === "draft")])
    block(moved(dependent, draft, at), why);
  return { log: leaveBehind(intentLog, { dependents: left }), paused: paused.map(({ id }) => id) };
}

/** Dependents in draft or at work that take input from this intent. */
function wiredTo(intent: Intent, dependents: readonly Intent[]): readonly Intent[] {
  const waiting = dependents.filter(({ status }) => status === "draft" || status === "active");
  return waiting.filter((dependent) => wiringOf(dependent)(intent));
}

/** Removes the completed intent from its dependents' unmet lists, and unblocks those that waited for nothing else. */
export function freeDependents(intentLog: IntentLog, ids: readonly string[]): IntentLog {
  const { intent, draft, at } = intentLog;
  const { dependents, left } = loadedOf(ids, draft);
  for (const dependent of dependents) {
    const unmet = unmetOf(dependent).filter((id) => id !== intent.id);
    if (unmet.length === 0 && dependent.blockedBy === "dependencies") {
      unblock(moved({ ...dependent, unmet }, draft, at));
    } else changeIntent(begin(dependent, draft, at, SYSTEM), { unmet });
  }
  return leaveBehind(intentLog, { dependents: left });
}

function moved(intent: Intent, draft: Draft, at: number): IntentLog {
  return begin({ ...intent, version: intent.version + 1, updatedAt: at }, draft, at, SYSTEM);
}

/** Rows to load before what was left behind may follow. */
export function behindNeeds(intent: Intent, world: World): readonly Need[] {
  const { behind } = intent;
  if (behind === undefined) return [];
  const tasks = tasksBehindNeeds(intent, behind, world);
  switch (intent.status) {
    case SUSPENDED:
      return [...tasks, ...coverNeeds(intent, world), ...followersNeeds(behind.dependents, world)];
    case "completed":
      return [...tasks, ...followersNeeds(behind.dependents, world)];
    default:
      return tasks;
  }
}

/** As many follow as were loaded. The same log is given back if none was. */
export function catchUp(intentLog: IntentLog): IntentLog {
  const { behind } = intentLog.intent;
  if (behind === undefined) return intentLog;
  const log = followTasks(intentLog, behind);
  const { dependents = [] } = log.intent.behind ?? {};
  return dependents.length === 0 ? log : followDependents(log, dependents);
}

/** Dependents follow a suspension and a completion only. */
function followDependents(log: IntentLog, ids: readonly string[]): IntentLog {
  switch (log.intent.status) {
    case SUSPENDED: {
      const pausing = covering(log.intent, log.draft, "block_dependents");
      const blocked = blockDependents(log, ids, pausing);
      return blocked.paused.length === 0
        ? blocked.log
        : logDependentsBlocked(blocked.log, pausing, blocked.paused);
    }
    case "completed":
      return freeDependents(log, ids);
    default:
      return leaveBehind(log, { dependents: [] });
  }
}
