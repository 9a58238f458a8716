/** Places the hold for an intent that has both the suspended status and a record. From here on the ask cannot change (G12). */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import type { HoldIn } from "../../../kernel/hold/commands.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { statePlaced } from "../../../kernel/hold/place.ts";
import { mayPlace, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { askOf } from "./ask-codec.ts";
import { logEscalations } from "./attempts.ts";
import type { MadeHold } from "./commands.ts";
import { attemptsOf, effectivePolicy, windowMsOf } from "./human-retry.ts";
import { suspensionLogId } from "./intent.ts";
import type { IntentLog } from "./intent-log.ts";
import { suspendedAtOf } from "./record.ts";
import { logSuspended } from "./suspend.ts";
import { faceOf, onTimeoutOf } from "./suspension.ts";

export interface Adopted {
  readonly intentLog: IntentLog;
  readonly hold: Hold;
}

/** `by` is the asker. `more` adds fields of the hold that a suspension record cannot express. */
export function adopt(
  intentLog: IntentLog,
  record: JsonObject,
  by: Principal,
  made: MadeHold,
  context: Context,
  more: Partial<HoldIn> = {},
): Adopted | Failure {
  if (!mayPlace(by))
    return failure("not_allowed", `Role '${by.role}' cannot place holds. Use an agent or app key.`);
  const id = record["id"] as string;
  const log = intentLog.draft.get("suspension_log", suspensionLogId(intentLog.intent.id, id));
  if (log?.holdId !== undefined) {
    const problems = [
      {
        key: "/_suspension/id",
        rule: "unique",
        message: "an earlier suspension of this intent used this id",
      },
    ];
    return failure("invalid_record", "this suspension id was already used; choose a new one", { problems });
  }
  const given = { ...holdInOf(intentLog.intent.id, record, made, context), ...more };
  const hold = statePlaced(given, by, intentLog.draft, context);
  // The ask was read from the record, so its problems are problems of the record.
  if ("code" in hold) return { ...hold, code: "invalid_record" };
  return { intentLog: logEscalations(logSuspended(intentLog, hold), hold, 1), hold };
}

function holdInOf(
  intentId: string,
  written: JsonObject,
  { holdId, salt }: MadeHold,
  { now, platform }: Context,
): HoldIn {
  const policy = effectivePolicy(written, platform.retryPolicy);
  const record = policy === undefined ? written : { ...written, retry_policy: policy };
  const windowMs = windowMsOf(record);
  const claimedAt = suspendedAtOf(record, now);
  // If the agent's suspended_at would make the window end before now, the window starts now instead.
  const suspendedAt = windowMs !== null && claimedAt + windowMs <= now ? now : claimedAt;
  return {
    id: holdId,
    salt,
    ask: askOf(record),
    ...(windowMs === null ? {} : { expires: { at: suspendedAt + windowMs } }),
    onTimeout: onTimeoutOf(record),
    rungs: attemptsOf(record, suspendedAt).map(({ at, ...rung }) => ({ ...rung, when: { at } })),
    links: "server",
    attachedTo: { domain: "intent", id: intentId },
    face: faceOf({ id: record["id"] as string, record: written, policy, suspendedAt }),
    newLinks: [],
  };
}
