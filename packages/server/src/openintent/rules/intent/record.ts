/**
 * The suspension record: what an agent writes under `_suspension` to ask a person. It is read once, when the hold is placed.
 * From then on only the hold counts.
 */

import { isObject, type Json, type JsonObject, member, type Problem } from "@holdpoint/protocol/rules";
import { FALLBACK_POLICIES, intervalProblems, isChannel, policyProblems } from "./human-retry.ts";
import { readTime } from "./wire-time.ts";

export const RESPONSE_TYPES = ["choice", "confirm", "text", "form"] as const;
export type ResponseType = (typeof RESPONSE_TYPES)[number];

/** `lenient` is for records that agents of other servers write into the state; it accepts more. */
export type Manner = "strict" | "lenient";

export type Read = { readonly record: JsonObject } | { readonly problems: readonly Problem[] };

/** Members of an answer. Only the server writes them. */
const ANSWER_MEMBERS = ["response", "responded_at", "responded_by", "link_given_to", "resolution"] as const;

const ID = /^[\p{L}\p{N}\p{P}\p{S} ]{1,200}$/u;
const TIMEOUT_SECONDS_MAX = 10 * 365 * 86_400;

/** The record as stored: nulls dropped except `retry_policy`, defaults filled in, everything else as written. */
export function readRecord(written: Json, manner: Manner): Read {
  if (!isObject(written)) return { problems: [problem("", "type", "must be an object")] };
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null));
  const record: JsonObject = {
    ...given,
    question: given["question"] ?? "",
    response_type: given["response_type"] ?? "choice",
    context: given["context"] ?? {},
    fallback_policy: given["fallback_policy"] ?? "fail",
    // `null` opts out of retries; an absent policy inherits the platform's.
    ...(written["retry_policy"] === null ? { retry_policy: null } : {}),
  };
  const problems = [...shapeProblems(record), ...policyProblems(written["retry_policy"])];
  if (problems.length > 0) return { problems };
  const more = manner === "strict" ? strictProblems(record) : [];
  return more.length > 0 ? { problems: more } : { record };
}

function problem(name: string, rule: string, message: string): Problem {
  return { key: name === "" ? "/_suspension" : `/_suspension/${name}`, rule, message };
}

function shapeProblems(record: JsonObject): Problem[] {
  const wrong: Problem[] = [];
  const need = (name: string, fits: boolean, message: string) => {
    if (!fits) wrong.push(problem(name, "invalid", message));
  };
  const { id, question, context, choices = [], confidence_at_suspension: confidence = 1 } = record;
  need(
    "id",
    typeof id === "string" && id.isWellFormed() && ID.test(id),
    "must be a text of 1 to 200 characters",
  );
  need("question", typeof question === "string", "must be a text");
  need(
    "response_type",
    isOneOf(RESPONSE_TYPES, record["response_type"]),
    `must be one of ${RESPONSE_TYPES.join(", ")}`,
  );
  need(
    "fallback_policy",
    isOneOf(FALLBACK_POLICIES, record["fallback_policy"]),
    `must be one of ${FALLBACK_POLICIES.join(", ")}`,
  );
  need("channel_hint", isChannel(record["channel_hint"]), "must be a short text on one line");
  need("context", isObject(context), "must be an object");
  need("choices", Array.isArray(choices) && choices.every(isObject), "must be a list of objects");
  need("confidence_at_suspension", isNumberIn(confidence, 0, 1), "must be a number from 0 to 1");
  const { timeout_seconds: timeout = 1 } = record;
  need(
    "timeout_seconds",
    isNumberIn(timeout, 0, TIMEOUT_SECONDS_MAX) && timeout > 0,
    "must be more than 0 and at most ten years",
  );
  for (const name of ANSWER_MEMBERS) {
    need(
      name,
      member(record, name) === undefined,
      "must be absent: the server writes it when a person answers",
    );
  }
  return wrong;
}

/** Rules of the protocol's document that other servers do not check. */
function strictProblems(record: JsonObject): Problem[] {
  const choices = choicesOf(record);
  const found: Problem[] = [...intervalProblems(record)];
  if ((record["question"] as string).trim() === "")
    found.push(problem("question", "required", "must not be blank"));
  if (record["response_type"] === "choice" && choices.length === 0) {
    found.push(problem("choices", "required", "a choice needs at least one entry"));
  }
  if (new Set(choices.map(({ value }) => value)).size < choices.length) {
    found.push(problem("choices", "unique", "each value must be unique"));
  }
  const flawed = choices.some(({ value, label }) => !isText(value) || !isText(label));
  if (flawed) found.push(problem("choices", "invalid", "each needs a value and a label"));
  if (
    record["response_type"] === "confirm" &&
    choices.some(({ value }) => value !== "yes" && value !== "no")
  ) {
    found.push(
      problem(
        "choices",
        "invalid",
        "a confirmation is answered with yes or no; choices can only label these two values",
      ),
    );
  }
  return found;
}

export function choicesOf(record: JsonObject): readonly JsonObject[] {
  return Array.isArray(record["choices"]) ? record["choices"].filter(isObject) : [];
}

export function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function isOneOf(words: readonly string[], value: Json | undefined): boolean {
  return typeof value === "string" && words.includes(value);
}

function isNumberIn(value: Json | undefined, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

const CLOCKS_APART_MAX_MS = 5 * 60_000;

/** The agent's `suspended_at`, or now if the agent's clock is off by more than five minutes. */
export function suspendedAtOf(record: JsonObject, now: number): number {
  const claimed = record["suspended_at"];
  const at = typeof claimed === "string" ? readTime(claimed) : null;
  return at !== null && Math.abs(at - now) <= CLOCKS_APART_MAX_MS ? at : now;
}
