/** Applies an intent's own timers. The expiry of its ask belongs to the hold. */

import { isPast } from "../../../kernel/hold/hold.ts";
import { stateDue } from "../../../kernel/hold/tick.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { catchUp } from "../graph/follow.ts";
import { DEADLINE_EXCEEDED } from "../portfolio/deadline.ts";
import { withdrawRequests } from "../request/withdraw.ts";
import type { Draft } from "../world.ts";
import { aclOf, logAccess } from "./acl.ts";
import { behindDue } from "./behind.ts";
import { type Intent, isEnded, openSuspension, SUSPENDED } from "./intent.ts";
import { begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { lapseLeases } from "./leases.ts";
import { eventsMax } from "./listeners.ts";
import { moveTo } from "./move.ts";
import { logRetryDue } from "./retry.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** The next moment when a timer of this intent is due; `null` if there is none. */
export function intentDueAt(intent: Intent): number | null {
  const access = aclOf(intent).entries.map(({ expiresAt = NEVER }) => expiresAt);
  // While the intent is suspended, leases and retries do not come due.
  const work = intent.status === SUSPENDED ? deadlineDue(intent) : workDue(intent);
  const due = Math.min(...access, ...work, ...behindDue(intent));
  return due === NEVER ? null : due;
}

function workDue(intent: Intent): readonly number[] {
  const leases = intent.leases.filter(({ status }) => status === "active").map(({ expiresAt }) => expiresAt);
  return intent.retry === undefined || isEnded(intent) ? leases : [...leases, intent.retry.at];
}

/** If there is a hold, the hold has the deadline. This is the deadline of an intent suspended without a record. */
function deadlineDue({ asker, deadlineAt }: Intent): readonly number[] {
  return asker === undefined || deadlineAt === undefined ? [] : [deadlineAt];
}

/** The hold's expiry comes before leases, because it decides whether they may expire. */
export function stateIntentDue(intent: Intent, draft: Draft, now: number): void {
  const start = begin(intent, draft, now, SYSTEM);
  if (catchUp(start) !== start) return;
  const ref = openSuspension(intent);
  const hold = ref === undefined ? undefined : draft.get("hold", ref.holdId);
  const [deadlineAt = NEVER] = intent.status === SUSPENDED ? deadlineDue(intent) : [];
  if (hold !== undefined && isPast(hold, now)) stateDue(hold, draft, now);
  else if (deadlineAt <= now) abandonUnasked(intent, draft, deadlineAt);
  else logRetryDue(lapseLeases(expireAccess(start)));
}

/** The intent is suspended without a record, so there is no hold to expire. */
function abandonUnasked(intent: Intent, draft: Draft, at: number): void {
  const { asker: _asker, ...rest } = intent;
  const reason = DEADLINE_EXCEEDED;
  const change = { abandonmentReason: reason };
  moveTo(nextVersion(begin(rest, draft, at, SYSTEM)), "abandoned", { reason, change });
  withdrawRequests(intent.id, draft, SYSTEM, at);
}

/** Expires as many entries as one command may log. The rest expire at the next tick, which is due at once. */
function expireAccess(intentLog: IntentLog): IntentLog {
  const { entries: all } = aclOf(intentLog.intent);
  const over = all.filter(({ expiresAt = NEVER }) => expiresAt <= intentLog.at);
  return over.slice(0, eventsMax(intentLog.intent, intentLog.draft, intentLog.at)).reduce((log, entry) => {
    const acl = aclOf(log.intent);
    const entries = acl.entries.filter((other) => other !== entry);
    return logAccess(log, "access_expired", entry, { ...acl, entries });
  }, intentLog);
}
