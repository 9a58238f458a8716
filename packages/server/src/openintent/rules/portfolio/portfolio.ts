/** The portfolio: intents that belong together, with one deadline for all of them. It is not an intent itself. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { PagedIds } from "../graph/paged-ids.ts";
import type { Watcher } from "../intent/intent.ts";

export const PORTFOLIO_STATUSES = ["active", "completed", "abandoned"] as const;
export const MEMBER_ROLES = ["primary", "member", "dependency"] as const;

export interface Portfolio {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly namespace: string | null;
  readonly createdBy: string;
  /**
   * `owner`: only its creator and people add intents to it. `open`: everyone of the workspace does, because the operator chose that
   * default. Absent: created by a version that knew only the latter; it keeps that access.
   */
  readonly access?: "owner" | "open";
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: (typeof PORTFOLIO_STATUSES)[number];
  readonly metadata: JsonObject;
  readonly governance: JsonObject;
  /** Read from `governance.deadline`: members that are still suspended at this moment are abandoned. */
  readonly deadlineAt?: number;
  /** Members that have not got the changed deadline yet. They are changed in small batches, because each is a whole intent. */
  readonly deadlineFor?: readonly string[];
  /** The number of pages of its member list. */
  readonly memberPages?: number;
  readonly watchers: readonly Watcher[];
  readonly coordinatorId?: string;
}

export interface Membership {
  readonly id: string;
  readonly portfolioId: string;
  readonly intentId: string;
  readonly role: (typeof MEMBER_ROLES)[number];
  readonly priority: number;
  readonly addedAt: number;
  /** The page of the portfolio's member list that holds the intent's id. */
  readonly page: number;
  /** The intent is suspended for a person. */
  readonly suspended?: true;
}

export function membershipId(portfolioId: string, intentId: string): string {
  return `${portfolioId}\n${intentId}`;
}

export function memberIds({ id, memberPages = 0 }: Pick<Portfolio, "id" | "memberPages">): PagedIds {
  return { of: `members\n${id}`, pages: memberPages };
}

/** Members that have not got a changed deadline yet get it at once. */
export function portfolioDueAt({ deadlineFor, updatedAt }: Portfolio): number | null {
  return deadlineFor === undefined ? null : updatedAt;
}
