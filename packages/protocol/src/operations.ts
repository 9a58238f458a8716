/**
 * The native API as data. The server mounts these, OpenAPI is printed from them, and a test compares the two, so that the
 * documentation cannot promise what is not served.
 */

import * as z from "zod";
import type { Code } from "./error-codes.ts";
import { defineOperation, type Operation } from "./operation.ts";
import { AnswerIn, CancelIn } from "./wire/answer.ts";
import { Id, OpenObject } from "./wire/base.ts";
import { ClaimDoneIn, ClaimIn, ClaimOut, ClaimReleaseIn } from "./wire/claim.ts";
import { EventListOut, EventOut } from "./wire/event.ts";
import { GroupAnswerIn, GroupIn, GroupOut } from "./wire/group.ts";
import { HoldListOut, HoldOut } from "./wire/hold.ts";
import { KeyIn, KeyListOut, KeyOut } from "./wire/key.ts";
import { LinkIn, LinkListOut, LinkOut } from "./wire/link.ts";
import { PlaceIn } from "./wire/place.ts";
import { DeliveriesQuery, EventsQuery, HoldEventsQuery, ListQuery, WaitQuery } from "./wire/query.ts";
import { HealthOut, MeOut, ReadyOut } from "./wire/server.ts";
import { DeliveryListOut, DeliveryOut, WebhookIn, WebhookListOut, WebhookOut } from "./wire/webhook.ts";

const READ = ["unauthenticated", "not_allowed", "agent_mismatch", "not_found"] as const satisfies Code[];
const FIND = ["unauthenticated", "not_allowed", "agent_mismatch", "invalid_query"] as const satisfies Code[];
const BODY = [
  "invalid_json",
  "invalid_body",
  "unknown_member",
  "too_large",
  "too_deep",
  "unsupported_media_type",
] as const satisfies Code[];
const PLACE = [
  "invalid_ask",
  "key_reused",
  "previous_not_found",
  "after_not_settled",
  "intent_not_found",
  "intent_suspended",
  "callback_refused",
  "recipient_refused",
] as const satisfies Code[];
const ANSWER = [
  "already_settled",
  "hold_expired",
  "invalid_answer",
  "invalid_action",
  "shown_mismatch",
] as const satisfies Code[];
const IdParams = z.strictObject({ id: Id });
const ClaimParams = z.strictObject({ id: Id, claim_id: Id });
const LinkParams = z.strictObject({ id: Id, link_id: Id });
const IdempotencyHeaders = z.strictObject({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe("Makes the call repeatable; the same as `key` in the body, which wins."),
});

export const placeHold = defineOperation({
  id: "placeHold",
  method: "POST",
  path: "/v1/holds",
  tag: "holds",
  summary: "Place a hold; with a key, find the one placed before",
  security: "key",
  headers: IdempotencyHeaders,
  body: PlaceIn,
  replies: { 201: HoldOut, 200: HoldOut },
  errors: [...READ, ...BODY, ...PLACE],
});

export const listHolds = defineOperation({
  id: "listHolds",
  method: "GET",
  path: "/v1/holds",
  tag: "holds",
  summary: "List and search holds, newest first",
  security: "key",
  query: ListQuery,
  replies: { 200: HoldListOut },
  errors: [...FIND, "invalid_cursor"],
});

export const getHold = defineOperation({
  id: "getHold",
  method: "GET",
  path: "/v1/holds/{id}",
  tag: "holds",
  summary: "Read a hold; with `wait`, as soon as it has an outcome",
  security: "key",
  params: IdParams,
  query: WaitQuery,
  replies: { 200: HoldOut },
  errors: [...READ, "invalid_query"],
});

export const answerHold = defineOperation({
  id: "answerHold",
  method: "POST",
  path: "/v1/holds/{id}/answer",
  tag: "holds",
  summary: "Answer a hold as the person the credential stands for",
  security: "key",
  params: IdParams,
  body: AnswerIn,
  replies: { 200: HoldOut },
  errors: [...READ, ...BODY, ...ANSWER],
});

export const cancelHold = defineOperation({
  id: "cancelHold",
  method: "POST",
  path: "/v1/holds/{id}/cancel",
  tag: "holds",
  summary: "Withdraw the question; nobody is recorded as having decided",
  security: "key",
  params: IdParams,
  body: CancelIn,
  replies: { 200: HoldOut },
  errors: [...READ, ...BODY, "already_settled", "hold_expired"],
});

