/** Blocks an intent by the server, and unblocks it. */

import { type IntentLog, logStatus } from "../intent/intent-log.ts";
import { count } from "./status-counts.ts";

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

export function unblock(intentLog: IntentLog): IntentLog {
  const log = logStatus(intentLog, "active", { reason: "dependencies_completed" });
  count(log, "blocked");
  return log;
}
