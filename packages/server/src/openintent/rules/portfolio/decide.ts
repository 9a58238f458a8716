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
import type { ChangePortfolio, CreatePortfolio } from "./commands.ts";
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

/** A changed deadline is copied to every member, so every member must be loaded; for a caller that may not change it, none is. */
export function changeNeeds({ portfolioId, patch, by }: ChangePortfolio, world: World): readonly Need[] {
  const self: Need = { kind: "portfolio", id: portfolioId };
  const portfolio = world.get("portfolio", portfolioId);
  if (portfolio === undefined || patch.governance === undefined) return [self];
  if (whyNotManage(portfolio, by) !== null) return [self];
  if (deadlineIn(patch.governance).deadlineAt === portfolio.deadlineAt) return [self];
  const list = memberIds(portfolio);
  const members = idsIn(list, world).flatMap((id): readonly Need[] => {
    const intent = world.get("intent", id);
    return [{ kind: "intent", id }, ...(intent === undefined ? [] : deadlineNeeds(intent))];
  });
  // The portfolio comes first, with write access: a later read-only need for it must not weaken that.
  return [self, ...READ_WATCHERS, ...pagedIdsNeeds(list), ...members.filter(({ id }) => id !== portfolioId)];
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
  statePortfolio("portfolio.changed", portfolio, by, draft, now, { fields: Object.keys(patch) });
  const members =
    portfolio.deadlineAt === before.deadlineAt
      ? []
      : idsIn(memberIds(before), draft)
          .map((id) => draft.get("intent", id))
          .filter((intent) => intent !== undefined);
  for (const intent of members) stateMemberDeadline(intent, draft, now, by, portfolio);
  return accept(portfolio.id);
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
