/**
 * A 202 as an agent keeps it: what to forward, where to look for the answer, and what may be tapped. Plain data, so it can
 * be stored and picked up again after a crash, days later.
 */

import { defined } from "@holdpoint/protocol/client";
import type { VerificationPolicy } from "@holdpoint/protocol/hitl";
import {
  CASE_ID,
  DEFAULT_ACTIONS,
  type DefaultAction,
  fitsLength,
  hasLength,
  isDateTime,
  isSafeUrl,
  PROMPT_LENGTH_MAX,
  REQUIRED_MEMBERS,
  SUBMIT_TOKEN_LENGTH_MIN,
} from "@holdpoint/protocol/hitl/words";
import {
  type AskType,
  actionsOf,
  type Form,
  isKnownType,
  isObject,
  type JsonObject,
  type Problem,
} from "@holdpoint/protocol/rules";

/** The way to answer for a person who tapped a button. The token stays with the agent: it goes into no message. */
export interface InlineSubmit {
  readonly url: string;
  readonly token: string;
  readonly actions: readonly string[];
}

export interface Review {
  readonly version: string;
  readonly caseId: string;
  readonly reviewUrl: string;
  readonly pollUrl: string;
  readonly eventsUrl?: string;
  readonly type: AskType;
  readonly prompt: string;
  readonly message?: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly defaultAction: DefaultAction;
  readonly context?: JsonObject;
  readonly reminderAt: readonly string[];
  readonly previousCaseId?: string;
  readonly inline?: InlineSubmit;
  readonly verificationPolicy?: VerificationPolicy;
}

export type Detected =
  /** Not a review: go on with the response. */
  | { readonly kind: "none" }
  | { readonly kind: "review"; readonly review: Review }
  /** A person is asked for, but not in a way that can be acted on. Going on as if nothing had been asked is wrong. */
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] };

type Check = (value: unknown) => string | undefined;

function text(fits: (value: string) => boolean, expected: string): Check {
  return (value) => (typeof value === "string" && fits(value) ? undefined : `expected ${expected}`);
}

const address = text(isSafeUrl, "an https address, or http on this machine");
const moment = text(isDateTime, "an RFC 3339 moment");

const CHECKS: Readonly<Record<(typeof REQUIRED_MEMBERS)[number], Check>> = {
  spec_version: text((value) => /^\d+\.\d+$/.test(value), "a version number"),
  case_id: text((value) => CASE_ID.test(value), "letters, digits, - and _"),
  review_url: address,
  poll_url: address,
  type: text((value) => isKnownType(value) || value.startsWith("x-"), "a review type"),
  prompt: text((value) => fitsLength(value, PROMPT_LENGTH_MAX), `at most ${PROMPT_LENGTH_MAX} characters`),
  created_at: moment,
  expires_at: moment,
};

/** What is wrong with the eight members that nothing can be done without. */
function checkHitl(hitl: JsonObject): readonly Problem[] {
  return REQUIRED_MEMBERS.flatMap((key) => {
    if (hitl[key] === undefined) return [{ key, rule: "required", message: `${key} is missing` }];
    const wrong = CHECKS[key](hitl[key]);
    return wrong === undefined ? [] : [{ key, rule: "format", message: `${key}: ${wrong}` }];
  });
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

const optionalText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const optionalAddress = (value: unknown): string | undefined =>
  typeof value === "string" && isSafeUrl(value) ? value : undefined;

/** Half a pair, a short token or an unsafe address is no offer; the page is always there. */
function inlineOf(hitl: JsonObject, type: AskType): InlineSubmit | undefined {
  const url = optionalAddress(hitl["submit_url"]);
  const token = hitl["submit_token"];
  if (url === undefined || typeof token !== "string" || !hasLength(token, SUBMIT_TOKEN_LENGTH_MIN))
    return undefined;
  const listed = hitl["inline_actions"];
  const actions = Array.isArray(listed) ? texts(listed) : actionsOf({ type }).map((action) => action.id);
  return { url, token, actions };
}

function reviewOf(hitl: JsonObject, message: string | undefined): Review {
  const type = hitl["type"] as AskType;
  const reminders = hitl["reminder_at"];
  const defaultAction = DEFAULT_ACTIONS.find((action) => action === hitl["default_action"]) ?? "skip";
  return defined({
    version: hitl["spec_version"] as string,
    caseId: hitl["case_id"] as string,
    reviewUrl: hitl["review_url"] as string,
    pollUrl: hitl["poll_url"] as string,
    eventsUrl: optionalAddress(hitl["events_url"]),
    type,
    prompt: hitl["prompt"] as string,
    message,
    createdAt: hitl["created_at"] as string,
    expiresAt: hitl["expires_at"] as string,
    defaultAction,
    context: isObject(hitl["context"]) ? hitl["context"] : undefined,
    reminderAt: (Array.isArray(reminders) ? texts(reminders) : texts([reminders])).filter(isDateTime),
    previousCaseId: optionalText(hitl["previous_case_id"]),
    inline: inlineOf(hitl, type),
    verificationPolicy: isObject(hitl["verification_policy"])
      ? (hitl["verification_policy"] as VerificationPolicy)
      : undefined,
  });
}

/** Reads the body of a 202. */
export function readReview(body: unknown): Detected {
  if (!isObject(body) || body["hitl"] === undefined || body["hitl"] === null) return { kind: "none" };
  const hitl = body["hitl"];
  if (!isObject(hitl))
    return {
      kind: "invalid",
      problems: [{ key: "hitl", rule: "type", message: "hitl: expected an object" }],
    };
  const problems = checkHitl(hitl);
  if (problems.length > 0) return { kind: "invalid", problems };
  return { kind: "review", review: reviewOf(hitl, optionalText(body["message"])) };
}

/** Looks whether a response asks for a person. The body of the response stays unread for the caller. */
export async function detectReview(response: Response): Promise<Detected> {
  if (response.status !== 202) return { kind: "none" };
  let body: unknown;
  try {
    body = await response.clone().json();
  } catch {
    return { kind: "none" };
  }
  return readReview(body);
}

/** The form of an input review, if it declares one in a shape that can be counted. */
export function formOf(review: Review): Form | undefined {
  const form = review.context?.["form"];
  if (!isObject(form)) return undefined;
  const countable = (fields: unknown) => Array.isArray(fields) && fields.every(isObject);
  const steps = form["steps"];
  if (Array.isArray(steps) && steps.every((step) => isObject(step) && countable(step["fields"])))
    return form as Form;
  return countable(form["fields"]) ? (form as Form) : undefined;
}
