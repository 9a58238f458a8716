/** What an operator wants to know first, and what happened, with enough beside it to be told in a sentence. */

import * as z from "zod";
import { Id, list, OpenObject, Time } from "./base.ts";
import { CountOut } from "./desk.ts";

/** As much of a hold as a line about it needs. */
export const HoldBrief = z.strictObject({
  id: Id,
  prompt: z.string().describe("Empty once the hold's content has been erased."),
  created_by: z.string(),
  created_at: Time,
  status: z.enum(["open", "decided", "expired", "cancelled"]),
  tool: z.string().exactOptional(),
  amount: z
    .string()
    .exactOptional()
    .describe("An amount of money that the context names, such as `80.00 EUR`."),
  key: z.string().exactOptional(),
  expires_at: Time.exactOptional(),
  assignee: z.string().exactOptional(),
});
export type HoldBrief = z.infer<typeof HoldBrief>;

const Named = z.strictObject({
  count: z.int().min(0),
  is_exact: z.boolean(),
  holds: list(HoldBrief).describe("Some of them."),
});

export const OverviewOut = z.strictObject({
  at: Time,
  waiting: CountOut,
  unassigned: CountOut,
  unseen: CountOut,
  by_agent: CountOut,
  by_tool: CountOut,
  by_assignee: CountOut,
  expiring: list(z.strictObject({ within: z.string(), until: Time, count: z.int(), is_exact: z.boolean() })),
  unreached: Named.describe("Open, opened by nobody, and no message about them arrived."),
  escalated: Named.describe("Open, and people were told again within the last day."),
  stalled: Named.describe("Approved work that was claimed and failed, or of which nothing was heard again."),
  failing: list(
    z.strictObject({ endpoint: z.string(), host: z.string().exactOptional(), count: z.int().min(1) }),
  ).describe(
    "Where the newest undelivered messages were to go, and the host of a webhook or callback; `agui-proxy:<name>`: answers for an agent behind the proxy that are stuck.",
  ),
  endings: list(z.strictObject({ ending: z.string(), count: z.int().min(1) })).describe(
    "What ended since `endings_since`, by action or status.",
  ),
  hours: list(z.strictObject({ from: Time, decided: z.int(), expired: z.int(), cancelled: z.int() })),
  files: z
    .strictObject({ bytes: z.int().min(0), bytes_max: z.int().min(0) })
    .describe("The room that uploaded files take, and how much they may take."),
  endings_since: Time,
  is_endings_exact: z.boolean().describe("`false`: more happened than is read for one overview."),
});
export type OverviewOut = z.infer<typeof OverviewOut>;

export const ActivityOut = z.strictObject({
  activities: list(
    z.strictObject({
      position: z.int().min(1),
      at: Time,
      type: z.string(),
      stream: z.string(),
      actor: z.string(),
      who: z.string().exactOptional().describe("The name of the person, agent or recipient, where known."),
      whom: z
        .string()
        .exactOptional()
        .describe("The name of the person that the event is about, where known."),
      team: z.string().exactOptional().describe("The name of the team that the event is about."),
      data: OpenObject,
      hold: HoldBrief.exactOptional(),
      hash: z.string(),
    }),
  ),
  next_before: z
    .int()
    .min(0)
    .exactOptional()
    .describe("Give it as `before` to read on; absent: nothing is earlier."),
});
export type ActivityOut = z.infer<typeof ActivityOut>;
