/** Who belongs to a portfolio. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { join, joinNeeds, leave, leaveNeeds } from "../graph/roll.ts";
import { counted, countNeeds, membersTallyId } from "../graph/tally.ts";
import { type Intent, SUSPENDED } from "../intent/intent.ts";
import { begin, tell, weave } from "../intent/story.ts";
import { whyNot } from "../intent/who.ts";
import { refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import type { AddMember, RemoveMember } from "./commands.ts";
import { deadlineNeeds, withDeadline } from "./deadline.ts";
import { statePortfolio } from "./decide.ts";
import { type Membership, membershipId, membersRoll, type Portfolio } from "./portfolio.ts";

const PORTFOLIOS_MAX = 50;

export function memberNeeds(command: AddMember | RemoveMember, world: World): readonly Need[] {
  const { portfolioId, intentId } = command;
  const id = membershipId(portfolioId, intentId);
  const portfolio = world.get("portfolio", portfolioId);
  const intent = world.get("intent", intentId);
  const member = world.get("membership", id);
  const { of } = membersRoll({ id: portfolioId });
  const hearers = intent === undefined ? [] : [...deadlineNeeds(intent), ...countNeeds(intent)];
  return [
    { kind: "portfolio", id: portfolioId },
    { kind: "workspace", id: "settings", read: true },
    { kind: "intent", id: intentId },
    { kind: "membership", id },
    { kind: "tally", id: membersTallyId(portfolioId) },
    ...hearers.filter((need) => need.id !== portfolioId),
    ...(portfolio === undefined ? [] : joinNeeds(membersRoll(portfolio))),
    ...(member === undefined ? [] : leaveNeeds(of, member.page)),
  ];
}

interface Both {
  readonly portfolio: Portfolio;
  readonly intent: Intent;
}

function bothOf({ portfolioId, intentId, by }: AddMember | RemoveMember, world: World, now: number) {
  const portfolio = world.get("portfolio", portfolioId);
  if (portfolio === undefined) return refusal("not_found", "no such portfolio");
  const intent = world.get("intent", intentId);
  if (intent === undefined) return refusal("not_found", "no such intent");
  return whyNot(intent, by, "write", now) ?? ({ portfolio, intent } satisfies Both);
}

export function addMember(command: AddMember, world: World, { now }: Context): Decision {
  const { by, member } = command;
  const both = bothOf(command, world, now);
  if ("code" in both) return refuse(both);
  const { portfolio, intent } = both;
  const { portfolios = [] } = intent;
  if (portfolios.includes(portfolio.id)) {
    return refuse(refusal("already_exists", "the intent is in this portfolio already"));
  }
  if (portfolios.length >= PORTFOLIOS_MAX) {
    return refuse(refusal("too_many", `an intent is in ${PORTFOLIOS_MAX} portfolios at most`));
  }
  const joined = join(membersRoll(portfolio), intent.id, world);
  const membership: Membership = {
    ...member,
    portfolioId: portfolio.id,
    intentId: intent.id,
    addedAt: now,
    page: joined.page,
    ...(intent.status === SUSPENDED ? { suspended: true } : {}),
  };
  const next = withDeadline({ ...intent, portfolios: [...portfolios, portfolio.id] }, world, now);
  const told = tell(begin(next.intent, world, now, by), {
    type: "added_to_portfolio",
    payload: { portfolio_id: portfolio.id, role: member.role, priority: member.priority },
    also: [
      { kind: "membership", id: membershipId(portfolio.id, intent.id), body: membership },
      joined.change,
    ],
  });
  const grown = { ...portfolio, memberPages: joined.pages };
  const data = { intent_id: intent.id, role: member.role };
  const counting = counted(membersTallyId(portfolio.id), { type: "tally.moved", to: intent.status }, now);
  return accept("portfolio", portfolio.id, [
    statePortfolio("portfolio.member_added", grown, by, now, data),
    counting,
    ...weave(told, next.facts).facts,
  ]);
}

export function removeMember(command: RemoveMember, world: World, { now }: Context): Decision {
  const { by } = command;
  const both = bothOf(command, world, now);
  if ("code" in both) return refuse(both);
  const { portfolio, intent } = both;
  const id = membershipId(portfolio.id, intent.id);
  const membership = world.get("membership", id);
  if (membership === undefined) return refuse(refusal("not_found", "the intent is not in this portfolio"));
  const { portfolios: before = [] } = intent;
  const portfolios = before.filter((other) => other !== portfolio.id);
  const next = withDeadline({ ...intent, portfolios }, world, now);
  const told = tell(begin(next.intent, world, now, by), {
    type: "removed_from_portfolio",
    payload: { portfolio_id: portfolio.id },
    also: [
      { kind: "membership", id, body: null },
      leave(membersRoll(portfolio).of, membership.page, intent.id, world),
    ],
  });
  const counting = counted(membersTallyId(portfolio.id), { type: "tally.moved", from: intent.status }, now);
  return accept("portfolio", portfolio.id, [
    statePortfolio("portfolio.member_removed", portfolio, by, now, { intent_id: intent.id }),
    counting,
    ...weave(told, next.facts).facts,
  ]);
}
