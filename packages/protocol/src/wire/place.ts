/** Placing a hold: what an agent sends. */

import * as z from "zod";
import { ActionItem, ActionWord, AskTypeWord, FormItem, OptionItem, SelectItem, UsesItem } from "./ask.ts";
import { Duration, Id, list, OpenObject, Time } from "./base.ts";

/** When people are told again: after a while or at a moment, through a channel, and to whom. */
export const RungIn = z
  .union([
    z.strictObject({ after: Duration, channel: Id, to: z.string().min(1).max(320).exactOptional() }),
    z.strictObject({ at: Time, channel: Id, to: z.string().min(1).max(320).exactOptional() }),
  ])
  .describe("One rung of the ladder: `after` counts from the moment of placing, `at` is absolute.");
export type RungIn = z.infer<typeof RungIn>;

export const OnTimeout = z
  .union([
    ActionWord,
    z.strictObject({ action: ActionWord.exactOptional(), data: OpenObject.exactOptional() }),
  ])
  .describe("What the agent shall do when nobody answers. It is reported as a default, never as a decision.");
export type OnTimeout = z.infer<typeof OnTimeout>;

export const LinksTo = z
  .enum(["agent", "server"])
  .describe("Who is given review links: the agent that asks, or only people, through channels and console.");
export type LinksTo = z.infer<typeof LinksTo>;

export const Key = z
  .string()
  .min(1)
  .max(255)
  .describe("Makes placing repeatable: the same key of the same agent finds the same hold.");

export const CallbackUrl = z.url({ protocol: /^https?$/ }).max(2048);

export const PlaceIn = z
  .strictObject({
    key: Key.exactOptional(),
    type: AskTypeWord,
    prompt: z.string().min(1),
    context: OpenObject.exactOptional(),
    options: list(OptionItem).exactOptional(),
    select: SelectItem.exactOptional(),
    form: FormItem.exactOptional(),
    response_schema: OpenObject.exactOptional(),
    actions: list(ActionItem, { min: 1 }).exactOptional(),
    uses: UsesItem.exactOptional(),
    timeout: Duration.exactOptional(),
    until: Time.exactOptional(),
    on_timeout: OnTimeout.exactOptional(),
    ladder: list(RungIn, { max: 100 }).exactOptional(),
    remind_at: list(z.union([Time, Duration]), { max: 100 }).exactOptional(),
    answerers: list(Id, { min: 1, max: 100 }).exactOptional(),
    links: LinksTo.exactOptional(),
    previous: Id.exactOptional(),
    after: Id.exactOptional(),
    callback_url: CallbackUrl.exactOptional(),
    intent_id: Id.exactOptional(),
    thread_id: Id.exactOptional(),
    metadata: OpenObject.exactOptional(),
  })
  .refine((place) => place.timeout === undefined || place.until === undefined, {
    path: ["until"],
    message: "Give either timeout or until, not both",
  })
  .meta({
    examples: [
      {
        key: "refund:1042",
        type: "approval",
        prompt: "Refund 80 EUR to Ada Park?",
        context: { order: "1042", amount: 80 },
        timeout: "2h",
        on_timeout: "reject",
        ladder: [{ after: "30m", channel: "email", to: "lead@example.com" }],
      },
    ],
  });
export type PlaceIn = z.infer<typeof PlaceIn>;
