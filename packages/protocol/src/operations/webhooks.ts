/** Webhook endpoints and deliveries. */

import { defineOperation } from "../operation.ts";
import { DeliveriesQuery } from "../wire/query.ts";
import { DeliveryListOut, DeliveryOut, WebhookIn, WebhookListOut, WebhookOut } from "../wire/webhook.ts";
import { ACT, BODY, FIND, IdParams, MANAGE, SETTING, SETTING_ACT } from "./shared.ts";

export const makeWebhook = defineOperation({
  id: "makeWebhook",
  method: "POST",
  path: "/v1/webhooks",
  tag: "webhooks",
  summary: "Register a webhook endpoint; its secret is shown once",
  security: "key",
  body: WebhookIn,
  replies: { 201: WebhookOut },
  errors: [...SETTING, ...BODY, "too_many_webhooks", "callback_refused"],
});

export const listWebhooks = defineOperation({
  id: "listWebhooks",
  method: "GET",
  path: "/v1/webhooks",
  tag: "webhooks",
  summary: "Registered endpoints, without their secrets",
  security: "key",
  replies: { 200: WebhookListOut },
  errors: MANAGE,
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
  errors: SETTING_ACT,
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
  errors: [...FIND, "not_allowed", "invalid_cursor"],
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
  errors: [...ACT, "delivery_queued"],
});
