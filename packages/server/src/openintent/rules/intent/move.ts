/** Changes an intent's status and applies the effects on other intents. */

import { react } from "../graph/react.ts";
import type { IntentStatus } from "./intent.ts";
import { type IntentLog, logStatus, type StatusDetails } from "./intent-log.ts";

export function moveTo(intentLog: IntentLog, to: IntentStatus, more: StatusDetails = {}): IntentLog {
  return react(logStatus(intentLog, to, more), intentLog.intent.status, more.ending);
}
