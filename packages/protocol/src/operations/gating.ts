/** Rules, checks, coverage and grants. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Id } from "../wire/base.ts";
import {
  CheckIn,
  CheckListOut,
  CheckOut,
  CoverageOut,
  GrantListOut,
  GrantOut,
  ReplayIn,
  ReplayOut,
  RulesHistoryOut,
  RulesIn,
  RulesOut,
  StandingCallsIn,
  SuggestionListOut,
  TryRulesIn,
  TryRulesOut,
} from "../wire/gating.ts";
import { PageQuery } from "../wire/query.ts";
import { ACT, BODY, FIND, IdParams, IfMatch, MANAGE, SETTING } from "./shared.ts";

const key = { security: "key" } as const;

export const getRules = defineOperation({
  ...{ id: "getRules", method: "GET", path: "/v1/rules", tag: "rules", ...key },
  summary: "Read the rules that count now",
  replies: { 200: RulesOut },
  errors: MANAGE,
});

export const publishRules = defineOperation({
  ...{ id: "publishRules", method: "PUT", path: "/v1/rules", tag: "rules", ...key },
  summary: "Publish a new version of the rules; approvals that are not claimed yet are checked against it",
  headers: IfMatch,
  body: RulesIn,
  replies: { 200: RulesOut },
  errors: [...SETTING, ...BODY, "invalid_rules", "precondition_failed"],
});

export const rulesHistory = defineOperation({
  ...{ id: "rulesHistory", method: "GET", path: "/v1/rules/history", tag: "rules", ...key },
  summary: "Read earlier versions of the rules, newest first",
  query: PageQuery,
  replies: { 200: RulesHistoryOut },
  errors: [...FIND, "not_allowed", "invalid_cursor"],
});

export const tryRules = defineOperation({
  ...{ id: "tryRules", method: "POST", path: "/v1/rules/try", tag: "rules", ...key },
  summary: "See what rules say about one call; nothing is recorded",
  body: TryRulesIn,
  replies: { 200: TryRulesOut },
  errors: [...MANAGE, ...BODY, "invalid_rules"],
});

export const replayRules = defineOperation({
  ...{ id: "replayRules", method: "POST", path: "/v1/rules/replay", tag: "rules", ...key },
  summary: "Replay recorded checks against other rules, a page at a time",
  body: ReplayIn,
  replies: { 200: ReplayOut },
  errors: [...MANAGE, ...BODY, "invalid_rules", "invalid_cursor"],
});

export const checkCall = defineOperation({
  ...{ id: "checkCall", method: "POST", path: "/v1/checks", tag: "rules", ...key },
  summary: "Put one tool call before the rules",
  description:
    "`ask` places a hold, or finds the one that this call has. Once a person has approved it, the same check says `allow` with the hold to claim.",
  body: CheckIn,
  replies: { 200: CheckOut },
  errors: [...MANAGE, ...BODY, "too_many_open", "invalid_ask"],
});

export const recordStandingCalls = defineOperation({
  ...{ id: "recordStandingCalls", method: "POST", path: "/v1/checks/standing", tag: "rules", ...key },
  summary: "Record calls that ran under a standing permission, and renew it",
  description:
    "A check with `standing_ms` allows every call of its tool for that time. The caller records such calls soon after they ran. The reply has `standing_ms` again if the rules still allow every call of the tool.",
  body: StandingCallsIn,
  replies: { 200: CheckOut },
  errors: [...MANAGE, ...BODY],
});

export const listChecks = defineOperation({
  ...{ id: "listChecks", method: "GET", path: "/v1/checks", tag: "rules", ...key },
  summary: "Read recorded checks, newest first",
  query: PageQuery,
  replies: { 200: CheckListOut },
  errors: [...FIND, "not_allowed", "invalid_cursor"],
});

export const coverage = defineOperation({
  ...{ id: "coverage", method: "GET", path: "/v1/coverage", tag: "rules", ...key },
  summary: "See which tools agents call, what the rules said, and what no rule is about",
  query: z.strictObject({
    cursor: z.string().max(600).exactOptional().describe("`next_cursor` of the page before."),
  }),
  replies: { 200: CoverageOut },
  errors: [...FIND, "not_allowed", "invalid_cursor"],
});

export const listGrants = defineOperation({
  ...{ id: "listGrants", method: "GET", path: "/v1/grants", tag: "rules", ...key },
  summary: "Read the grants: calls that people allowed in advance, newest first",
  query: PageQuery,
  replies: { 200: GrantListOut },
  errors: [...FIND, "not_allowed", "invalid_cursor"],
});

export const revokeGrant = defineOperation({
  ...{ id: "revokeGrant", method: "DELETE", path: "/v1/grants/{id}", tag: "rules", ...key },
  summary: "Revoke a grant at once and for good",
  params: IdParams,
  replies: { 200: GrantOut },
  errors: ACT,
});

export const suggestGrants = defineOperation({
  ...{ id: "suggestGrants", method: "GET", path: "/v1/suggestions", tag: "rules", ...key },
  summary: "See which calls people always approve unchanged; nothing is allowed by it",
  query: z.strictObject({ agent: Id.exactOptional().describe("Only calls of this agent.") }),
  replies: { 200: SuggestionListOut },
  errors: [...FIND, "not_allowed"],
});
