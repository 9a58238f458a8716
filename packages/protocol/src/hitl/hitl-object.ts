/** The `hitl` object, and the 202 body that carries it. */

import * as z from "zod";
import { list, OpenObject } from "../wire/base.ts";
import { Form } from "./form.ts";
import { CaseId, Moment, ReviewType, SafeUrl, textFrom, textUpTo } from "./values.ts";
import { VerificationPolicy } from "./verification.ts";
import { DEFAULT_ACTIONS, PROMPT_LENGTH_MAX, SUBMIT_TOKEN_LENGTH_MIN } from "./vocabulary.ts";

const COMMON = {
  case_id: CaseId,
  review_url: SafeUrl,
  poll_url: SafeUrl,
  callback_url: z.union([SafeUrl, z.null()]).exactOptional(),
  events_url: SafeUrl.exactOptional(),
  type: ReviewType,
  prompt: textUpTo(PROMPT_LENGTH_MAX),
  timeout: z.string().exactOptional(),
  default_action: z.enum(DEFAULT_ACTIONS).exactOptional(),
  created_at: Moment,
  expires_at: Moment,
  context: z.looseObject({ form: Form.exactOptional() }).exactOptional(),
  reminder_at: z.union([Moment, list(Moment)]).exactOptional(),
  previous_case_id: CaseId.exactOptional(),
  surface: z
    .looseObject({ format: z.string().exactOptional(), version: z.string().exactOptional() })
    .exactOptional(),
  submit_url: SafeUrl.exactOptional(),
  submit_token: textFrom(SUBMIT_TOKEN_LENGTH_MIN).exactOptional(),
  inline_actions: list(z.string()).exactOptional(),
};

interface InlinePair {
  readonly submit_url?: string;
  readonly submit_token?: string;
}

const inPair = (hitl: InlinePair) => (hitl.submit_url === undefined) === (hitl.submit_token === undefined);
const PAIR_MESSAGE = "Invalid pair: submit_url and submit_token come together or not at all";
const PAIR_META = {
  dependentRequired: { submit_url: ["submit_token"], submit_token: ["submit_url"] },
};

export const HitlObject07 = z
  .strictObject({ spec_version: z.literal("0.7"), ...COMMON })
  .refine(inPair, PAIR_MESSAGE)
  .meta(PAIR_META);
export type HitlObject07 = z.infer<typeof HitlObject07>;

export const HitlObject08 = z
  .strictObject({
    spec_version: z.literal("0.8"),
    ...COMMON,
    verification_policy: VerificationPolicy.exactOptional(),
  })
  .refine(inPair, PAIR_MESSAGE)
  .meta(PAIR_META);
export type HitlObject08 = z.infer<typeof HitlObject08>;

export const HitlObject = z.discriminatedUnion("spec_version", [HitlObject07, HitlObject08]);
export type HitlObject = z.infer<typeof HitlObject>;

function bodyWith<Hitl extends z.ZodType>(hitl: Hitl) {
  return z.looseObject({
    status: z.literal("human_input_required"),
    message: z.string().min(1).exactOptional(),
    data: OpenObject.exactOptional(),
    hitl,
  });
}

/** The body of a 202. Members beside `hitl` are the service's own and pass through. */
export const HumanInputRequired07 = bodyWith(HitlObject07);
export type HumanInputRequired07 = z.infer<typeof HumanInputRequired07>;
export const HumanInputRequired08 = bodyWith(HitlObject08);
export type HumanInputRequired08 = z.infer<typeof HumanInputRequired08>;
export const HumanInputRequired = bodyWith(HitlObject);
export type HumanInputRequired = z.infer<typeof HumanInputRequired>;
