/** Operations on subscriptions and event streams, and the description of the server. */

import { defineOperation } from "@holdpoint/protocol";
import * as z from "zod";
import { ConfigOut, DiscoveryOut, FrameOut } from "../wire/about.ts";
import { Id, IntentParams } from "../wire/base.ts";
import { SubscriptionIn, SubscriptionListOut, SubscriptionOut, SubscriptionQuery } from "../wire/work.ts";
import { BODY, FOUND, INTENT, operation, PORTFOLIO, ROOT, reading } from "./shared.ts";

const tag = "subscriptions";

const LastEventId = z.strictObject({
  "last-event-id": z
    .string()
    .max(200)
    .exactOptional()
    .describe("Id of the last frame seen; goes on after it."),
});
const stream = {
  tag,
  headers: LastEventId,
  replies: { 200: FrameOut },
  media: "text/event-stream",
  errors: [...FOUND, "invalid_request"],
} as const;

export const hearingOperations = {
  subscribe: operation({
    id: "subscribe",
    method: "POST",
    path: `${ROOT}/subscriptions`,
    tag,
    summary: "Have the events of an intent, or of all, sent to an address",
    body: SubscriptionIn,
    replies: { 200: SubscriptionOut },
    errors: [...FOUND, ...BODY, "target_refused", "too_many"],
  }),

  listSubscriptions: reading({
    id: "listSubscriptions",
    path: `${ROOT}/subscriptions`,
    tag,
    summary: "Subscriptions",
    query: SubscriptionQuery,
    reply: SubscriptionListOut,
  }),

  unsubscribe: operation({
    id: "unsubscribe",
    method: "DELETE",
    path: `${ROOT}/subscriptions/{id}`,
    tag,
    summary: "End a subscription",
    params: IntentParams,
    replies: { 204: null },
    errors: FOUND,
  }),

  streamIntent: operation({
    ...stream,
    id: "streamIntent",
    method: "GET",
    path: `${INTENT}/subscribe`,
    summary: "Follow one intent (server-sent events, names as clients expect them)",
    params: IntentParams,
  }),

  streamAgent: operation({
    ...stream,
    id: "streamAgent",
    method: "GET",
    path: `${ROOT}/agents/{id}/subscribe`,
    summary: "Follow the intents an agent has to do with (server-sent events, names as clients expect them)",
    params: IntentParams,
  }),

  streamPortfolio: operation({
    ...stream,
    id: "streamPortfolio",
    method: "GET",
    path: `${PORTFOLIO}/subscribe`,
    summary: "Follow the members of a portfolio (server-sent events, names as clients expect them)",
    params: IntentParams,
  }),

  streamIntentLog: operation({
    ...stream,
    id: "streamIntentLog",
    method: "GET",
    path: `${ROOT}/subscribe/intents/{id}`,
    summary: "Follow one intent (server-sent events, names as in the log)",
    params: IntentParams,
  }),

  streamAgentLog: operation({
    ...stream,
    id: "streamAgentLog",
    method: "GET",
    path: `${ROOT}/subscribe/agents/{id}`,
    summary: "Follow the intents an agent has to do with (server-sent events, names as in the log)",
    params: z.strictObject({ id: Id }),
  }),

  streamPortfolioLog: operation({
    ...stream,
    id: "streamPortfolioLog",
    method: "GET",
    path: `${ROOT}/subscribe/portfolios/{id}`,
    summary: "Follow the members of a portfolio (server-sent events, names as in the log)",
    params: IntentParams,
  }),

  discover: defineOperation({
    id: "discoverOpenIntent",
    method: "GET",
    path: "/.well-known/openintent.json",
    tag: "intents",
    summary: "What this server serves of OpenIntent",
    security: "none",
    replies: { 200: DiscoveryOut },
    errors: [],
  }),

  serverConfig: defineOperation({
    id: "openIntentConfig",
    method: "GET",
    path: `${ROOT}/server/config`,
    tag: "intents",
    summary: "Defaults that clients should know",
    security: "none",
    replies: { 200: ConfigOut },
    errors: [],
  }),
};
