/** Query parameters. They arrive as text, so numbers are read from digits; a list is separated by commas. */

import * as z from "zod";
import { Id, Time } from "./base.ts";
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
  tool: z.string().min(1).max(200).exactOptional().describe("Only holds whose `context.tool` is this."),
  type: z.string().min(1).max(100).exactOptional().describe("Only asks of this type."),
  assignee: Id.exactOptional().describe("Only holds of this person; `none`: of nobody."),
  unseen: z.literal("true").exactOptional().describe("Only holds that nobody has opened."),
  expires_by: Time.exactOptional().describe("Only open holds that end at this time or before."),
  action: z.string().min(1).max(100).exactOptional().describe("Only holds that were decided so."),
  decided_by: Id.exactOptional().describe("Only holds that this person decided."),
  door: z.string().min(1).max(40).exactOptional().describe("Only holds that were decided through this door."),
  settled_from: Time.exactOptional().describe("Only holds that ended at this time or later."),
  settled_before: Time.exactOptional().describe("Only holds that ended before this time."),
  sort: z
    .enum(["newest", "oldest", "urgency"])
    .exactOptional()
    .describe("`urgency` and `oldest` sort open holds: what ends first, or what was placed first."),
  cursor: Cursor.exactOptional(),
  limit: Limit.exactOptional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

export const CountQuery = ListQuery.pick({
  created_by: true,
  tool: true,
  type: true,
  assignee: true,
  unseen: true,
  expires_by: true,
}).extend({
  by: z
    .enum(["agent", "tool", "assignee"])
    .exactOptional()
    .describe("Count each agent, tool or assignee of those that fit too."),
});
export type CountQuery = z.infer<typeof CountQuery>;

const Position = digits(0, Number.MAX_SAFE_INTEGER);

export const HoldEventsQuery = z.strictObject({
  after: Position.exactOptional().describe("Position after which to begin."),
  limit: Limit.exactOptional(),
});
export type HoldEventsQuery = z.infer<typeof HoldEventsQuery>;

export const OverviewQuery = z.strictObject({
  since: Time.exactOptional().describe("Count endings from here on, at most a week; absent: the last day."),
});
export type OverviewQuery = z.infer<typeof OverviewQuery>;

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

export const ActivityQuery = z.strictObject({
  before: Position.exactOptional().describe("Position before which to read; absent: from the newest."),
  limit: Limit.exactOptional(),
  types: Words.exactOptional().describe("Only these event types, separated by commas."),
  person: Id.exactOptional().describe("Only what this person did."),
  agent: Id.exactOptional().describe("Only what happened to holds of this agent."),
  tool: z.string().min(1).max(200).exactOptional().describe("Only holds whose `context.tool` is this."),
  ending: z
    .string()
    .min(1)
    .max(100)
    .exactOptional()
    .describe("Only endings: an action, or `decided`, `expired`, `cancelled`."),
  door: z.string().min(1).max(40).exactOptional().describe("Only answers that came through this door."),
  hold_id: Id.exactOptional().describe("Only what happened to this hold."),
  from: Time.exactOptional().describe("Only what happened at this time or later."),
  until: Time.exactOptional().describe("Only what happened before this time."),
});
export type ActivityQuery = z.infer<typeof ActivityQuery>;

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
