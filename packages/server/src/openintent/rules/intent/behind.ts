/** Notes on an intent what has not followed its change of status yet. */

import type { Behind, Intent } from "./intent.ts";
import { changeIntent, type IntentLog } from "./intent-log.ts";

export function leaveBehind(intentLog: IntentLog, left: Partial<Omit<Behind, "at">>): IntentLog {
  const { behind: before, ...intent } = intentLog.intent;
  const { dependents = [], tasks = [], resolution } = { ...before, ...left };
  if (areSame(dependents, before?.dependents) && areSame(tasks, before?.tasks)) return intentLog;
  if (dependents.length + tasks.length === 0) return changeIntent({ ...intentLog, intent }, {});
  const ended = resolution === undefined ? {} : { resolution };
  return changeIntent(intentLog, { behind: { at: intentLog.at, dependents, tasks, ...ended } });
}

function areSame(ids: readonly string[], others: readonly string[] = []): boolean {
  return ids.length === others.length && ids.every((id, at) => id === others[at]);
}

/** What is left follows at once. */
export function behindDue({ behind }: Intent): readonly number[] {
  return behind === undefined ? [] : [behind.at];
}
