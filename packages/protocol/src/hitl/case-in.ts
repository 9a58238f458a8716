/** What an agent or a service sends to open a case on a Holdpoint server, and what a page sends while it is being filled in. */

import * as z from "zod";
import { ActionItem, OptionItem, SelectItem } from "../wire/ask.ts";
import { Duration, Id, list, OpenObject } from "../wire/base.ts";
import { LinksTo } from "../wire/place.ts";
import { CaseId, Moment, ReviewType, SafeUrl, textUpTo, wordOrExtension } from "./values.ts";
import { VerificationPolicy } from "./verification.ts";
import { DEFAULT_ACTIONS, PLATFORMS, PROMPT_LENGTH_MAX } from "./vocabulary.ts";

const REMINDERS_MAX = 20;
const SUBMITTERS_MAX = 100;

export const CaseIn = z
  .strictObject({
    type: ReviewType,
    prompt: textUpTo(PROMPT_LENGTH_MAX).min(1),
    message: z.string().min(1).exactOptional().describe("What the agent tells its user; else the prompt."),
    context: OpenObject.exactOptional().describe(
      "Shown beside the prompt. `form` asks for input, `items` are what a selection selects from.",
    ),
    options: list(OptionItem)
      .exactOptional()
      .describe("What a selection selects from, if not `context.items`."),
    select: SelectItem.exactOptional(),
    actions: list(ActionItem, { min: 1 })
      .exactOptional()
      .describe("The buttons of a type of your own; `submit` when absent."),
    timeout: Duration.exactOptional().describe("24 hours unless said otherwise, 7 days at most."),
    default_action: z.enum(DEFAULT_ACTIONS).exactOptional(),
    hitl_callback_url: SafeUrl.exactOptional(),
    hitl_spec_version: z.string().exactOptional().describe("The same as the header `HITL-Version`."),
    reminder_at: z.union([Moment, list(Moment, { max: REMINDERS_MAX })]).exactOptional(),
    previous_case_id: CaseId.exactOptional(),
    surface: z
      .strictObject({ format: z.string().exactOptional(), version: z.string().exactOptional() })
      .exactOptional(),
    inline: z
      .union([z.boolean(), list(z.string(), { min: 1, max: 20 })])
      .exactOptional()
      .describe("Hands out a submit token: `true` for what the type allows inline, or these actions only."),
    risk: z
      .enum(["normal", "high"])
      .exactOptional()
      .describe("`high` keeps the answer on the page, whatever `inline` says."),
    submitters: list(
      z.strictObject({ platform: wordOrExtension(PLATFORMS), platform_user_id: z.string().min(1) }),
      {
        min: 1,
        max: SUBMITTERS_MAX,
      },
    )
      .exactOptional()
      .describe("The only platform accounts whose inline answers count."),
    prefill: OpenObject.exactOptional().describe(
      "Values by field key that only the page may fetch, with its token: the field gets a `default_ref`.",
    ),
    withhold_sensitive: z
      .boolean()
      .exactOptional()
      .describe(
        'Answers to sensitive fields are stored, but in no result: the agent that asked gets `{"withheld": true}` in their place.',
      ),
    answerers: list(Id, { min: 1, max: SUBMITTERS_MAX })
      .exactOptional()
      .describe("The only people who may answer; links then go to them and not to the agent."),
    links: LinksTo.exactOptional(),
    verification_policy: VerificationPolicy.exactOptional().describe(
      "Evidence that an answer needs. A passkey is the proof type `x-webauthn` of the provider `holdpoint`; it is given on the page.",
    ),
    data: OpenObject.exactOptional().describe("Comes back beside `hitl`, untouched."),
  })
  .meta({
    examples: [
      {
        type: "confirmation",
        prompt: "Send these 3 applications?",
        context: { items: [{ id: "a", label: "Application to Example AG" }] },
        timeout: "2h",
        default_action: "abort",
        inline: true,
      },
    ],
  });
export type CaseIn = z.infer<typeof CaseIn>;

export const CancelRequest = z.strictObject({ reason: z.string().max(2000).exactOptional() });
export type CancelRequest = z.infer<typeof CancelRequest>;

/** How far somebody has come. The server counts for itself; of these values it keeps nothing. */
export const ProgressRequest = z.strictObject({
  values: OpenObject.exactOptional(),
  step: z.int().min(1).max(1000).exactOptional(),
});
export type ProgressRequest = z.infer<typeof ProgressRequest>;

export const SessionIn = z.strictObject({
  values: OpenObject,
  step: z.int().min(1).max(1000).exactOptional(),
});
export type SessionIn = z.infer<typeof SessionIn>;

export const SessionOut = z
  .strictObject({ case_id: CaseId, values: OpenObject, step: z.int().min(1), saved_at: Moment })
  .describe("A half-filled form. What is sensitive is not among the values.");
export type SessionOut = z.infer<typeof SessionOut>;

export const Jwks = z.strictObject({
  keys: list(z.looseObject({ kty: z.string(), use: z.literal("sig"), alg: z.string(), kid: z.string() })),
});
export type Jwks = z.infer<typeof Jwks>;
