/** Facts about a portfolio. Its log has its members and its deadline; what the members do is in their own logs. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactSpec, FactTable } from "../../../kernel/domain.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { actorOf } from "../intent/who.ts";
import type { Draft, OpenIntentBodies } from "../world.ts";
import type { Portfolio } from "./portfolio.ts";

export interface PortfolioFact {
  readonly type:
    | "portfolio.made"
    | "portfolio.changed"
    /** Not logged: the change of the deadline was. */
    | "portfolio.deadline_copied"
    | "portfolio.member_added"
    | "portfolio.member_removed";
  readonly portfolio: Portfolio;
  readonly data: JsonObject;
}

export function statePortfolio(
  type: PortfolioFact["type"],
  portfolio: Portfolio,
  by: Principal,
  draft: Draft,
  at: number,
  data: JsonObject,
): void {
  const { id, createdBy: audience } = portfolio;
  draft.state({ kind: "portfolio", id, fact: { type, portfolio, data }, at, actor: actorOf(by), audience });
}

const portfolioFact: FactSpec<PortfolioFact, OpenIntentBodies> = {
  evolve: (_world, id, { portfolio }) => [{ kind: "portfolio", id, body: portfolio }],
  log: ({ data }) => data,
};

export const PORTFOLIO_FACTS: FactTable<PortfolioFact, OpenIntentBodies> = {
  "portfolio.made": portfolioFact,
  "portfolio.changed": portfolioFact,
  "portfolio.deadline_copied": { ...portfolioFact, log: () => null },
  "portfolio.member_added": portfolioFact,
  "portfolio.member_removed": portfolioFact,
};
