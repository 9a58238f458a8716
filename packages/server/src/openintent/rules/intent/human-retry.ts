/**
 * The human retry policy of a suspension: how often and where people are notified before the hold expires. It has three
 * levels: the call overrides the agent, which overrides the platform. Clients merge the first two; the server adds the last.
 */

import { isObject, type Json, type JsonObject, type Problem } from "@holdpoint/protocol/rules";
import type { RungIn } from "../../../kernel/hold/time.ts";

export const FALLBACK_POLICIES = ["fail", "complete_with_fallback", "use_default_and_continue"] as const;
export type FallbackPolicy = (typeof FALLBACK_POLICIES)[number];

/** All strategies are accepted and scheduled like `fixed`: the whole window is interval times attempts. */
const STRATEGIES = ["fixed", "linear", "exponential"];
const INTERVAL_SECONDS = 3600;
const WINDOW_SECONDS_MAX = 10 * 365 * 86_400;
/** Each attempt is a rung stored in the hold's row, which is read and written as a whole. */
const ATTEMPTS_MAX = 500;
const LADDER_MAX = 100;
const CHANNEL_LENGTH_MAX = 200;
const RECIPIENT_LENGTH_MAX = 320;

/** One entry of the escalation ladder. */
export interface EscalationStep {
  readonly attempt: number;
  readonly channel?: string;
  readonly to?: string;
}

export function policyProblems(policy: Json | undefined): readonly Problem[] {
  if (policy === undefined || policy === null) return [];
  if (!isObject(policy)) return [problem("", "type", "must be an object")];
  const { max_attempts: most, interval_seconds: interval, strategy, final_fallback_policy: final } = policy;
  const checks: readonly (readonly [string, Json | undefined, boolean, string])[] = [
    ["max_attempts", most, isCount(most, ATTEMPTS_MAX), `must be a whole number from 1 to ${ATTEMPTS_MAX}`],
    ["interval_seconds", interval, isSeconds(interval), "must be a number from 0"],
    [
      "strategy",
      strategy,
      STRATEGIES.includes(strategy as string),
      `must be one of ${STRATEGIES.join(", ")}`,
    ],
    [
      "final_fallback_policy",
      final,
      (FALLBACK_POLICIES as readonly unknown[]).includes(final),
      `must be one of ${FALLBACK_POLICIES.join(", ")}`,
    ],
  ];
  const wrong = checks.filter(([, value, fits]) => value !== undefined && value !== null && !fits);
  return [
    ...wrong.map(([name, , , message]) => problem(name, "invalid", message)),
    ...ladderProblems(policy["escalation_ladder"]),
  ];
}

/** Only for values set in one call. An inherited interval is cut to the timeout instead. */
export function intervalProblems(record: JsonObject): readonly Problem[] {
  const policy = record["retry_policy"];
  const interval = isObject(policy ?? null) ? (policy as JsonObject)["interval_seconds"] : undefined;
  const timeout = record["timeout_seconds"];
  if (typeof interval !== "number" || typeof timeout !== "number" || interval <= timeout) return [];
  return [problem("interval_seconds", "invalid", "must not be longer than timeout_seconds")];
}

function problem(name: string, rule: string, message: string): Problem {
  return { key: `/_suspension/retry_policy${name === "" ? "" : `/${name}`}`, rule, message };
}

function ladderProblems(ladder: Json | undefined): readonly Problem[] {
  if (ladder === undefined || ladder === null) return [];
  if (!Array.isArray(ladder) || ladder.length > LADDER_MAX) {
    return [problem("escalation_ladder", "type", `must be a list of at most ${LADDER_MAX}`)];
  }
  return ladder.flatMap((step: Json, index) =>
    stepFlaws(step).map((message) => problem(`escalation_ladder/${index}`, "invalid", message)),
  );
}

function stepFlaws(step: Json): readonly string[] {
  if (!isObject(step)) return ["must be an object"];
  const { attempt, channel, to } = stepMembers(step);
  return [
    ...(isCount(attempt, Number.MAX_SAFE_INTEGER) ? [] : ["attempt must be a whole number from 1"]),
    ...(isChannel(channel) ? [] : ["channel_hint must be a short text on one line"]),
    ...(isWord(to, RECIPIENT_LENGTH_MAX) ? [] : ["notify_to must be a short text on one line"]),
  ];
}

/** Drafts of the protocol used other member names; both are read. */
function stepMembers(step: JsonObject) {
  return {
    attempt: step["attempt"] ?? step["after_attempt"],
    channel: step["channel_hint"] ?? step["channel"],
    to: step["notify_to"] ?? step["notify"],
  };
}

function isCount(value: Json | undefined, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most;
}

function isSeconds(value: Json | undefined): boolean {
  return typeof value === "number" && value >= 0 && value <= WINDOW_SECONDS_MAX;
}

