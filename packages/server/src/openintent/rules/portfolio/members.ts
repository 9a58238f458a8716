/** Adds intents to portfolios and removes them. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { join, joinNeeds, leave, leaveNeeds } from "../graph/paged-ids.ts";
import { aggregateOf, counted, countNeeds, memberCountsId, NO_MEMBERS } from "../graph/status-counts.ts";
import { type Intent, SUSPENDED } from "../intent/intent.ts";
import { append, begin } from "../intent/intent-log.ts";
import { READ_WATCHERS } from "../intent/watchers.ts";
import { whyNotShare } from "../intent/who.ts";
import type { Draft, Need, World } from "../world.ts";
import type { AddMember, RemoveMember } from "./commands.ts";
import { deadlineNeeds, stateHoldDeadline, withDeadline } from "./deadline.ts";
import { whyNotExtend, whyNotManage } from "./decide.ts";
import { statePortfolio } from "./facts.ts";
import { type Membership, memberIds, membershipId, type Portfolio } from "./portfolio.ts";

const PORTFOLIOS_MAX = 50;
/** The most members of a portfolio: a changed deadline is copied to all of them (G13). */
export const MEMBERS_MAX = 1000;

export function memberNeeds(command: AddMember | RemoveMember, world: World): readonly Need[] {
  const { portfolioId, intentId } = command;
  const id = membershipId(portfolioId, intentId);
  const portfolio = world.get("portfolio", portfolioId);
  const intent = world.get("intent", intentId);
  const member = world.get("membership", id);
  const { of } = memberIds({ id: portfolioId });
  const related = intent === undefined ? [] : [...deadlineNeeds(intent), ...countNeeds(intent)];
  return [
    { kind: "portfolio", id: portfolioId },
    ...READ_WATCHERS,
    { kind: "intent", id: intentId },
    { kind: "membership", id },
    { kind: "tally", id: memberCountsId(portfolioId) },
    ...related.filter((need) => need.id !== portfolioId),
    ...(portfolio === undefined ? [] : joinNeeds(memberIds(portfolio))),
    ...coordinatorNeeds(portfolio?.coordinatorId),
    ...(member === undefined ? [] : leaveNeeds(of, member.page)),
  ];
}

function coordinatorNeeds(id: string | undefined): readonly Need[] {
  return id === undefined ? [] : [{ kind: "coordinator", id, read: true }];
}

interface Both {
  readonly portfolio: Portfolio;
  readonly intent: Intent;
}

function bothOf({ portfolioId, intentId }: AddMember | RemoveMember, world: World): Both | Failure {
  const portfolio = world.get("portfolio", portfolioId);
  if (portfolio === undefined) return failure("not_found", "There is no portfolio with this id.");
  const intent = world.get("intent", intentId);
  if (intent === undefined) return failure("not_found", "There is no intent with this id.");
  return { portfolio, intent };
}

/** An intent in a portfolio is shared with the portfolio's creator. */
function whyNotAdd({ portfolio, intent }: Both, by: Principal, world: World, now: number): Failure | null {
  return whyNotShare(intent, by, now) ?? whyNotExtend(portfolio, by, world);
}

/** Both sides may end a membership. */
function whyNotRemove({ portfolio, intent }: Both, by: Principal, now: number): Failure | null {
  return whyNotManage(portfolio, by) === null ? null : whyNotShare(intent, by, now);
}

export function addMember(command: AddMember, draft: Draft, { now }: Context): Reply {
  const { by, member } = command;
  const both = bothOf(command, draft);
  if ("code" in both) return refuse(both);
  const denied = whyNotAdd(both, by, draft, now);
  if (denied !== null) return refuse(denied);
  const { portfolio, intent } = both;
  const { portfolios = [] } = intent;
  if (portfolios.includes(portfolio.id)) {
    return refuse(failure("already_exists", "the intent is already in this portfolio"));
  }
  if (portfolios.length >= PORTFOLIOS_MAX) {
    return refuse(failure("too_many", `an intent can be in at most ${PORTFOLIOS_MAX} portfolios`));
  }
  const { total } = aggregateOf(draft.get("tally", memberCountsId(portfolio.id)) ?? NO_MEMBERS);
  if (total >= MEMBERS_MAX) {
    return refuse(failure("too_many", `a portfolio can have at most ${MEMBERS_MAX} intents`));
  }
  const joined = join(memberIds(portfolio), intent.id, draft);
  const membership: Membership = {
    ...member,
    portfolioId: portfolio.id,
    intentId: intent.id,
    addedAt: now,
    page: joined.page,
    ...(intent.status === SUSPENDED ? { suspended: true } : {}),
  };
  const grown = { ...portfolio, memberPages: joined.pages };
  const data = { intent_id: intent.id, role: member.role };
  statePortfolio("portfolio.member_added", grown, by, draft, now, data);
  draft.state(counted(memberCountsId(portfolio.id), { type: "status_counts.moved", to: intent.status }, now));
  const portfolioOwners = { ...intent.portfolioOwners, [portfolio.id]: portfolio.createdBy };
  const added = { ...intent, portfolios: [...portfolios, portfolio.id], portfolioOwners };
  const next = withDeadline(added, draft);
  append(begin(next, draft, now, by), {
    type: "added_to_portfolio",
    payload: { portfolio_id: portfolio.id, role: member.role, priority: member.priority },
    also: [
      { kind: "membership", id: membershipId(portfolio.id, intent.id), body: membership },
      joined.change,
    ],
  });
  stateHoldDeadline(next, intent, draft, now);
  return accept(portfolio.id);
}

export function removeMember(command: RemoveMember, draft: Draft, { now }: Context): Reply {
  const { by } = command;
  const both = bothOf(command, draft);
  if ("code" in both) return refuse(both);
  const denied = whyNotRemove(both, by, now);
  if (denied !== null) return refuse(denied);
  const { portfolio, intent } = both;
  const id = membershipId(portfolio.id, intent.id);
  const membership = draft.get("membership", id);
  if (membership === undefined) return refuse(failure("not_found", "the intent is not in this portfolio"));
  const { portfolios: before = [] } = intent;
  const portfolios = before.filter((other) => other !== portfolio.id);
  statePortfolio("portfolio.member_removed", portfolio, by, draft, now, { intent_id: intent.id });
  draft.state(
    counted(memberCountsId(portfolio.id), { type: "status_counts.moved", from: intent.status }, now),
  );
  const { [portfolio.id]: _owner, ...portfolioOwners } = intent.portfolioOwners ?? {};
  const next = withDeadline({ ...intent, portfolios, portfolioOwners }, draft);
  append(begin(next, draft, now, by), {
    type: "removed_from_portfolio",
    payload: { portfolio_id: portfolio.id },
    also: [
      { kind: "membership", id, body: null },
      leave(memberIds(portfolio).of, membership.page, intent.id, draft),
    ],
  });
  stateHoldDeadline(next, intent, draft, now);
  return accept(portfolio.id);
}
