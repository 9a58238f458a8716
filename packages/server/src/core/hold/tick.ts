/** What the clock has decided about a hold (G3). Asked by timers, and by whoever looks at a hold whose time has come. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { attemptFacts } from "../intent/attempts.ts";
import { PORTFOLIO_DEADLINE } from "../portfolio/deadline.ts";
import { SYSTEM } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { worldAfter } from "../world-after.ts";
import type { TickHold } from "./commands.ts";
import { allFiles, outdated } from "./files.ts";
import { endsAt, type Hold, isOpen, isPast, type Outcome } from "./hold.ts";
import { about, settle } from "./settle.ts";
import { eraseAt, passRungs } from "./time.ts";

export function tickHold(command: TickHold, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  if (hold === undefined) return refuse(refusal("not_found", "no such hold"));
  const due = whatIsDue(hold, world, now);
  const after = worldAfter(world, due).get("hold", hold.id) as Hold;
  return accept("hold", hold.id, [...due, ...afterTheEnd(after, now)]);
}

/** What has become due on an open hold. `endedBefore`: members of the same group that this very decision has ended already. */
export function whatIsDue(
  hold: Hold,
  world: World,
  now: number,
  endedBefore?: ReadonlySet<string>,
): readonly Stated[] {
  if (isPast(hold, now)) return expire(hold, world, endedBefore);
  return isOpen(hold) ? [...tellPeople(hold, world, now, false), ...outdated(hold, now)] : [];
}

/** Expiry happens at its moment, however late anybody looks; what was not sent before it is missed. */
function expire(hold: Hold, world: World, endedBefore?: ReadonlySet<string>): readonly Stated[] {
  const at = endsAt(hold);
  const outcome = expiredAt(hold, at);
  const missed = tellPeople(hold, world, at, true);
  const then = worldAfter(world, missed);
  return [...missed, ...settle(then.get("hold", hold.id) as Hold, outcome, then, SYSTEM, endedBefore)];
}

/** A deadline overrules what was to happen on a timeout, at the very moment of the timeout too. */
function expiredAt({ onTimeout, deadlineAt }: Hold, at: number): Outcome {
  if (deadlineAt === at)
    return { kind: "expired", at, default: { action: "abort" }, reason: PORTFOLIO_DEADLINE };
  return { kind: "expired", at, ...(onTimeout === undefined ? {} : { default: onTimeout }) };
}

function tellPeople(hold: Hold, world: World, at: number, expired: boolean): readonly Stated[] {
  const passed = passRungs(hold, at, expired);
  const told = passed.map(({ index, rung }) => {
    const type = rung.kind === "attempt" ? "hold.escalated" : "hold.reminded";
    return about(hold, { type, index, rung }, at, SYSTEM);
  });
  return [...attemptFacts(hold, passed, world, at), ...told];
}

function afterTheEnd(hold: Hold, now: number): readonly Stated[] {
  const facts: Stated[] = [];
  if (hold.claim?.state === "claimed" && hold.claim.until <= now) {
    const claim = { ...hold.claim, state: "unknown", endedAt: now } as const;
    facts.push(about(hold, { type: "hold.claim_unknown", claim }, now, SYSTEM));
  }
  const erase = eraseAt(hold);
  if (erase !== null && erase <= now) {
    facts.push(...allFiles(hold, now, SYSTEM), about(hold, { type: "hold.erased" }, now, SYSTEM));
  }
  return facts;
}
