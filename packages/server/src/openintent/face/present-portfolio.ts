/** Writes portfolios for the wire. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { aggregateOf, type StatusCounts, standingOf, suspendedCount } from "../rules/graph/status-counts.ts";
import { wireTime } from "../rules/intent/wire-time.ts";
import type { Membership, Portfolio } from "../rules/portfolio/portfolio.ts";
import { twice } from "./present.ts";

export function presentPortfolio(portfolio: Portfolio, tally: StatusCounts): JsonObject {
  const suspended = suspendedCount(tally);
  return {
    id: portfolio.id,
    name: portfolio.name,
    description: portfolio.description,
    namespace: portfolio.namespace,
    created_by: portfolio.createdBy,
    ...(portfolio.access === "owner" ? {} : { shared: portfolio.access ?? "legacy" }),
    status: portfolio.status,
    metadata: portfolio.metadata,
    governance: portfolio.governance,
    governance_policy: portfolio.governance,
    aggregate_status: memberAggregate(tally),
    has_suspended_members: suspended > 0,
    suspended_member_count: suspended,
    ...twice("created_at", "createdAt", wireTime(portfolio.createdAt)),
    ...twice("updated_at", "updatedAt", wireTime(portfolio.updatedAt)),
  };
}

export function memberAggregate(tally: StatusCounts): JsonObject {
  return { ...aggregateOf(tally), status: standingOf(tally) };
}

/** The last two members are for clients that were written for other servers. */
export function presentMembership(membership: Membership): JsonObject {
  return {
    id: membership.id,
    portfolio_id: membership.portfolioId,
    intent_id: membership.intentId,
    role: membership.role,
    priority: membership.priority,
    added_at: wireTime(membership.addedAt),
    membership_id: membership.id,
    message: "the intent is in the portfolio",
  };
}
