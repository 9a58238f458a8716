/**
 * A portfolio's deadline, copied to its members. Each member stores the earliest deadline of its portfolios, and so does the
 * hold that suspends it. So the timer needs to read neither the portfolio nor its member list.
 */

import { about } from "../../../kernel/hold/about.ts";
import { type Principal, SYSTEM } from "../../../kernel/principal.ts";
import { type Intent, openSuspension } from "../intent/intent.ts";
import { begin, changeIntent } from "../intent/intent-log.ts";
import type { Draft, Need, World } from "../world.ts";
import type { Portfolio } from "./portfolio.ts";

/** The deadline passed while a member was suspended: the member is abandoned, whatever its fallback says. */
export const PORTFOLIO_DEADLINE = "portfolio_deadline";
export const DEADLINE_EXCEEDED = "portfolio_deadline_exceeded";

/** Rows to load before an intent's deadline may change. */
export function deadlineNeeds(intent: Intent): readonly Need[] {
  const others = (intent.portfolios ?? []).map((id) => ({ kind: "portfolio", id, read: true }) as const);
  const open = openSuspension(intent);
  return open === undefined ? others : [...others, { kind: "hold", id: open.holdId }];
}

/** The earliest deadline of the intent's portfolios. `now` replaces the stored version of the portfolio that is changing. */
function earliest(intent: Intent, world: World, now?: Portfolio): number | undefined {
  const { portfolios = [] } = intent;
  const moments = portfolios.flatMap((id) => {
    const portfolio = now?.id === id ? now : world.get("portfolio", id);
    return portfolio?.deadlineAt === undefined ? [] : [portfolio.deadlineAt];
  });
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** The intent with its effective deadline. */
export function withDeadline(intent: Intent, world: World, now?: Portfolio): Intent {
  const deadlineAt = earliest(intent, world, now);
  if (deadlineAt === intent.deadlineAt) return intent;
  const { deadlineAt: _before, ...rest } = intent;
  return deadlineAt === undefined ? rest : { ...rest, deadlineAt };
}

/** Copies the intent's deadline to the hold that suspends it, if it differs from `before`. */
export function stateHoldDeadline(intent: Intent, before: Intent, draft: Draft, at: number): void {
  const { deadlineAt } = intent;
  const open = openSuspension(intent);
  const hold = open === undefined ? undefined : draft.get("hold", open.holdId);
  if (hold === undefined || deadlineAt === before.deadlineAt) return;
  const fact = { type: "hold.deadline_set", ...(deadlineAt === undefined ? {} : { deadlineAt }) } as const;
  draft.state(about(hold, fact, at, SYSTEM));
}

/** Updates the deadline of a member that changes in no other way. */
export function stateMemberDeadline(
  member: Intent,
  draft: Draft,
  at: number,
  by: Principal,
  now: Portfolio,
): void {
  const intent = withDeadline(member, draft, now);
  if (intent === member) return;
  changeIntent(begin(intent, draft, at, by), {});
  stateHoldDeadline(intent, member, draft, at);
}
