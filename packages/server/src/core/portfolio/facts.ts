/** What can become true of a portfolio. Its log says who belongs to it and by when; what its members do is in theirs. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Change } from "../world.ts";
import type { Portfolio } from "./portfolio.ts";

export interface PortfolioFact {
  readonly type:
    | "portfolio.made"
    | "portfolio.changed"
    | "portfolio.member_added"
    | "portfolio.member_removed";
  readonly portfolio: Portfolio;
  readonly data: JsonObject;
  readonly also: readonly Change[];
}

export function portfolioChanges({ portfolio, also }: PortfolioFact): readonly Change[] {
  return [{ kind: "portfolio", id: portfolio.id, body: portfolio }, ...also];
}
