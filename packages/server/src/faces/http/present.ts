/** A hold as the native wire shows it, to whoever is looking. */

import type { HoldOut, OutcomeOut } from "@holdpoint/protocol";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { actionsOf, type JsonObject, maskSensitive } from "@holdpoint/protocol/rules";
import type { Entity } from "../../core/entity.ts";
import { type Claim, claimsOf, type Hold, type Outcome } from "../../core/hold/hold.ts";
import { mayKnow } from "../../core/hold/who.ts";
import type { Principal } from "../../core/principal.ts";

export function presentHold(entity: Entity<Hold>, viewer: Principal, reviewUrl?: string): HoldOut {
  const hold = entity.body;
  const { ask } = hold;
  return {
    id: hold.id,
    case_id: caseIdOf(hold.id),
    ...given("key", hold.key),
    status: hold.status,
    type: ask?.type ?? "x-erased",
    prompt: ask?.prompt ?? "",
    ...given("context", ask?.context),
    ...given("options", ask?.options),
    ...given("form", ask?.form),
    ...given("response_schema", ask?.responseSchema),
    actions:
      ask === null ? [] : actionsOf(ask).map((action) => ({ ...action, label: action.label ?? action.id })),
    ...given("select", ask?.select),
    ...given("uses", ask?.uses),
    digest: hold.digest,
    created_by: hold.createdBy,
    created_at: time(hold.createdAt),
    ...moment("opened_at", hold.openedAt),
    ...moment("progressed_at", hold.progressedAt),
    ...given("progress", hold.progress),
    ...moment("reminded_at", hold.remindedAt),
    ...moment("notified_at", hold.notified?.at),
    ...moment("expires_at", hold.expiresAt),
    ...given("on_timeout", hold.onTimeout),
    attempt: hold.attempt,
    ladder: hold.rungs.map((rung) => ({ ...rung, at: time(rung.at), state: rung.state ?? "waiting" })),
    ...given("answerers", hold.answerers),
    ...given("withhold_sensitive", hold.withholdSensitive),
    version: entity.version,
    links: hold.links,
    ...given("previous", hold.previous),
    ...given("next", hold.next),
    ...given("callback_url", hold.callbackUrl),
    ...given("intent_id", hold.intentId),
    ...given("thread_id", hold.threadId),
    ...given("group_id", hold.groupId),
    ...given("metadata", hold.metadata),
    ...(hold.claim === undefined ? {} : { claim: presentClaim(hold.id, hold.claim) }),
    ...(claimsOf(hold) === 0 ? {} : { claims: claimsOf(hold) }),
    ...(hold.revoked === undefined ? {} : { revoked: { ...hold.revoked, at: time(hold.revoked.at) } }),
    ...(hold.outcome === undefined ? {} : { outcome: presentOutcome(hold, hold.outcome, viewer) }),
    ...moment("erased_at", hold.erasedAt),
    ...given("review_url", reviewUrl),
  } as HoldOut;
}

/** G9: sensitive values reach the hold's creator and nobody else, or nobody at all where it was placed so. */
export function presentOutcome(hold: Hold, outcome: Outcome, viewer: Principal): OutcomeOut {
  switch (outcome.kind) {
    case "decided": {
      const { shown } = outcome;
      return {
        kind: "decided",
        action: outcome.action,
        data: mayKnow(hold, viewer) ? outcome.data : withheld(hold, outcome.data),
        by: outcome.by,
        door: outcome.door,
        ...given("shown", shown),
        at: time(outcome.at),
      } as OutcomeOut;
    }
    case "expired":
      return {
        kind: "expired",
        ...given("default", outcome.default),
        ...given("reason", outcome.reason),
        at: time(outcome.at),
      } as OutcomeOut;
    case "cancelled":
      return {
        kind: "cancelled",
        cancelled_by: outcome.cancelledBy,
        ...given("reason", outcome.reason),
        at: time(outcome.at),
      } as OutcomeOut;
  }
}

function withheld(hold: Hold, data: JsonObject): JsonObject {
  return hold.ask === null ? data : maskSensitive(hold.ask, data);
}

export function presentClaim(holdId: string, claim: Claim) {
  return {
    id: claim.id,
    hold_id: holdId,
    state: claim.state,
    claimed_by: claim.by,
    claimed_at: time(claim.at),
    until: time(claim.until),
    ...moment("ended_at", claim.endedAt),
    ...given("detail", claim.detail),
  };
}

export function time(at: number): string {
  return new Date(at).toISOString();
}

function given<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}

function moment<Name extends string>(name: Name, at: number | undefined) {
  return (at === undefined ? {} : { [name]: time(at) }) as { [N in Name]?: string };
}