export const holdEvents = defineOperation({
  id: "holdEvents",
  method: "GET",
  path: "/v1/holds/{id}/events",
  tag: "events",
  summary: "The hold's log, oldest first",
  security: "key",
  params: IdParams,
  query: HoldEventsQuery,
  replies: { 200: EventListOut },
  errors: [...READ, "invalid_query"],
});

export const makeLink = defineOperation({
  id: "makeLink",
  method: "POST",
  path: "/v1/holds/{id}/links",
  tag: "links",
  summary: "Make a review link; its address is shown once",
  security: "key",
  params: IdParams,
  body: LinkIn,
  replies: { 201: LinkOut },
  errors: [...READ, ...BODY, "already_settled", "hold_expired"],
});

export const listLinks = defineOperation({
  id: "listLinks",
  method: "GET",
  path: "/v1/holds/{id}/links",
  tag: "links",
  summary: "The hold's review links, without their tokens",
  security: "key",
  params: IdParams,
  replies: { 200: LinkListOut },
  errors: READ,
});

export const revokeLink = defineOperation({
  id: "revokeLink",
  method: "DELETE",
  path: "/v1/holds/{id}/links/{link_id}",
  tag: "links",
  summary: "Make a review link worthless",
  security: "key",
  params: LinkParams,
  replies: { 200: LinkOut },
  errors: READ,
});

export const claimHold = defineOperation({
  id: "claimHold",
  method: "POST",
  path: "/v1/holds/{id}/claim",
  tag: "claims",
  summary: "Claim an approved hold for execution; succeeds once",
  security: "key",
  params: IdParams,
  body: ClaimIn,
  replies: { 201: ClaimOut },
  errors: [...READ, ...BODY, "not_claimable", "digest_mismatch", "claim_taken"],
});

export const finishClaim = defineOperation({
  id: "finishClaim",
  method: "POST",
  path: "/v1/holds/{id}/claim/{claim_id}/done",
  tag: "claims",
  summary: "Report what became of the execution",
  security: "key",
  params: ClaimParams,
  body: ClaimDoneIn,
  replies: { 200: ClaimOut },
  errors: [...READ, ...BODY, "claim_unknown"],
});

export const releaseClaim = defineOperation({
  id: "releaseClaim",
  method: "POST",
  path: "/v1/holds/{id}/claim/release",
  tag: "claims",
  summary: "Let an approved hold be claimed again after its host was lost",
  security: "key",
  params: IdParams,
  body: ClaimReleaseIn,
  replies: { 200: HoldOut },
  errors: [...READ, ...BODY, "claim_unknown"],
});

export const streamEvents = defineOperation({
  id: "streamEvents",
  method: "GET",
  path: "/v1/events",
  tag: "events",
  summary: "Follow events as they are committed (server-sent events)",
  security: "key",
  query: EventsQuery,
  headers: z.strictObject({
    "last-event-id": z
      .string()
      .exactOptional()
      .describe("Position of the last frame seen; goes on after it."),
  }),
  replies: { 200: EventOut },
  media: "text/event-stream",
  errors: [...FIND, "not_acceptable"],
});

export const placeGroup = defineOperation({
  id: "placeGroup",
  method: "POST",
  path: "/v1/groups",
  tag: "groups",
  summary: "Place several holds in one commit",
  security: "key",
  body: GroupIn,
  replies: { 201: GroupOut, 200: GroupOut },
  errors: [...READ, ...BODY, ...PLACE],
});

export const getGroup = defineOperation({
  id: "getGroup",
  method: "GET",
  path: "/v1/groups/{id}",
  tag: "groups",
  summary: "Read a group; with `wait`, as soon as all its holds have outcomes",
  security: "key",
  params: IdParams,
  query: WaitQuery,
  replies: { 200: GroupOut },
  errors: [...READ, "invalid_query"],
});

export const answerGroup = defineOperation({
  id: "answerGroup",
  method: "POST",
  path: "/v1/groups/{id}/answer",
  tag: "groups",
  summary: "Settle all open holds of a group in one commit, or none",
  security: "key",
  params: IdParams,
  body: GroupAnswerIn,
  replies: { 200: GroupOut },
  errors: [...READ, ...BODY, ...ANSWER, "group_incomplete"],
});

export const whoAmI = defineOperation({
  id: "whoAmI",
  method: "GET",
  path: "/v1/me",
  tag: "server",
  summary: "Who the credential stands for",
  security: "key",
  replies: { 200: MeOut },
  errors: ["unauthenticated", "agent_mismatch"],
});

