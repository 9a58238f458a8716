/** Commands about portfolios. Their own log and their members' tell of it together. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { idsIn, rollNeeds } from "../graph/roll.ts";
import { actorOf } from "../intent/who.ts";
import { readTime } from "../intent/wire-time.ts";
import { mayOperate, type Principal } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import type { ChangePortfolio, CreatePortfolio, PortfolioCommand } from "./commands.ts";
import { deadlineNeeds, memberDeadline } from "./deadline.ts";
import type { PortfolioFact } from "./facts.ts";
import { addMember, memberNeeds, removeMember } from "./members.ts";
import { membersRoll, type Portfolio } from "./portfolio.ts";

export function portfolioNeeds(command: PortfolioCommand, world: World): readonly Need[] {
  switch (command.kind) {
    case "create_portfolio":
      return [{ kind: "portfolio", id: command.portfolio.id }];
    case "change_portfolio":
      return changeNeeds(command, world);
    default:
      return memberNeeds(command, world);
  }
}

export function decidePortfolio(command: PortfolioCommand, world: World, context: Context): Decision {
  if (command.by.role === "auditor") return refuse(refusal("not_allowed", "the role auditor only reads"));
  switch (command.kind) {
    case "create_portfolio":
      return create(command, context);
    case "change_portfolio":
      return change(command, world, context);
    case "add_member":
      return addMember(command, world, context);
    case "remove_member":
      return removeMember(command, world, context);
  }
}

export function statePortfolio(
  type: PortfolioFact["type"],
  portfolio: Portfolio,
  by: Principal,
  at: number,
  data: PortfolioFact["data"],
): Stated {
  const fact: PortfolioFact = { type, portfolio, data, also: [] };
  return { kind: "portfolio", id: portfolio.id, fact, at, actor: actorOf(by), audience: portfolio.createdBy };
}

function create({ portfolio: given, by }: CreatePortfolio, { now }: Context): Decision {
  const portfolio: Portfolio = {
    ...given,
    ...deadlineIn(given.governance),
    createdBy: actorOf(by),
    createdAt: now,
    updatedAt: now,
    status: "active",
    watchers: [],
  };
  const data = { name: portfolio.name };
  return accept("portfolio", portfolio.id, [statePortfolio("portfolio.made", portfolio, by, now, data)]);
}

function deadlineIn(governance: Portfolio["governance"]): Pick<Portfolio, "deadlineAt"> {
  const { deadline } = governance;
  const at = typeof deadline === "string" ? readTime(deadline) : null;
  return at === null ? {} : { deadlineAt: at };
}

/** Every member has the deadline written on it. */
function changeNeeds({ portfolioId, patch }: ChangePortfolio, world: World): readonly Need[] {
  const self: Need = { kind: "portfolio", id: portfolioId };
  const portfolio = world.get("portfolio", portfolioId);
  if (portfolio === undefined || patch.governance === undefined) return [self];
  const roll = membersRoll(portfolio);
  const members = idsIn(roll, world).flatMap((id): readonly Need[] => {
    const intent = world.get("intent", id);
    return [{ kind: "intent", id }, ...(intent === undefined ? [] : deadlineNeeds(intent))];
  });
  // First as a whole: later wishes to merely look at this portfolio must not weaken it.
  const settings: Need = { kind: "workspace", id: "settings", read: true };
  return [self, settings, ...rollNeeds(roll), ...members.filter(({ id }) => id !== portfolioId)];
}

function change({ portfolioId, patch, by }: ChangePortfolio, world: World, { now }: Context): Decision {
  const before = world.get("portfolio", portfolioId);
  if (before === undefined) return refuse(refusal("not_found", "no such portfolio"));
  const denied = whyNotManage(before, by);
  if (denied !== null) return refuse(denied);
  const { deadlineAt: _before, ...rest } = before;
  const deadline = patch.governance === undefined ? deadlineOf(before) : deadlineIn(patch.governance);
  const portfolio: Portfolio = { ...rest, ...patch, ...deadline, updatedAt: now };
  const stated = statePortfolio("portfolio.changed", portfolio, by, now, { fields: Object.keys(patch) });
  const members =
    portfolio.deadlineAt === before.deadlineAt
      ? []
      : idsIn(membersRoll(before), world)
          .map((id) => world.get("intent", id))
          .filter((intent) => intent !== undefined);
  const told = members.flatMap((intent) => memberDeadline(intent, world, now, by, portfolio));
  return accept("portfolio", portfolio.id, [stated, ...told]);
}

function deadlineOf({ deadlineAt }: Portfolio): Pick<Portfolio, "deadlineAt"> {
  return deadlineAt === undefined ? {} : { deadlineAt };
}

/** Its deadline ends other people's questions, so not everybody sets it. */
function whyNotManage({ createdBy }: Portfolio, by: Principal): Refusal | null {
  if (mayOperate(by) || by.name === createdBy) return null;
  return refusal("not_allowed", "only who made the portfolio, or a person, may change it");
}
