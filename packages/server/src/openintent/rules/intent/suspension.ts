/** A hold as OpenIntent shows it: the record under `_suspension`, and the payloads of the events about it. */

import {
  type Ask,
  isObject,
  type Json,
  type JsonObject,
  maskSensitive,
  member,
} from "@holdpoint/protocol/rules";
import type { Default, Hold, Outcome } from "../../../kernel/hold/hold.ts";
import { DEADLINE_EXCEEDED, PORTFOLIO_DEADLINE } from "../portfolio/deadline.ts";
import { sayAnswer, shownWordsOf, wordsOf } from "./ask-codec.ts";
import { type Decided, deciderOf } from "./decider.ts";
import { type FallbackPolicy, policyOf } from "./human-retry.ts";
import type { SuspensionRef } from "./intent.ts";
import { choicesOf } from "./record.ts";
import { wireTime } from "./wire-time.ts";

/** What the hold stores for this face: the record as written, if there was one, and its effective retry policy. */
interface Kept {
  readonly id: string;
  readonly record: JsonObject;
  /** `null`: the record opted out of retries. */
  readonly policy?: JsonObject | null | undefined;
  readonly suspendedAt: number;
}

export function faceOf({ id, record, policy, suspendedAt }: Kept): JsonObject {
  const kept = { id, record, suspended_at: suspendedAt };
  return { openintent: policy === undefined ? kept : { ...kept, retry_policy: policy } };
}

function keptOf(hold: Hold): Kept | undefined {
  const kept = hold.face === undefined ? undefined : member(hold.face, "openintent");
  if (!isObject(kept ?? null)) return undefined;
  const { id, record, retry_policy: policy, suspended_at: suspendedAt } = kept as JsonObject;
  return {
    id: id as string,
    record: record as JsonObject,
    policy: policy as JsonObject | null | undefined,
    suspendedAt: suspendedAt as number,
  };
}

/** The record's own id, or the hold's id for a hold placed through another face. */
export function suspensionIdOf(hold: Hold): string {
  return keptOf(hold)?.id ?? hold.id;
}

/** The record exactly as the agent wrote it; `undefined` for a hold placed through another face. */
export function writtenRecord(hold: Hold): JsonObject | undefined {
  return keptOf(hold)?.record;
}

/** The record with its effective policy; `undefined` for a hold placed through another face. */
export function effectiveRecord(hold: Hold): JsonObject | undefined {
  const kept = keptOf(hold);
  return kept?.policy === undefined ? kept?.record : { ...kept.record, retry_policy: kept.policy };
}

/** The ask as an OpenIntent record, whichever face placed the hold. */
function questionOf(hold: Hold, ask: Ask): JsonObject {
  const record = effectiveRecord(hold);
  if (record !== undefined) return { ...record, fallback_policy: policyOf(record) };
  const fallback = hold.onTimeout === undefined ? undefined : fallbackValueOf(hold.onTimeout);
  const { choices, ...words } = shownWordsOf(ask);
  return {
    ...words,
    ...(choices.length === 0 ? {} : { choices: choices as Json }),
    fallback_policy: fallbackPolicyOf(hold),
    ...(fallback === undefined ? {} : { fallback_value: fallback }),
  };
}

function fallbackValueOf({ action, data }: Default): Json | undefined {
  return data === undefined ? action : (member(data, "value") ?? data);
}

/** The default action `abort` means that the agent stops; every other default lets it continue. */
export function fallbackPolicyOf(hold: Hold): FallbackPolicy {
  const record = effectiveRecord(hold);
  if (record !== undefined) return policyOf(record);
  return hold.onTimeout?.action === "abort" ? "fail" : "use_default_and_continue";
}

/** The hold's timeout default for a fallback policy. */
export function onTimeoutOf(record: JsonObject): Default {
  if (policyOf(record) === "fail") return { action: "abort" };
  const value = member(record, "fallback_value");
  return value === undefined ? { action: "skip" } : { action: "skip", data: { value } };
}

/**
 * `_suspension` as a reader sees it. `full` is for the asker; everybody else gets sensitive values masked (G9).
 */
export function suspensionOf(hold: Hold, ref: SuspensionRef, full: boolean): JsonObject {
  const resolved = hold.outcome === undefined ? {} : resolutionOf(hold, hold.outcome, full);
  if (hold.ask === null) {
    return {
      id: ref.id,
      question: "",
      response_type: "choice",
      context: {},
      fallback_policy: "fail",
      ...resolved,
      ...erasedOf(hold),
    };
  }
  return { ...questionOf(hold, hold.ask), id: ref.id, ...timesOf(hold), ...resolved };
}

function erasedOf({ erasedAt }: Hold): JsonObject {
  return erasedAt === undefined ? {} : { erased_at: wireTime(erasedAt) };
}

function timesOf(hold: Hold): JsonObject {
  const suspendedAt = keptOf(hold)?.suspendedAt ?? hold.createdAt;
  return {
    suspended_at: wireTime(suspendedAt),
    ...(hold.expiresAt === undefined ? {} : { expires_at: wireTime(hold.expiresAt) }),
  };
}

