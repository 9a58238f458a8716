/** What an agent asks with `requestInput`, and the record it becomes. Everything wrong with it is said before any HTTP call. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { EngagementDecision } from "./engagement.ts";
import { checkRetryPolicy, FALLBACK_POLICIES, mergeRetryPolicies } from "./retry-policy.ts";
import type { Choice, FallbackPolicy, HumanRetryPolicy, ResponseType, Suspension } from "./types.ts";

export interface InputRequest {
  readonly question: string;
  readonly responseType?: ResponseType;
  readonly choices?: readonly Choice[];
  /** No secrets and nothing personal: it is sent to everybody who is notified. */
  readonly context?: JsonObject;
  readonly channelHint?: string;
  readonly timeoutSeconds?: number;
  readonly fallbackPolicy?: FallbackPolicy;
  readonly fallbackValue?: Json;
  /** How sure the agent was, from 0 to 1. */
  readonly confidence?: number;
  /** `null` opts out of what agent and platform say. */
  readonly retryPolicy?: HumanRetryPolicy | null;
  /** What `shouldRequestInput` said. */
  readonly decision?: EngagementDecision;
  /** Names the question: asked again after a crash, the suspension that is already there is found. */
  readonly suspensionId?: string;
  readonly signal?: AbortSignal;
}

export type NewSuspension = Omit<Suspension, "response" | "resolution">;

const RESPONSE_TYPES: readonly ResponseType[] = ["choice", "confirm", "text", "form"];

const YES_NO: readonly Choice[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

export function recordOf(
  id: string,
  request: InputRequest,
  agentDefault?: HumanRetryPolicy | null,
): NewSuspension {
  const { question, responseType = "choice", confidence, timeoutSeconds, fallbackPolicy = "fail" } = request;
  if (question.trim() === "") throw new RangeError("question must not be empty");
  if (!RESPONSE_TYPES.includes(responseType))
    throw new RangeError(`response type must be one of ${RESPONSE_TYPES.join(", ")}, not ${responseType}`);
  if (!FALLBACK_POLICIES.includes(fallbackPolicy))
    throw new RangeError(
      `fallback policy must be one of ${FALLBACK_POLICIES.join(", ")}, not ${fallbackPolicy}`,
    );
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new RangeError("confidence must lie between 0 and 1");
  }
  const choices = choicesOf(responseType, request.choices);
  const policy = request.retryPolicy === null ? null : mergeRetryPolicies(request.retryPolicy, agentDefault);
  if (request.retryPolicy) checkRetryPolicy(request.retryPolicy, timeoutSeconds);
  return {
    id,
    question,
    response_type: responseType,
    ...(choices === undefined ? {} : { choices }),
    context: request.context ?? {},
    ...(request.channelHint === undefined ? {} : { channel_hint: request.channelHint }),
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
    ...(request.fallbackValue === undefined ? {} : { fallback_value: request.fallbackValue }),
    fallback_policy: fallbackPolicy,
    // Absent: the platform's default applies. `null`: none does.
    ...(policy === undefined ? {} : { retry_policy: policy }),
    ...(confidence === undefined ? {} : { confidence_at_suspension: confidence }),
    ...(request.decision === undefined ? {} : { decision_record: request.decision as JsonObject }),
  };
}

function choicesOf(
  type: ResponseType,
  choices: readonly Choice[] | undefined,
): readonly Choice[] | undefined {
  if (type === "confirm") return confirmChoices(choices);
  if (type !== "choice") return choices;
  if (choices === undefined || choices.length === 0)
    throw new RangeError("a question of type choice needs at least one choice");
  for (const { value, label } of choices) {
    if (value === "" || label === "") throw new RangeError("every choice needs a value and a label");
  }
  return choices;
}

/** Other words for yes and no are fine; other answers are not a confirmation. */
function confirmChoices(choices: readonly Choice[] | undefined): readonly Choice[] {
  if (choices === undefined || choices.length === 0) return YES_NO;
  if (choices.some(({ value }) => value !== "yes" && value !== "no")) {
    throw new RangeError(
      "a confirmation has only the choices yes and no; use the response type choice for others",
    );
  }
  return choices;
}
