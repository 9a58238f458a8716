/** Portfolios: intents that belong together. */

import { IntentParams } from "../wire/base.ts";
import { GraphQuery } from "../wire/graph.ts";
import {
  MemberIn,
  MemberParams,
  MembershipOut,
  MembersOut,
  PortfolioIn,
  PortfolioListOut,
  PortfolioOut,
  PortfolioParams,
  PortfolioPatchIn,
  PortfolioProgressOut,
  PortfolioQuery,
  PortfolioStatusIn,
} from "../wire/portfolio.ts";
import { BODY, CALLER, FOUND, INTENT, operation, PORTFOLIO, ROOT, reading } from "./shared.ts";

const tag = "portfolios";

export const portfolioOperations = {
  createPortfolio: operation({
    id: "createPortfolio",
    method: "POST",
    path: `${ROOT}/portfolios`,
    tag,
    summary: "Make a portfolio",
    body: PortfolioIn,
    replies: { 200: PortfolioOut },
    errors: [...CALLER, ...BODY],
  }),

  listPortfolios: reading({
    id: "listPortfolios",
    path: `${ROOT}/portfolios`,
    tag,
    summary: "Portfolios, newest first",
    query: PortfolioQuery,
    reply: PortfolioListOut,
  }),

  getPortfolio: reading({
    id: "getPortfolio",
    path: PORTFOLIO,
    tag,
    summary: "A portfolio, how its members stand and who of them waits for a person",
    params: PortfolioParams,
    reply: PortfolioOut,
  }),

  getPortfolioProgress: reading({
    id: "getPortfolioProgress",
    path: `${PORTFOLIO}/progress`,
    tag,
    summary: "How far a portfolio's members are, and which phases wait for a person",
    params: PortfolioParams,
    reply: PortfolioProgressOut,
  }),

  changePortfolio: operation({
    id: "changePortfolio",
    method: "PATCH",
    path: PORTFOLIO,
    tag,
    summary: "Change a portfolio; a new deadline counts for every member at once",
    params: PortfolioParams,
    body: PortfolioPatchIn,
    replies: { 200: PortfolioOut },
    errors: [...FOUND, ...BODY],
  }),

  setPortfolioStatus: operation({
    id: "setPortfolioStatus",
    method: "PATCH",
    path: `${PORTFOLIO}/status`,
    tag,
    summary: "Change a portfolio's own status",
    params: PortfolioParams,
    body: PortfolioStatusIn,
    replies: { 200: PortfolioOut },
    errors: [...FOUND, ...BODY],
  }),

  addMember: operation({
    id: "addPortfolioIntent",
    method: "POST",
    path: `${PORTFOLIO}/intents`,
    tag,
    summary: "Put an intent into a portfolio",
    params: PortfolioParams,
    body: MemberIn,
    replies: { 200: MembershipOut },
    errors: [...FOUND, ...BODY, "already_exists", "too_many"],
  }),

  listMembers: reading({
    id: "listPortfolioIntents",
    path: `${PORTFOLIO}/intents`,
    tag,
    summary: "A portfolio's intents",
    params: PortfolioParams,
    query: GraphQuery,
    reply: MembersOut,
  }),

  removeMember: operation({
    id: "removePortfolioIntent",
    method: "DELETE",
    path: `${PORTFOLIO}/intents/{intent_id}`,
    tag,
    summary: "Take an intent out of a portfolio",
    params: MemberParams,
    replies: { 204: null },
    errors: FOUND,
  }),

  listPortfoliosOfIntent: reading({
    id: "listIntentPortfolios",
    path: `${INTENT}/portfolios`,
    tag,
    summary: "The portfolios an intent is in",
    params: IntentParams,
    reply: PortfolioListOut,
  }),
};
