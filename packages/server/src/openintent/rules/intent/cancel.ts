/** Cancels the suspension of an intent: nobody decided, and the agent continues. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { cancelled } from "../../../kernel/hold/cancel.ts";
import { endHold, settle } from "../../../kernel/hold/settle.ts";
import { whyNotCancel } from "../../../kernel/hold/who.ts";
import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import type { CancelSuspension } from "./commands.ts";
import { logEnding } from "./ending.ts";
import { type Asker, type Intent, SUSPENDED } from "./intent.ts";
import { begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { restoreLeases } from "./leases.ts";
import { whyClosed, whyMismatch } from "./mismatch.ts";
import { moveTo } from "./move.ts";
import { openHoldOf } from "./open-hold.ts";
import { actorOf, whyNot } from "./who.ts";

export function cancelSuspension(
  command: CancelSuspension,
  intent: Intent,
  draft: Draft,
  { now }: Context,
): Reply {
  const { by, suspensionId, reason } = command;
  const denied = whyNot(intent, by, "write", now);
  if (denied !== null) return refuse(denied);
  if (intent.status !== SUSPENDED) return refuse(whyClosed(intent, suspensionId, draft));
  if (intent.asker !== undefined) return cancelUnasked(intent, intent.asker, by, draft, now);
  const { ref, hold } = openHoldOf(intent, draft);
  const mismatch = whyMismatch(ref, suspensionId);
  if (mismatch !== null) return refuse(mismatch);
  const stopped = whyNotCancel(hold, by, undefined);
  if (stopped !== null) return refuse(stopped);
  const outcome = cancelled({ by, ...(reason === undefined ? {} : { reason }) }, now);
  settle(hold, outcome, draft, by);
  return accept(intent.id);
}

/** There is no hold yet. The agent that suspended the intent may undo it, and so may people. */
function cancelUnasked(intent: Intent, asker: Asker, by: Principal, draft: Draft, now: number): Reply {
  if (!mayOperate(by) && asker.name !== actorOf(by)) {
    return refuse(
      failure(
        "not_allowed",
        "only the agent that suspended the intent or a person may cancel the suspension",
      ),
    );
  }
  const { asker: _asker, ...rest } = intent;
  const intentLog = moveTo(nextVersion(begin(rest, draft, now, by)), "active", {
    reason: "suspension_cancelled",
  });
  restoreLeases(intentLog);
  return accept(intent.id);
}

/** Cancels the suspension as part of a state patch. */
export function cancelInLog(intentLog: IntentLog, by: Principal): IntentLog | Failure {
  const { hold } = openHoldOf(intentLog.intent, intentLog.draft);
  const stopped = whyNotCancel(hold, by, undefined);
  if (stopped !== null) return stopped;
  const outcome = cancelled({ by }, intentLog.at);
  endHold(hold, outcome, intentLog.draft, by);
  return logEnding(intentLog, hold, outcome);
}