export function isChannel(value: Json | undefined): boolean {
  return isWord(value, CHANNEL_LENGTH_MAX);
}

function isWord(value: Json | undefined, most: number): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "string" && value.length <= most && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** Some clients send `""` for an absent value. */
function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function positive(value: Json | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

/**
 * The effective policy: the record's own members over the platform's, with the ladder taken whole from one of them. `null`:
 * the record opted out. `undefined`: neither sets a policy.
 */
export function effectivePolicy(
  record: JsonObject,
  platform: JsonObject | null,
): JsonObject | null | undefined {
  const own = record["retry_policy"];
  if (own === null) return null;
  if (own === undefined && platform === null) return undefined;
  const merged = { ...withoutNulls(platform ?? {}), ...withoutNulls((own ?? {}) as JsonObject) };
  const timeout = positive(record["timeout_seconds"]);
  const interval = positive(merged["interval_seconds"]);
  return {
    ...merged,
    ...(timeout !== undefined && interval !== undefined && interval > timeout
      ? { interval_seconds: timeout }
      : {}),
    ...("escalation_ladder" in merged ? { escalation_ladder: wireLadder(stepsOf(merged)) } : {}),
  };
}

function withoutNulls(policy: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== null));
}

function wireLadder(steps: readonly EscalationStep[]): readonly JsonObject[] {
  return steps.map(({ attempt, channel, to }) => ({
    attempt,
    channel_hint: channel ?? null,
    notify_to: to ?? null,
  }));
}

function stepsOf(policy: JsonObject): readonly EscalationStep[] {
  const ladder = policy["escalation_ladder"];
  if (!Array.isArray(ladder)) return [];
  return ladder.filter(isObject).map((step) => {
    const { attempt, channel, to } = stepMembers(step);
    return {
      attempt: attempt as number,
      ...(textOf(channel) === undefined ? {} : { channel: textOf(channel) as string }),
      ...(textOf(to) === undefined ? {} : { to: textOf(to) as string }),
    };
  });
}

/** The functions below expect a record that contains its effective policy. */
function policyIn(record: JsonObject): JsonObject | undefined {
  const policy = record["retry_policy"];
  return isObject(policy ?? null) ? (policy as JsonObject) : undefined;
}

export function maxAttemptsOf(record: JsonObject): number {
  return positive(policyIn(record)?.["max_attempts"]) ?? 1;
}

/** Seconds between attempts, and from the last attempt to the expiry; `null` if it never expires. */
function intervalOf(record: JsonObject): number | null {
  const timeout = positive(record["timeout_seconds"]) ?? null;
  const policy = policyIn(record);
  if (policy === undefined) return timeout;
  const fallback = maxAttemptsOf(record) > 1 ? INTERVAL_SECONDS : null;
  return positive(policy["interval_seconds"]) ?? timeout ?? fallback;
}

/** How long the hold accepts an answer; `null` if it never expires. */
export function windowMsOf(record: JsonObject): number | null {
  const interval = intervalOf(record);
  return interval === null ? null : Math.min(interval * maxAttemptsOf(record), WINDOW_SECONDS_MAX) * 1000;
}

/** What happens when nobody answers: the final fallback policy, else the record's own. */
export function policyOf(record: JsonObject): FallbackPolicy {
  return (textOf(policyIn(record)?.["final_fallback_policy"]) ?? record["fallback_policy"]) as FallbackPolicy;
}

/** The ladder entries for this attempt. */
export function stepsAt(record: JsonObject, attempt: number): readonly EscalationStep[] {
  return stepsOf(policyIn(record) ?? {}).filter((step) => step.attempt === attempt);
}

/** Every attempt as a rung. Times are counted from the suspension, so delays do not accumulate. The first is immediate. */
export function attemptsOf(
  record: JsonObject,
  suspendedAt: number,
): readonly (RungIn & { readonly n: number })[] {
  const intervalMs = (intervalOf(record) ?? 0) * 1000;
  return Array.from({ length: maxAttemptsOf(record) }, (_, index) => ({
    at: suspendedAt + index * intervalMs,
    kind: "attempt" as const,
    n: index + 1,
    ...whereAt(record, index + 1),
  }));
}

/** The last matching entry with a channel or recipient counts. Otherwise the record's channel, with no recipient. */
function whereAt(record: JsonObject, attempt: number): Pick<RungIn, "channel" | "to"> {
  const steps = stepsAt(record, attempt);
  const channel =
    steps.findLast((step) => step.channel !== undefined)?.channel ?? textOf(record["channel_hint"]);
  const to = steps.findLast((step) => step.to !== undefined)?.to;
  return { ...(channel === undefined ? {} : { channel }), ...(to === undefined ? {} : { to }) };
}
