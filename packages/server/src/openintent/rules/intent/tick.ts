/** What the clock has decided about an intent itself; what it decides about the question belongs to the hold. */

import { isPast } from "../../../kernel/hold/hold.ts";
import { stateDue } from "../../../kernel/hold/tick.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { DEADLINE_EXCEEDED } from "../portfolio/deadline.ts";
import type { Draft } from "../world.ts";
import { aclOf, logAccess } from "./acl.ts";
import { type Intent, isEnded, openSuspension, SUSPENDED } from "./intent.ts";
import { begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { lapseLeases } from "./leases.ts";
import { eventsMax } from "./listeners.ts";
import { moveTo } from "./move.ts";
import { logRetryDue } from "./retry.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** The next moment at which this intent wants to be looked at; `null`: never. */
export function intentDueAt(intent: Intent): number | null {
  const access = aclOf(intent).entries.map(({ expiresAt = NEVER }) => expiresAt);
  // While a person is being waited for, neither leases nor retries run out.
  const work = intent.status === SUSPENDED ? deadlineDue(intent) : workDue(intent);
  const due = Math.min(...access, ...work);
  return due === NEVER ? null : due;
}

function workDue(intent: Intent): readonly number[] {
  const leases = intent.leases.filter(({ status }) => status === "active").map(({ expiresAt }) => expiresAt);
  return intent.retry === undefined || isEnded(intent) ? leases : [...leases, intent.retry.at];
}

/** A question has its deadline on its hold; who suspended without asking has none. */
function deadlineDue({ asker, deadlineAt }: Intent): readonly number[] {
  return asker === undefined || deadlineAt === undefined ? [] : [deadlineAt];
}

/** Expiry of the question first: it decides whether leases may run out. */
export function stateIntentDue(intent: Intent, draft: Draft, now: number): void {
  const ref = openSuspension(intent);
  const hold = ref === undefined ? undefined : draft.get("hold", ref.holdId);
  const [deadlineAt = NEVER] = intent.status === SUSPENDED ? deadlineDue(intent) : [];
  if (hold !== undefined && isPast(hold, now)) stateDue(hold, draft, now);
  else if (deadlineAt <= now) giveUpBare(intent, draft, deadlineAt);
  else logRetryDue(lapseLeases(expireAccess(begin(intent, draft, now, SYSTEM))));
}

/** Nothing was asked yet, so there is no question to expire. */
function giveUpBare(intent: Intent, draft: Draft, at: number): void {
  const { asker: _asker, ...rest } = intent;
  const reason = DEADLINE_EXCEEDED;
  const change = { abandonmentReason: reason };
  moveTo(nextVersion(begin(rest, draft, at, SYSTEM)), "abandoned", { reason, change });
}

/** Those that are left expire at the next tick, which is due at once. */
function expireAccess(intentLog: IntentLog): IntentLog {
  const { entries: all } = aclOf(intentLog.intent);
  const over = all.filter(({ expiresAt = NEVER }) => expiresAt <= intentLog.at);
  return over.slice(0, eventsMax(intentLog.intent, intentLog.draft)).reduce((told, entry) => {
    const acl = aclOf(told.intent);
    const entries = acl.entries.filter((other) => other !== entry);
    return logAccess(told, "access_expired", entry, { ...acl, entries });
  }, intentLog);
}
