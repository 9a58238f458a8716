/** What the clock has decided about an intent itself; what it decides about the question belongs to the hold. */

import type { Stated } from "../fact.ts";
import { isPast } from "../hold/hold.ts";
import { whatIsDue } from "../hold/tick.ts";
import { DEADLINE_EXCEEDED } from "../portfolio/deadline.ts";
import { SYSTEM } from "../principal.ts";
import type { World } from "../world.ts";
import { aclOf, tellAccess } from "./acl.ts";
import { type Intent, isEnded, openSuspension, SUSPENDED } from "./intent.ts";
import { lapseLeases } from "./leases.ts";
import { eventsMax } from "./listeners.ts";
import { moveTo } from "./move.ts";
import { tellRetryDue } from "./retry.ts";
import { begin, bump, type Story } from "./story.ts";

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
export function dueFacts(intent: Intent, world: World, now: number): readonly Stated[] {
  const ref = openSuspension(intent);
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  if (hold !== undefined && isPast(hold, now)) return whatIsDue(hold, world, now);
  const [deadlineAt = NEVER] = intent.status === SUSPENDED ? deadlineDue(intent) : [];
  if (deadlineAt <= now) return giveUpBare(intent, world, deadlineAt);
  const story = begin(intent, world, now, SYSTEM);
  return tellRetryDue(lapseLeases(expireAccess(story))).facts;
}

/** Nothing was asked yet, so there is no question to expire. */
function giveUpBare(intent: Intent, world: World, at: number): readonly Stated[] {
  const { asker: _asker, ...rest } = intent;
  const reason = DEADLINE_EXCEEDED;
  return moveTo(bump(begin(rest, world, at, SYSTEM)), "abandoned", {
    reason,
    change: { abandonmentReason: reason },
  }).facts;
}

/** Those that are left expire at the next tick, which is due at once. */
function expireAccess(story: Story): Story {
  const { entries: all } = aclOf(story.intent);
  const over = all.filter(({ expiresAt = NEVER }) => expiresAt <= story.at);
  return over.slice(0, eventsMax(story.intent, story.world)).reduce((told, entry) => {
    const acl = aclOf(told.intent);
    const entries = acl.entries.filter((other) => other !== entry);
    return tellAccess(told, "access_expired", entry, { ...acl, entries });
  }, story);
}