function resolutionOf(hold: Hold, outcome: Outcome, full: boolean): JsonObject {
  switch (outcome.kind) {
    case "decided": {
      const { value, metadata, ...rest } = responseOf(hold, outcome, full);
      return {
        resolution: "responded",
        response: value ?? null,
        ...rest,
        ...(metadata === undefined ? {} : { metadata }),
      };
    }
    case "expired": {
      const abandoned = abandonmentOf(hold, outcome);
      return {
        resolution: "expired",
        expired_at: wireTime(outcome.at),
        ...(outcome.reason === undefined ? {} : { expiry_reason: outcome.reason }),
        ...(abandoned === undefined ? { fallback_applied: true } : { abandonment_reason: abandoned }),
      };
    }
    case "cancelled":
      return {
        resolution: "cancelled",
        cancelled_at: wireTime(outcome.at),
        ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
      };
  }
}

type Expired = Extract<Outcome, { readonly kind: "expired" }>;

/** Why an expiry abandons the intent; `undefined` if the intent continues. A portfolio deadline ignores the fallback policy. */
export function abandonmentOf(hold: Hold, { reason }: Expired): string | undefined {
  if (reason === PORTFOLIO_DEADLINE) return DEADLINE_EXCEEDED;
  return fallbackPolicyOf(hold) === "fail" ? "suspension_expired" : undefined;
}

/** Who answered and with what. `responded_by` is the claimed name if the caller claimed one. */
export function responseOf(hold: Hold, outcome: Decided, full: boolean): JsonObject {
  const by = deciderOf(outcome);
  if (hold.ask === null) return { responded_by: by, responded_at: wireTime(outcome.at) };
  const data = full && hold.withholdSensitive !== true ? outcome.data : maskSensitive(hold.ask, outcome.data);
  const { value, rest } = sayAnswer({ action: outcome.action, data }, hold.ask);
  const metadata = metadataOf(outcome, rest);
  return {
    value,
    responded_by: by,
    responded_at: wireTime(outcome.at),
    ...(outcome.by.givenTo === undefined ? {} : { link_given_to: outcome.by.givenTo }),
    ...choiceWords(hold, hold.ask, value),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function metadataOf({ by }: Decided, rest: JsonObject): JsonObject | undefined {
  const sent = by.claimed?.["metadata"];
  const data = Object.keys(rest).length === 0 ? {} : { data: rest };
  if (isObject(sent ?? null)) return { ...(sent as JsonObject), ...data };
  return Object.keys(data).length === 0 ? undefined : data;
}

function choiceWords(hold: Hold, ask: Ask, value: Json): JsonObject {
  const choice = choicesShown(hold, ask).find((each) => each["value"] === value);
  if (choice === undefined) return {};
  return { choice_label: choice["label"] as Json, choice_description: choice["description"] ?? "" };
}

/** The choices with their labels; a confirmation always has both. */
export function choicesShown(hold: Hold, ask: Ask): readonly JsonObject[] {
  const record = writtenRecord(hold);
  const { choices } = record === undefined ? shownWordsOf(ask) : wordsOf(ask);
  const words = choices as readonly unknown[] as readonly JsonObject[];
  const written = choicesOf(record ?? {});
  return words.map(
    (choice) =>
      written.find(({ value, label }) => value === choice["value"] && label !== undefined) ?? choice,
  );
}

export function suspendedPayload(intentId: string, hold: Hold): JsonObject {
  if (hold.ask === null) throw new Error(`Invariant: newly placed hold ${hold.id} has no ask`);
  const question = questionOf(hold, hold.ask);
  const pick = (name: string): Json => member(question, name) ?? null;
  const { suspended_at: suspendedAt, expires_at: expiresAt = null } = timesOf(hold);
  return {
    intent_id: intentId,
    suspension_id: suspensionIdOf(hold),
    question: pick("question"),
    response_type: pick("response_type"),
    choices: member(question, "choices") ?? [],
    channel_hint: pick("channel_hint"),
    timeout_seconds: pick("timeout_seconds"),
    fallback_policy: pick("fallback_policy"),
    confidence_at_suspension: pick("confidence_at_suspension"),
    retry_policy: pick("retry_policy"),
    suspended_at: suspendedAt as Json,
    expires_at: expiresAt,
  };
}

/** Many principals can read the log, so sensitive values are masked (G9). */
export function resumedPayload(intentId: string, hold: Hold, outcome: Decided): JsonObject {
  const { metadata: _kept, ...response } = responseOf(hold, outcome, false);
  return { intent_id: intentId, suspension_id: suspensionIdOf(hold), ...response };
}

export function expiredPayload(intentId: string, hold: Hold, { at, reason }: Expired): JsonObject {
  return {
    intent_id: intentId,
    suspension_id: suspensionIdOf(hold),
    reason: reason ?? "timeout",
    fallback_policy: fallbackPolicyOf(hold),
    attempts: hold.attempt,
    expires_at: hold.expiresAt === undefined ? null : wireTime(hold.expiresAt),
    expired_at: wireTime(at),
  };
}
