/** Logs repeated notification attempts on the suspended intent. Nothing else about the intent changes. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { PassedRung, Rung } from "../../../kernel/hold/time.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import type { Draft } from "../world.ts";
import { type EscalationStep, maxAttemptsOf, stepsAt } from "./human-retry.ts";
import { type Intent, openSuspension, suspensionLogId } from "./intent.ts";
import { append, begin, type IntentLog } from "./intent-log.ts";
import { effectiveRecord, suspensionIdOf } from "./suspension.ts";
import { wireTime } from "./wire-time.ts";

/** Logs the attempts that have passed on the hold, in order. Reminders are not attempts. */
export function logAttempts(
  intent: Intent,
  hold: Hold,
  passed: readonly PassedRung[],
  draft: Draft,
  at: number,
): void {
  if (openSuspension(intent)?.holdId !== hold.id) return;
  const attempts = passed.map(({ rung }) => rung).filter(({ kind }) => kind === "attempt");
  const firsts = attempts.filter(({ n }, index) => attempts.findIndex((other) => other.n === n) === index);
  firsts.reduce(
    (intentLog, rung) => logEscalations(logAgain(intentLog, hold, rung), hold, rung.n),
    begin(intent, draft, at, SYSTEM),
  );
}

function logAgain(intentLog: IntentLog, hold: Hold, { n, channel, to, state }: Rung): IntentLog {
  const record = effectiveRecord(hold);
  const next = hold.rungs.find((rung) => rung.kind === "attempt" && rung.n > n);
  return logOnce(intentLog, hold, `intent.suspension_renotified ${n}`, {
    suspension_id: suspensionIdOf(hold),
    attempt: n,
    max_attempts: record === undefined ? lastAttempt(hold) : maxAttemptsOf(record),
    channel_hint: channel ?? null,
    notify_to: to ?? null,
    next_attempt_at: next === undefined ? null : wireTime(next.at),
    ...(state === "missed" ? { delivery: "missed" } : {}),
  });
}

function lastAttempt({ rungs }: Hold): number {
  return Math.max(1, ...rungs.filter(({ kind }) => kind === "attempt").map(({ n }) => n));
}

/** Logs one escalation for each ladder entry of this attempt. */
export function logEscalations(intentLog: IntentLog, hold: Hold, attempt: number): IntentLog {
  const rungs = hold.rungs.filter(({ kind, n }) => kind === "attempt" && n === attempt);
  return stepsOn(hold, rungs, attempt).reduce((log, { channel, to }, index) => {
    const as = `intent.suspension_escalated ${attempt}${index === 0 ? "" : ` +${index}`}`;
    const blocked = to !== undefined && rungs.some((rung) => rung.to === to && rung.blocked === true);
    return logOnce(log, hold, as, {
      suspension_id: suspensionIdOf(hold),
      attempt,
      escalated_to: to ?? null,
      channel_hint: channel ?? rungs.find((rung) => rung.channel !== undefined)?.channel ?? null,
      ...(blocked ? { delivery: "blocked" } : {}),
    });
  }, intentLog);
}

/** For a hold placed through another face, every rung with a channel counts as a ladder entry. */
function stepsOn(hold: Hold, rungs: readonly Rung[], attempt: number): readonly EscalationStep[] {
  const record = effectiveRecord(hold);
  if (record !== undefined) return stepsAt(record, attempt);
  return rungs.flatMap(({ channel, to }) =>
    channel === undefined ? [] : [{ attempt, channel, ...(to === undefined ? {} : { to }) }],
  );
}

/** Skips an event that was already logged: the agent may have logged it itself. */
function logOnce(intentLog: IntentLog, hold: Hold, as: string, payload: JsonObject): IntentLog {
  const suspensionId = suspensionIdOf(hold);
  const logId = suspensionLogId(intentLog.intent.id, suspensionId);
  const log = intentLog.draft.get("suspension_log", logId);
  if (log?.told[as] !== undefined) return intentLog;
  const type = as.slice(0, as.indexOf(" "));
  return append(intentLog, { type, payload, loggedOnce: { suspensionId, holdId: hold.id, as } });
}
