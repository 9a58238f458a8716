/** Changing an intent's status, with all that follows from it. */

import { react } from "../graph/react.ts";
import type { IntentStatus } from "./intent.ts";
import { type IntentLog, logStatus, type StatusWords } from "./intent-log.ts";

export function moveTo(intentLog: IntentLog, to: IntentStatus, more: StatusWords = {}): IntentLog {
  return react(logStatus(intentLog, to, more), intentLog.intent.status, more.ending);
}
