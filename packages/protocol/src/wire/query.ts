/** Query parameters. They arrive as text, so numbers are read from digits; a list is separated by commas. */

import * as z from "zod";
import { Id } from "./base.ts";
import { HoldStatus } from "./hold.ts";

/** Digits in, number out; bounds are checked on the number. Described as the number that a client writes. */
function digits(min: number, max: number) {
  return z
    .custom<string>(
      (text) => typeof text === "string" && /^\d{1,16}$/.test(text),
      "Invalid input: expected digits",
    )
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });
}

const Limit = digits(1, 200).describe("Items a page.");
const Cursor = z.string().min(1).max(500).describe("`next_cursor` of the page before.");

/** A wait longer than this is cut, not refused: the client asks again. */
export const WAIT_SECONDS_MAX = 60;

export const WaitQuery = z.strictObject({
  wait: digits(0, 3600)
    .exactOptional()
    .describe(
      `Seconds to wait for an outcome before replying with the hold as it is; at most ${WAIT_SECONDS_MAX}.`,
    ),
});
export type WaitQuery = z.infer<typeof WaitQuery>;

export const PageQuery = z.strictObject({ cursor: Cursor.exactOptional(), limit: Limit.exactOptional() });

export const ListQuery = z.strictObject({
  status: HoldStatus.exactOptional().describe("Only holds in this state."),
  q: z.string().min(1).max(500).exactOptional().describe("Words that occur in prompt, context or key."),
  created_by: Id.exactOptional().describe("Name of the agent that placed it."),
  key: z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe("The hold placed last under this key, by the agent in `created_by` or the caller."),
  thread_id: Id.exactOptional().describe("Only holds of this conversation."),
  intent_id: Id.exactOptional().describe("Only holds that suspend this intent."),
  group_id: Id.exactOptional().describe("Only holds of this group."),
  cursor: Cursor.exactOptional(),
  limit: Limit.exactOptional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

const Position = digits(0, Number.MAX_SAFE_INTEGER);

export const HoldEventsQuery = z.strictObject({
  after: Position.exactOptional().describe("Position after which to begin."),
  limit: Limit.exactOptional(),
});
export type HoldEventsQuery = z.infer<typeof HoldEventsQuery>;

const Words = z
  .string()
  .min(1)
  .max(20_000)
  .transform((text): readonly string[] => text.split(","));

export const EventsQuery = z.strictObject({
  hold_id: Words.exactOptional().describe("Only these holds, separated by commas."),
  types: Words.exactOptional().describe("Only these event types, separated by commas."),
  after: Position.exactOptional().describe(
    "Position after which to begin; absent: from now on. `Last-Event-ID` wins.",
  ),
});
export type EventsQuery = z.infer<typeof EventsQuery>;

export const DeliveriesQuery = z.strictObject({
  endpoint: Id.exactOptional().describe("A webhook's id, `callback`, or the name of a channel."),
  state: z
    .enum(["queued", "sent", "failed", "no_channel"])
    .exactOptional()
    .describe("Only messages in this state."),
  hold_id: Id.exactOptional().describe("Only messages about this hold."),
  cursor: Cursor.exactOptional(),
  limit: Limit.exactOptional(),
});
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;
