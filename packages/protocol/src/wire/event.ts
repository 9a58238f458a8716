/** Facts from the log: items of a hold's history, and the data of server-sent event frames. */

import * as z from "zod";
import { Id, list, OpenObject, Time } from "./base.ts";

/** What a hold's frames are called. Other streams bring other words, so `EventOut.type` stays open. */
export const HOLD_EVENT_TYPES = [
  "hold.placed",
  "hold.opened",
  "hold.progressed",
  "hold.reminded",
  "hold.escalated",
  "hold.voted",
  "hold.decided",
  "hold.expired",
  "hold.cancelled",
] as const;
export type HoldEventType = (typeof HOLD_EVENT_TYPES)[number];

export const EventOut = z.strictObject({
  position: z.int().min(1).describe("Grows in commit order over everything; the `id:` of the frame."),
  stream: z.string().describe("`kind:id` of the thing whose chain this is."),
  hold_id: Id.exactOptional(),
  seq: z.int().min(1).describe("Place in the stream's chain."),
  type: z.string().min(1),
  at: Time,
  actor: z.string().describe("Who acted, as authenticated: `key:…`, `session:…`, `link:…`, `system`."),
  data: OpenObject,
  previous: z.string().describe("Hash of the event before; empty for the first."),
  hash: z.string(),
});
export type EventOut = z.infer<typeof EventOut>;

export const EventListOut = z.strictObject({
  events: list(EventOut),
  next_after: z.int().min(0).exactOptional().describe("Give it as `after` to read on."),
});
export type EventListOut = z.infer<typeof EventListOut>;
