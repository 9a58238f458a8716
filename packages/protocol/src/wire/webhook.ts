/** Registered webhook endpoints, and what became of each message. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";
import { CallbackUrl } from "./place.ts";

export const WebhookIn = z.strictObject({
  url: CallbackUrl.describe("Where to send; it answers with a 2xx status."),
  events: list(z.string().min(1).max(100), { max: 100 })
    .exactOptional()
    .describe("Event types, such as `hold.decided`; all of them when empty or absent."),
  description: z.string().max(1000).exactOptional().describe("What it is for; a note for people."),
});
export type WebhookIn = z.infer<typeof WebhookIn>;

export const WebhookOut = z.strictObject({
  id: Id,
  url: z.string(),
  events: list(z.string()),
  description: z.string().exactOptional(),
  created_at: Time,
  disabled_at: Time.exactOptional(),
  secret: z.string().exactOptional().describe("Only in the reply to registering the endpoint."),
});
export type WebhookOut = z.infer<typeof WebhookOut>;

export const WebhookListOut = z.strictObject({ webhooks: list(WebhookOut) });
export type WebhookListOut = z.infer<typeof WebhookListOut>;

export const DeliveryAttemptOut = z.strictObject({
  at: Time,
  ok: z.boolean(),
  status: z.int().exactOptional(),
  error: z.string().exactOptional(),
  duration_ms: z.number().min(0),
});
export type DeliveryAttemptOut = z.infer<typeof DeliveryAttemptOut>;

export const DeliveryOut = z.strictObject({
  id: Id,
  kind: z
    .enum(["webhook", "callback", "notice", "update", "tell"])
    .describe(
      "`notice`: to people; `update`: an edit of a message that a chat shows; `tell`: to one person about their own account.",
    ),
  endpoint: z.string().describe("Endpoint id, `callback`, or the channel's name."),
  host: z.string().exactOptional().describe("The host that a webhook's or a callback's address names."),
  hold_id: Id.exactOptional(),
  event_type: z.string(),
  event_seq: z.int().min(1),
  to: z.string().exactOptional().describe("Who is told; gone once the hold's content has been erased."),
  attempt: z.int().min(1).exactOptional().describe("Which attempt to reach people a notice belongs to."),
  state: z
    .enum(["queued", "sent", "failed", "no_channel"])
    .describe("`no_channel`: no channel of that name is configured."),
  seen_at: Time.exactOptional().describe("When a linked person first pressed something in the message."),
  acted_at: Time.exactOptional().describe("When an answer came from this message."),
  closed_at: Time.exactOptional().describe(
    "Since when the message shows how the hold ended, without buttons.",
  ),
  reason: z.string().exactOptional().describe("Why the last try failed, if it did."),
  attempts: list(DeliveryAttemptOut),
  created_at: Time,
  due_at: Time.exactOptional(),
});
export type DeliveryOut = z.infer<typeof DeliveryOut>;

const BacklogOut = z.strictObject({
  kind: z.enum(["webhook", "callback", "notice", "update", "tell"]),
  endpoint: z.string(),
  host: z.string().exactOptional(),
  waiting: z.int().min(1),
  oldest_at: Time,
});

export const DeliveryListOut = z.strictObject({
  deliveries: list(DeliveryOut),
  next_cursor: z.string().exactOptional(),
  backlogs: list(BacklogOut)
    .exactOptional()
    .describe("How much waits for each endpoint, the longest first: on the first page of `state=queued`."),
});
export type DeliveryListOut = z.infer<typeof DeliveryListOut>;