export const makeKey = defineOperation({
  id: "makeKey",
  method: "POST",
  path: "/v1/keys",
  tag: "keys",
  summary: "Make an API key; its secrets are shown once",
  security: "key",
  body: KeyIn,
  replies: { 201: KeyOut },
  errors: ["unauthenticated", "not_allowed", ...BODY, "already_exists"],
});

export const listKeys = defineOperation({
  id: "listKeys",
  method: "GET",
  path: "/v1/keys",
  tag: "keys",
  summary: "API keys, without their secrets",
  security: "key",
  replies: { 200: KeyListOut },
  errors: ["unauthenticated", "not_allowed"],
});

export const revokeKey = defineOperation({
  id: "revokeKey",
  method: "DELETE",
  path: "/v1/keys/{id}",
  tag: "keys",
  summary: "Make an API key worthless",
  security: "key",
  params: IdParams,
  replies: { 200: KeyOut },
  errors: ["unauthenticated", "not_allowed", "not_found"],
});

export const makeWebhook = defineOperation({
  id: "makeWebhook",
  method: "POST",
  path: "/v1/webhooks",
  tag: "webhooks",
  summary: "Register a webhook endpoint; its secret is shown once",
  security: "key",
  body: WebhookIn,
  replies: { 201: WebhookOut },
  errors: ["unauthenticated", "not_allowed", ...BODY, "callback_refused"],
});

export const listWebhooks = defineOperation({
  id: "listWebhooks",
  method: "GET",
  path: "/v1/webhooks",
  tag: "webhooks",
  summary: "Registered endpoints, without their secrets",
  security: "key",
  replies: { 200: WebhookListOut },
  errors: ["unauthenticated", "not_allowed"],
});

export const deleteWebhook = defineOperation({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/v1/webhooks/{id}",
  tag: "webhooks",
  summary: "Send nothing more to an endpoint",
  security: "key",
  params: IdParams,
  replies: { 200: WebhookOut },
  errors: ["unauthenticated", "not_allowed", "not_found"],
});

export const listDeliveries = defineOperation({
  id: "listDeliveries",
  method: "GET",
  path: "/v1/deliveries",
  tag: "webhooks",
  summary: "Messages to endpoints, creators and people, with every attempt",
  security: "key",
  query: DeliveriesQuery,
  replies: { 200: DeliveryListOut },
  errors: [...FIND, "invalid_cursor"],
});

export const replayDelivery = defineOperation({
  id: "replayDelivery",
  method: "POST",
  path: "/v1/deliveries/{id}/replay",
  tag: "webhooks",
  summary: "Send a message again, now",
  security: "key",
  params: IdParams,
  replies: { 202: DeliveryOut },
  errors: ["unauthenticated", "not_allowed", "not_found"],
});

export const health = defineOperation({
  id: "health",
  method: "GET",
  path: "/healthz",
  tag: "server",
  summary: "Whether the process lives",
  security: "none",
  replies: { 200: HealthOut },
  errors: [],
});

export const ready = defineOperation({
  id: "ready",
  method: "GET",
  path: "/readyz",
  tag: "server",
  summary: "Whether the server can take work",
  security: "none",
  replies: { 200: ReadyOut, 503: ReadyOut },
  errors: [],
});

export const metrics = defineOperation({
  id: "metrics",
  method: "GET",
  path: "/metrics",
  tag: "server",
  summary: "Counters and gauges (OpenMetrics text)",
  security: "none",
  replies: { 200: z.string() },
  media: "text/plain",
  errors: ["not_allowed"],
});

export const openApi = defineOperation({
  id: "openApi",
  method: "GET",
  path: "/openapi.json",
  tag: "server",
  summary: "This description",
  security: "none",
  replies: { 200: OpenObject },
  errors: [],
});

/** In the order of the reference. */
export const nativeOperations: readonly Operation<Code>[] = [
  placeHold,
  listHolds,
  getHold,
  answerHold,
  cancelHold,
  holdEvents,
  makeLink,
  listLinks,
  revokeLink,
  claimHold,
  finishClaim,
  releaseClaim,
  streamEvents,
  placeGroup,
  getGroup,
  answerGroup,
  makeKey,
  listKeys,
  revokeKey,
  makeWebhook,
  listWebhooks,
  deleteWebhook,
  listDeliveries,
  replayDelivery,
  whoAmI,
  health,
  ready,
  metrics,
  openApi,
];
