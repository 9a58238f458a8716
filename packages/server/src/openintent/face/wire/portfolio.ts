/** Portfolios on the wire. */

import * as z from "zod";
import { MEMBER_ROLES, PORTFOLIO_STATUSES } from "../../rules/portfolio/portfolio.ts";
import { Id, Name, Open, Text, TimeIn, TimeOut } from "./base.ts";
import { CountsOut, IntentOut } from "./intent.ts";

/** Other members are stored as they were sent. */
const Governance = z.looseObject({
  deadline: TimeIn.nullish().describe("Members that still wait for a person by then are abandoned."),
});

const StatusWord = z.enum(PORTFOLIO_STATUSES);

export const PortfolioIn = z.looseObject({
  name: z.string().min(1).max(1000),
  description: Text.nullish(),
  namespace: z.string().max(200).nullish(),
  created_by: z.string().nullish().describe("Taken from the credential, whatever stands here."),
  governance: Governance.nullish(),
  governance_policy: Governance.nullish(),
  metadata: Open.nullish(),
});

export const PortfolioPatchIn = z.looseObject({
  name: z.string().min(1).max(1000).exactOptional(),
  description: Text.nullish(),
  namespace: z.string().max(200).nullish(),
  status: StatusWord.exactOptional(),
  governance: Governance.exactOptional(),
  governance_policy: Governance.exactOptional(),
  metadata: Open.exactOptional(),
});

export const PortfolioStatusIn = z.looseObject({ status: StatusWord });

const SuspendedPhase = z.looseObject({
  phase_name: z.string(),
  intent_id: Id,
  suspended_since: TimeOut,
  expires_at: TimeOut.nullable(),
});

export const PortfolioProgressOut = z.looseObject({
  portfolio_id: Id,
  total: z.int(),
  completed: z.int(),
  completion_percentage: z.int(),
  suspended_phases: z.array(SuspendedPhase),
});

export const PortfolioAggregateOut = CountsOut.extend({
  status: z.enum(["completed", "failed", "in_progress"]),
});

export const PortfolioOut = z.looseObject({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  namespace: z.string().nullable(),
  created_by: z.string(),
  shared: z
    .enum(["open", "legacy"])
    .exactOptional()
    .describe(
      "Everyone of the workspace may add intents to it: `open` by the operator's default, `legacy` because it is older than that rule. Absent: only its creator and people may.",
    ),
  status: StatusWord,
  metadata: Open,
  governance: Open,
  governance_policy: Open,
  aggregate_status: PortfolioAggregateOut,
  has_suspended_members: z.boolean(),
  suspended_member_count: z.int(),
  progress: PortfolioProgressOut.exactOptional(),
  created_at: TimeOut,
  createdAt: TimeOut,
  updated_at: TimeOut,
  updatedAt: TimeOut,
});

export const PortfolioListOut = z.looseObject({ portfolios: z.array(PortfolioOut) });

export const PortfolioQuery = z.object({
  created_by: Name.exactOptional(),
  limit: z.coerce.number().int().min(1).max(500).exactOptional(),
});

export const PortfolioParams = z.strictObject({ id: Id });
export const MemberParams = z.strictObject({ id: Id, intent_id: Id });

export const MemberIn = z.looseObject({
  intent_id: Id,
  role: z.enum(MEMBER_ROLES).nullish(),
  priority: z.int().min(-1_000_000).max(1_000_000).nullish(),
});

export const MembershipOut = z.looseObject({
  id: Id,
  portfolio_id: Id,
  intent_id: Id,
  role: z.enum(MEMBER_ROLES),
  priority: z.int(),
  added_at: TimeOut,
  membership_id: Id,
  message: z.string(),
});

export const MembersOut = z.looseObject({
  intents: z.array(IntentOut),
  aggregate_status: PortfolioAggregateOut,
});
