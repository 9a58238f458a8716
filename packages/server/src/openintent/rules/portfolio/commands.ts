/** Commands on portfolios. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../../../kernel/principal.ts";
import type { Membership, Portfolio } from "./portfolio.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface CreatePortfolio extends By {
  readonly kind: "create_portfolio";
  readonly portfolio: Pick<
    Portfolio,
    "id" | "name" | "description" | "namespace" | "metadata" | "governance" | "access"
  >;
}

export type PortfolioPatch = Partial<
  Pick<Portfolio, "name" | "description" | "namespace" | "metadata" | "status"> & {
    readonly governance: JsonObject;
  }
>;

export interface ChangePortfolio extends By {
  readonly kind: "change_portfolio";
  readonly portfolioId: string;
  readonly patch: PortfolioPatch;
}

/** Gives the changed deadline to the next members. */
export interface TickPortfolio extends By {
  readonly kind: "tick_portfolio";
  readonly portfolioId: string;
}

export interface AddMember extends By {
  readonly kind: "add_member";
  readonly portfolioId: string;
  readonly intentId: string;
  readonly member: Pick<Membership, "id" | "role" | "priority">;
}

export interface RemoveMember extends By {
  readonly kind: "remove_member";
  readonly portfolioId: string;
  readonly intentId: string;
}

export type PortfolioCommand = CreatePortfolio | ChangePortfolio | TickPortfolio | AddMember | RemoveMember;
