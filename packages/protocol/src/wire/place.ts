/** Placing a hold: what an agent sends. */

import * as z from "zod";
import { parseDuration } from "../rules/duration.ts";
import { ActionItem, ActionWord, AskTypeWord, FormItem, OptionItem, SelectItem, UsesItem } from "./ask.ts";
import { Duration, Id, list, maybe, OpenObject, Time } from "./base.ts";
import { DecisionIn } from "./decision.ts";

const BUSINESS = " business";

/** Counted in the business hours that the operator configured. */
const BusinessDuration = z
  .string()
  .refine(isBusinessDuration, "Invalid duration: expected <n>m business or <n>h business")
  .meta({ examples: ["2h business"] });

function isBusinessDuration(text: string): boolean {
  return text.endsWith(BUSINESS) && parseDuration(text.slice(0, -BUSINESS.length)) !== null;
}

/** When people are told again: after a while or at a moment, through a channel, and to whom. */
const WHERE = { channel: Id.exactOptional(), to: z.string().min(1).max(320).exactOptional() };
export const RungIn = z
  .union([
    z.strictObject({ after: z.union([Duration, BusinessDuration, z.literal("0s")]), ...WHERE }),
    z.strictObject({ at: Time, ...WHERE }),
  ])
  .refine(({ channel, to }) => channel !== undefined || to !== undefined, {
    path: ["channel"],
    message: "expected a channel, or `to` with whom to tell by the channel that they prefer",
  })
  .describe(
    "One rung of the ladder: `after` counts from the moment of placing, `0s` tells people at once, `2h business` counts business hours; `at` is absolute. `to` may be `team:<id>`, `person:<id>` or `oncall:<rota>`; without `channel` each person is told by the one that they prefer.",
  );
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
  .describe(
    "Who is given review links: the agent that asks, if the operator's `agent_links` allows it, or only people, through channels and console. The hold shows what was allowed.",
  );
export type LinksTo = z.infer<typeof LinksTo>;

export const Key = z
  .string()
  .min(1)
  .max(255)
  .describe("Makes placing repeatable: the same key of the same agent finds the same hold.");

export const CallbackUrl = z.url({ protocol: /^https?$/ }).max(2048);

export const PlaceIn = z
  .strictObject({
    key: maybe(Key),
    type: AskTypeWord,
    prompt: z.string().min(1).describe("The question, in the words that a person will read."),
    context: maybe(OpenObject).describe(
      "What the person needs to know to decide; shown whole, and never changed.",
    ),
    options: maybe(list(OptionItem)).describe("What can be chosen in a `selection`."),
    select: maybe(SelectItem),
    form: maybe(FormItem),
    response_schema: maybe(OpenObject).describe(
      "JSON Schema that the answer's data must fit, instead of a form.",
    ),
    actions: maybe(list(ActionItem, { min: 1 })).describe(
      "What can be done, when it is not what the type offers.",
    ),
    uses: maybe(UsesItem),
    timeout: maybe(Duration).describe("How long people have, from now; absent: until somebody answers."),
    until: maybe(Time).describe("The moment it expires, instead of `timeout`."),
    on_timeout: maybe(OnTimeout),
    ladder: maybe(list(RungIn, { max: 100 })).describe("Whom to tell, and when, while nobody answers."),
    remind_at: maybe(list(z.union([Time, Duration]), { max: 100 })).describe(
      "When to tell the same people again: moments, or durations from now.",
    ),
    answerers: maybe(list(Id, { min: 1, max: 100 })).describe(
      "The only people who may answer; absent: anybody with a link, and every operator.",
    ),
    decision: maybe(DecisionIn),
    withhold_sensitive: maybe(z.boolean()).describe(
      'Answers to sensitive fields are stored, but shown to nobody: the agent that asked gets `{"withheld": true}` in their place.',
    ),
    links: maybe(LinksTo),
    hitl_case: maybe(z.boolean()).describe(
      "The hold is a case of a HITL service, whose protocol hands the review link to the agent: `agent_links: hitl` allows it.",
    ),
    previous: maybe(Id).describe("A hold of the same agent that this one follows up."),
    after: maybe(Id).describe("The settled hold under this key, after which to ask again."),
    callback_url: maybe(CallbackUrl).describe("Where to send the outcome, signed."),
    intent_id: maybe(Id).describe("The intent that is suspended until the outcome."),
    thread_id: maybe(Id).describe("The conversation it belongs to, to find it by."),
    metadata: maybe(OpenObject).describe("Anything of the agent's own; not shown, given back as it came."),
  })
  .refine((place) => place.timeout === undefined || place.until === undefined, {
    path: ["until"],
    message: "Give either timeout or until, not both",
  })
  .refine((place) => place.decision === undefined || place.answerers === undefined, {
    path: ["answerers"],
    message: "Give either decision or answerers, not both",
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
