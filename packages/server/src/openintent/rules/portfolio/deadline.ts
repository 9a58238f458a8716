/**
 * A portfolio's deadline as its members know it. Each member keeps the earliest of its portfolios', and so does the hold that
 * suspends it: the clock then needs to look at neither portfolio nor list.
 */

import { about } from "../../../kernel/hold/about.ts";
import { type Principal, SYSTEM } from "../../../kernel/principal.ts";
import { type Intent, openSuspension } from "../intent/intent.ts";
import { begin, changeIntent } from "../intent/intent-log.ts";
import type { Draft, Need, World } from "../world.ts";
import type { Portfolio } from "./portfolio.ts";

/** Passed while a member waits for a person: it is given up, whatever its fallback says. */
export const PORTFOLIO_DEADLINE = "portfolio_deadline";
export const DEADLINE_EXCEEDED = "portfolio_deadline_exceeded";

/** What an intent whose deadline may change must show. */
export function deadlineNeeds(intent: Intent): readonly Need[] {
  const others = (intent.portfolios ?? []).map((id) => ({ kind: "portfolio", id, read: true }) as const);
  const open = openSuspension(intent);
  return open === undefined ? others : [...others, { kind: "hold", id: open.holdId }];
}

/** Of several the earliest. `now` is how the portfolio that changes will be. */
function earliest(intent: Intent, world: World, now?: Portfolio): number | undefined {
  const { portfolios = [] } = intent;
  const moments = portfolios.flatMap((id) => {
    const portfolio = now?.id === id ? now : world.get("portfolio", id);
    return portfolio?.deadlineAt === undefined ? [] : [portfolio.deadlineAt];
  });
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** The intent with the deadline that counts for it now. */
export function withDeadline(intent: Intent, world: World, now?: Portfolio): Intent {
  const deadlineAt = earliest(intent, world, now);
  if (deadlineAt === intent.deadlineAt) return intent;
  const { deadlineAt: _before, ...rest } = intent;
  return deadlineAt === undefined ? rest : { ...rest, deadlineAt };
}

/** The hold that suspends the intent takes over the intent's deadline, where it differs from `before`. */
export function stateHoldDeadline(intent: Intent, before: Intent, draft: Draft, at: number): void {
  const { deadlineAt } = intent;
  const open = openSuspension(intent);
  const hold = open === undefined ? undefined : draft.get("hold", open.holdId);
  if (hold === undefined || deadlineAt === before.deadlineAt) return;
  const fact = { type: "hold.deadline_set", ...(deadlineAt === undefined ? {} : { deadlineAt }) } as const;
  draft.state(about(hold, fact, at, SYSTEM));
}

/** The same for a member that changes in no other way. */
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
