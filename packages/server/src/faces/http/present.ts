/** Writes a hold for the native API, for one caller. */

import type { ClaimOut, HoldOut, OutcomeOut } from "@holdpoint/protocol";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { type Ask, actionsOf, type JsonObject, maskSensitive } from "@holdpoint/protocol/rules";
import type { Decision } from "../../kernel/decision/decision.ts";
import { tally } from "../../kernel/decision/tally.ts";
import type { Entity } from "../../kernel/entity.ts";
import { visibleComments } from "../../kernel/hold/comment.ts";
import { type By, type Claim, claimsOf, type Hold, type Outcome } from "../../kernel/hold/hold.ts";
import { mayKnow } from "../../kernel/hold/who.ts";
import { type Principal, seesAll } from "../../kernel/principal.ts";
import { intentIdOf } from "../../openintent/rules/attachment.ts";

/**
 * Absent members are `undefined`, and so not in the JSON. All holds have the same shape, and each member is named here
 * instead of spread, because V8 makes and writes that fastest.
 */
export function presentHold(entity: Entity<Hold>, viewer: Principal, reviewUrl?: string): HoldOut {
  const hold = entity.body;
  const { ask } = hold;
  const votes = hold.decision === undefined ? NO_VOTES : presentVotes(hold, hold.decision);
  const desk =
    hold.comments === undefined && hold.snoozed === undefined ? NO_DESK : presentDesk(hold, viewer);
  return {
    id: hold.id,
    case_id: caseIdOf(hold.id),
    key: hold.key,
    status: hold.status,
    type: ask?.type ?? "x-erased",
    prompt: ask?.prompt ?? "",
    context: ask?.context,
    options: ask?.options,
    form: ask?.form,
    response_schema: ask?.responseSchema,
    actions: ask === null ? [] : presentActions(ask),
    select: ask?.select,
    uses: ask?.uses,
    digest: hold.digest,
    created_by: hold.createdBy,
    created_at: time(hold.createdAt),
    opened_at: moment(hold.openedAt),
    progressed_at: moment(hold.progressedAt),
    progress: hold.progress,
    reminded_at: moment(hold.remindedAt),
    notified_at: moment(hold.notified?.at),
    expires_at: moment(hold.expiresAt),
    on_timeout: hold.onTimeout,
    attempt: hold.attempt,
    ladder: hold.rungs.map((rung) => ({ ...rung, at: time(rung.at), state: rung.state ?? "waiting" })),
    answerers: hold.answerers,
    nobody_reached_since: hold.status === "open" ? moment(hold.unreached?.since) : undefined,
    decision: votes.decision,
    votes: votes.votes,
    missing: votes.missing,
    unfulfillable: votes.unfulfillable,
    withhold_sensitive: hold.withholdSensitive,
    version: entity.version,
    links: hold.links,
    previous: hold.previous,
    next: hold.next,
    callback_url: viewer.reach === undefined ? hold.callbackUrl : undefined,
    intent_id: intentIdOf(hold),
    thread_id: hold.threadId,
    group_id: hold.groupId,
    metadata: viewer.reach === undefined ? hold.metadata : undefined,
    grantable: hold.call === undefined ? undefined : hold.grantable !== false,
    assignee: hold.assignee,
    comments: desk.comments,
    snoozed: desk.snoozed,
    claim: hold.claim && presentClaim(hold.id, hold.claim),
    claims: claimsOf(hold) || undefined,
    revoked: hold.revoked && { by: presentBy(hold.revoked.by), at: time(hold.revoked.at) },
    outcome: hold.outcome && presentOutcome(hold, hold.outcome, viewer),
    erased_at: moment(hold.erasedAt),
    review_url: reviewUrl,
  } as HoldOut;
}

/** The usual actions of a type all have labels. */
function presentActions(ask: Ask) {
  const actions = actionsOf(ask);
  return ask.actions === undefined
    ? actions
    : actions.map((action) => ({ ...action, label: action.label ?? action.id }));
}

