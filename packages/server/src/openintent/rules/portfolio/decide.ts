/** Commands on portfolios. Changes are logged in the portfolio's own log and in its members' logs in one commit. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { idsIn, pagedIdsNeeds } from "../graph/paged-ids.ts";
import { READ_WATCHERS } from "../intent/watchers.ts";
import { actorOf } from "../intent/who.ts";
import { readTime } from "../intent/wire-time.ts";
import type { Draft, Need, World } from "../world.ts";
import type { ChangePortfolio, CreatePortfolio, TickPortfolio } from "./commands.ts";
import { deadlineNeeds, stateMemberDeadline } from "./deadline.ts";
import { statePortfolio } from "./facts.ts";
import { memberIds, type Portfolio } from "./portfolio.ts";

export function createPortfolio(
  { portfolio: given, by }: CreatePortfolio,
  draft: Draft,
  { now }: Context,
): Reply {
  const { access = "owner" } = given;
  const portfolio: Portfolio = {
    ...given,
    ...deadlineIn(given.governance),
    createdBy: actorOf(by),
    access,
    createdAt: now,
    updatedAt: now,
    status: "active",
    watchers: [],
  };
  const data = { name: portfolio.name };
  statePortfolio("portfolio.made", portfolio, by, draft, now, data);
  return accept(portfolio.id);
}

function deadlineIn(governance: Portfolio["governance"]): Pick<Portfolio, "deadlineAt"> {
  const { deadline } = governance;
  const at = typeof deadline === "string" ? readTime(deadline) : null;
  return at === null ? {} : { deadlineAt: at };
}

/**
 * A changed deadline is copied to every member, which changes the member's whole row. So one commit reaches few of them (G13), and
 * the others follow in commits of their own, which are due at once. An intent of 1 MiB takes some 15 ms.
 */
const MEMBERS_AT_ONCE = 5;

/** The list of members is loaded for another deadline; for a caller that may not change it, it is not. */
export function changeNeeds({ portfolioId, patch, by }: ChangePortfolio, world: World): readonly Need[] {
  const self: Need = { kind: "portfolio", id: portfolioId };
  const portfolio = world.get("portfolio", portfolioId);
  if (portfolio === undefined || patch.governance === undefined) return [self];
  if (whyNotManage(portfolio, by) !== null) return [self];
  if (deadlineIn(patch.governance).deadlineAt === portfolio.deadlineAt) return [self];
  const list = memberIds(portfolio);
  return [self, ...pagedIdsNeeds(list), ...membersNeeds(portfolio, idsIn(list, world), world)];
}

export function tickPortfolioNeeds({ portfolioId }: TickPortfolio, world: World): readonly Need[] {
  const self: Need = { kind: "portfolio", id: portfolioId };
  const portfolio = world.get("portfolio", portfolioId);
  return portfolio === undefined
    ? [self]
    : [self, ...membersNeeds(portfolio, portfolio.deadlineFor ?? [], world)];
}

/** What the first of these members need. */
function membersNeeds({ id: portfolioId }: Portfolio, ids: readonly string[], world: World): readonly Need[] {
  const members = ids.slice(0, MEMBERS_AT_ONCE).flatMap((id): readonly Need[] => {
    const intent = world.get("intent", id);
    return [{ kind: "intent", id }, ...(intent === undefined ? [] : deadlineNeeds(intent))];
  });
  // The portfolio itself is needed with write access: a read-only need for it must not weaken that.
  return [...READ_WATCHERS, ...members.filter(({ id }) => id !== portfolioId)];
}

export function changePortfolio(
  { portfolioId, patch, by }: ChangePortfolio,
  draft: Draft,
  { now }: Context,
): Reply {
  const before = draft.get("portfolio", portfolioId);
  if (before === undefined) return refuse(failure("not_found", "There is no portfolio with this id."));
  const denied = whyNotManage(before, by);
  if (denied !== null) return refuse(denied);
  const { deadlineAt: _before, ...rest } = before;
  const deadline = patch.governance === undefined ? deadlineOf(before) : deadlineIn(patch.governance);
  const portfolio: Portfolio = { ...rest, ...patch, ...deadline, updatedAt: now };
  const isMoved = portfolio.deadlineAt !== before.deadlineAt;
  const members = isMoved ? idsIn(memberIds(before), draft) : [];
  const next = isMoved ? withMembersLeft(portfolio, members) : portfolio;
  statePortfolio("portfolio.changed", next, by, draft, now, { fields: Object.keys(patch) });
  copyDeadline(next, members, by, draft, now);
  return accept(portfolio.id);
}

export function tickPortfolio({ portfolioId, by }: TickPortfolio, draft: Draft, { now }: Context): Reply {
  const before = draft.get("portfolio", portfolioId);
  if (before === undefined) return refuse(failure("not_found", "There is no portfolio with this id."));
  const { deadlineFor: members = [] } = before;
  if (members.length === 0) return accept(portfolioId);
  const next = withMembersLeft(before, members);
  statePortfolio("portfolio.deadline_copied", next, by, draft, now, {});
  copyDeadline(next, members, by, draft, now);
  return accept(portfolioId);
}

function withMembersLeft(portfolio: Portfolio, members: readonly string[]): Portfolio {
  const { deadlineFor: _before, ...rest } = portfolio;
  const left = members.slice(MEMBERS_AT_ONCE);
  return left.length === 0 ? rest : { ...rest, deadlineFor: left };
}

/** To the first of these members. One that has left the portfolio meanwhile has the deadline of the others. */
function copyDeadline(
  portfolio: Portfolio,
  members: readonly string[],
  by: Principal,
  draft: Draft,
  now: number,
): void {
  const intents = members.slice(0, MEMBERS_AT_ONCE).map((id) => draft.get("intent", id));
  for (const intent of intents.filter((each) => each !== undefined))
    stateMemberDeadline(intent, draft, now, by, portfolio);
}

function deadlineOf({ deadlineAt }: Portfolio): Pick<Portfolio, "deadlineAt"> {
  return deadlineAt === undefined ? {} : { deadlineAt };
}

/** A portfolio's deadline ends other people's holds, so only its creator and people may set it. */
export function whyNotManage({ createdBy }: Portfolio, by: Principal): Failure | null {
  if (mayOperate(by) || by.name === createdBy) return null;
  return failure("not_allowed", "only the creator of the portfolio or a person may change it");
}

/** Who runs a portfolio goes on with what its members say, so its creator chooses them, or the coordinator whom the creator chose. */
export function whyNotExtend(portfolio: Portfolio, by: Principal, world: World): Failure | null {
  if (portfolio.access !== "owner") return null;
  const { coordinatorId } = portfolio;
  const coordinator = coordinatorId === undefined ? undefined : world.get("coordinator", coordinatorId);
  const isCoordinator = coordinator?.status === "active" && coordinator.agentId === by.name;
  return isCoordinator ? null : whyNotManage(portfolio, by);
}
