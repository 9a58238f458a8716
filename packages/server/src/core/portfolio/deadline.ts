/**
 * A portfolio's deadline as its members know it. Each member keeps the earliest of its portfolios', and so does the hold that
 * suspends it: the clock then needs to look at neither portfolio nor list.
 */

import type { Stated } from "../fact.ts";
import { about } from "../hold/settle.ts";
import { type Intent, openSuspension } from "../intent/intent.ts";
import { begin, note } from "../intent/story.ts";
import { type Principal, SYSTEM } from "../principal.ts";
import type { Need, World } from "../world.ts";
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

/** The intent as it will be, and the same for its hold. Facts only where something differs. */
export function withDeadline(
  intent: Intent,
  world: World,
  at: number,
  now?: Portfolio,
): { readonly intent: Intent; readonly facts: readonly Stated[] } {
  const deadlineAt = earliest(intent, world, now);
  if (deadlineAt === intent.deadlineAt) return { intent, facts: [] };
  const { deadlineAt: _before, ...rest } = intent;
  const changed: Intent = deadlineAt === undefined ? rest : { ...rest, deadlineAt };
  const open = openSuspension(intent);
  const hold = open === undefined ? undefined : world.get("hold", open.holdId);
  if (hold === undefined) return { intent: changed, facts: [] };
  const fact = { type: "hold.deadline_set", ...(deadlineAt === undefined ? {} : { deadlineAt }) } as const;
  return { intent: changed, facts: [about(hold, fact, at, SYSTEM)] };
}

/** The same for a member that changes in no other way. */
export function memberDeadline(
  member: Intent,
  world: World,
  at: number,
  by: Principal,
  now: Portfolio,
): readonly Stated[] {
  const { intent, facts } = withDeadline(member, world, at, now);
  return intent === member ? [] : [...note(begin(intent, world, at, by), {}).facts, ...facts];
}