const NO_DESK = { comments: undefined, snoozed: undefined };

/** What people wrote to each other and what they put off is for people only. */
function presentDesk(hold: Hold, viewer: Principal) {
  const comments = visibleComments(hold, viewer).map(({ id, at, by, text, asksBack, isByAsker }) => ({
    ...{ id, at: time(at), by: presentBy(by), text },
    ...(asksBack === true ? { asks_back: true } : {}),
    ...(isByAsker === true ? { by_asker: true } : {}),
  }));
  const snoozed = seesAll(viewer) ? (hold.snoozed ?? []) : [];
  return {
    comments: comments.length === 0 ? undefined : comments,
    snoozed:
      snoozed.length === 0 ? undefined : snoozed.map(({ person, until }) => ({ person, until: time(until) })),
  };
}

const NO_VOTES = { decision: undefined, votes: undefined, missing: undefined, unfulfillable: undefined };

/** Who is missing is counted only while the hold is open and its ask is there. */
function presentVotes(hold: Hold, decision: Decision) {
  const { excluded: _people, ...rule } = decision;
  const { votes = [], ask } = hold;
  const counted = tally(decision, votes, ask ?? { type: "approval" });
  return {
    decision: rule,
    votes: votes.map(({ person, action, at, door, strength }) => {
      const standsFor = counted.standsFor.get(person);
      return {
        person,
        ...(standsFor === undefined || standsFor === person ? {} : { for: standsFor }),
        ...{ action, at: time(at), door, strength },
      };
    }),
    missing: hold.status === "open" ? counted.missing : undefined,
    unfulfillable: hold.status === "open" ? hold.unfulfillable : undefined,
  };
}

/** G9: only the hold's creator gets sensitive values, and not even the creator if the hold was placed so. */
export function presentOutcome(hold: Hold, outcome: Outcome, viewer: Principal): OutcomeOut {
  switch (outcome.kind) {
    case "decided": {
      const { shown } = outcome;
      return {
        kind: "decided",
        action: outcome.action,
        data: mayKnow(hold, viewer) ? outcome.data : withheld(hold, outcome.data),
        by: presentBy(outcome.by),
        door: outcome.door,
        shown: shown,
        grant_id: outcome.grant?.id,
        verification: outcome.verification,
        at: time(outcome.at),
      } as OutcomeOut;
    }
    case "expired":
      return {
        kind: "expired",
        default: outcome.default,
        reason: outcome.reason,
        at: time(outcome.at),
      } as OutcomeOut;
    case "cancelled":
      return {
        kind: "cancelled",
        cancelled_by: presentBy(outcome.cancelledBy),
        reason: outcome.reason,
        at: time(outcome.at),
      } as OutcomeOut;
  }
}

function presentBy({ givenTo, ...by }: By) {
  return givenTo === undefined ? by : { ...by, given_to: givenTo };
}

function withheld(hold: Hold, data: JsonObject): JsonObject {
  return hold.ask === null ? data : maskSensitive(hold.ask, data);
}

export function presentClaim(holdId: string, claim: Claim): ClaimOut {
  return {
    id: claim.id,
    hold_id: holdId,
    state: claim.state,
    claimed_by: claim.by,
    claimed_at: time(claim.at),
    until: time(claim.until),
    ended_at: moment(claim.endedAt),
    detail: claim.detail,
  } as ClaimOut;
}

/** The holds of a batch share their times, so the last formatted time is usually the one needed. */
const WRITTEN = 61;
const moments = new Float64Array(WRITTEN).fill(Number.NaN);
const texts: string[] = new Array(WRITTEN).fill("");

export function time(at: number): string {
  const place = Math.trunc(Math.abs(at)) % WRITTEN;
  if (moments[place] === at) return texts[place] as string;
  const text = new Date(at).toISOString();
  moments[place] = at;
  texts[place] = text;
  return text;
}

function moment(at: number | undefined): string | undefined {
  return at === undefined ? undefined : time(at);
}
