/** Facts about a hold, and what the log stores of their parts. A fact carries everything that `evolve` needs. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Attached } from "../attachment.ts";
import type { Vote } from "../decision/decision.ts";
import type { UsedBefore } from "./file-usage.ts";
import type {
  By,
  Claim,
  Comment,
  FormSession,
  Hold,
  HoldFile,
  Outcome,
  Progress,
  Revoked,
  Unreached,
} from "./hold.ts";
import type { Link } from "./link.ts";
import type { Rung } from "./time.ts";

/** The fact that ends a hold, by kind of outcome. */
export const ENDING = {
  decided: "hold.decided",
  expired: "hold.expired",
  cancelled: "hold.cancelled",
} as const;

export const ENDINGS: ReadonlySet<string> = new Set(Object.values(ENDING));

export type HoldFact =
  /** Includes the links made together with the hold: placing is one act, so it is one fact and one event. */
  | {
      readonly type: "hold.placed";
      readonly hold: Hold;
      readonly links?: readonly Link[];
      readonly attachedTo?: Attached;
    }
  | { readonly type: "hold.opened" }
  | { readonly type: "hold.progressed"; readonly progress?: Progress }
  | { readonly type: "hold.reminded" | "hold.escalated"; readonly index: number; readonly rung: Rung }
  | { readonly type: "hold.decided" | "hold.expired" | "hold.cancelled"; readonly outcome: Outcome }
  | {
      readonly type: "hold.voted";
      readonly vote: Vote;
      /** The absent person whose seat the vote fills. */
      readonly standsFor?: string;
      /** The stage whose turn it is from now on, in listed order. */
      readonly nextStage?: number;
    }
  | {
      readonly type: "hold.vote_withdrawn";
      readonly person: string;
      readonly reason: "withdrawn" | "suspended" | "erased" | "unconfirmed";
      /** The absent person for whom the delegate voted, if it is that person who no longer counts. */
      readonly standsFor?: string;
    }
  /** People have changed so that nobody can meet the rule any more, or somebody can again (`reason` absent). */
  | { readonly type: "hold.decision_checked"; readonly reason?: string }
  | { readonly type: "hold.followed"; readonly next: string }
  | { readonly type: "hold.notified"; readonly noticeId: string; readonly attempt: number }
  /** A delivery failed for good. `isLast`: no delivery of this event is left that could reach anybody. */
  | {
      readonly type: "hold.delivery_failed";
      readonly channel: string;
      readonly unreached: Unreached;
      readonly isLast: boolean;
    }
  /** Somebody was reached after all. */
  | { readonly type: "hold.reached"; readonly channel: string }
  | { readonly type: "hold.link_made" | "hold.link_revoked"; readonly link: Link }
  | {
      readonly type:
        | "hold.claimed"
        | "hold.claim_done"
        | "hold.claim_failed"
        | "hold.claim_unknown"
        | "hold.claim_released";
      readonly claim: Claim;
    }
  | { readonly type: "hold.revoked"; readonly revoked: Revoked }
  | {
      readonly type: "hold.file_added";
      readonly file: HoldFile;
      readonly digest: string;
      /** What the workspace's files took before, where no row counts them yet. */
      readonly usedBefore?: UsedBefore;
    }
  | { readonly type: "hold.files_dropped"; readonly ids: readonly string[] }
  | { readonly type: "hold.deadline_set"; readonly deadlineAt?: number }
  /** `isTold`: somebody else assigned it, so the assignee is notified. */
  | { readonly type: "hold.assigned"; readonly assignee?: string; readonly isTold?: true }
  | { readonly type: "hold.commented"; readonly comment: Comment }
  | { readonly type: "hold.extended"; readonly expiresAt: number }
  | { readonly type: "hold.snoozed"; readonly person: string; readonly until?: number }
  | { readonly type: "hold.erased" }
  /** Not written to the log: a half-filled form is not an answer yet. */
  | { readonly type: "hold.evidence_used"; readonly ids: readonly string[] }
  | { readonly type: "hold.draft_saved"; readonly session: FormSession };

// Members that are hashed stand in the order of the alphabet here, so that they need not be put in order for each hash.

/** Content of which the log stores a salted digest only. Verification recomputes the digest from the rows. */
export function placedContent(hold: Hold, links: readonly Link[]): JsonObject {
  const { creatorKey, askedByApp, retainMs, call, grantable } = hold;
  const settings = withoutUndefined({ askedByApp, call, creatorKey, grantable, retainMs });
  return { ...earlierPlacedContent(hold), links: links.map(linkContent), settings } as JsonObject;
}

/** The same as versions before wrote it, without settings and links. */
export function earlierPlacedContent(hold: Hold): JsonObject {
  const { ask, key, metadata, onTimeout, callbackUrl, answerers, withholdSensitive } = hold;
  return withoutUndefined({
    ...{ answerers, ask, callbackUrl, key, metadata, onTimeout, withholdSensitive },
  }) as JsonObject;
}

/** What a link may be used for, and by whom. None of it changes while the link exists. */
export function linkContent(link: Link): JsonObject {
  const { actions, givenTo, hash, id, madeBy, personId, purpose, recipient } = link;
  return withoutUndefined({ actions, givenTo, hash, id, madeBy, personId, purpose, recipient }) as JsonObject;
}

export function outcomeContent(outcome: Outcome): JsonObject {
  // Every member of an outcome is JSON; interfaces lack the index signature of `JsonObject`.
  return outcome as unknown as JsonObject;
}

type Placed = Extract<HoldFact, { readonly type: "hold.placed" }>;

export function placedData({ hold, links, attachedTo }: Placed): JsonObject {
  return withoutUndefined({
    after: hold.after,
    created_by: hold.createdBy,
    decision: hold.decision,
    digest: hold.digest,
    expires_at: hold.expiresAt,
    group_id: hold.groupId,
    ...(attachedTo === undefined ? {} : { [`${attachedTo.domain}_id`]: attachedTo.id }),
    links: hold.links,
    links_made: links?.map(linkData),
    previous: hold.previous,
    rungs: hold.rungs.length,
    thread_id: hold.threadId,
    type: hold.ask?.type,
  }) as JsonObject;
}

export function rungData(rung: Rung): JsonObject {
  return withoutUndefined({
    attempt: rung.n,
    at: rung.at,
    channel: rung.channel,
    state: rung.state,
  }) as JsonObject;
}

export function outcomeData(outcome: Outcome): JsonObject {
  if (outcome.kind === "decided") {
    return { action: outcome.action, by: byData(outcome.by), door: outcome.door };
  }
  if (outcome.kind === "cancelled") return { by: byData(outcome.cancelledBy) };
  return outcome.default?.action === undefined ? {} : { default: outcome.default.action };
}

export function byData({ kind, id, givenTo }: By): JsonObject {
  return withoutUndefined({ given_to: givenTo, id, kind }) as JsonObject;
}

/** The answer itself stays in the row; its digest binds the vote to it. */
export function voteData({
  vote,
  standsFor,
  nextStage,
}: Extract<HoldFact, { readonly type: "hold.voted" }>): JsonObject {
  const { person, action, answer, ask, strength, door, by, proof } = vote;
  return withoutUndefined({
    ...{ person, for: standsFor, action, answer, ask, strength, door, by: byData(by), next_stage: nextStage },
    passkey_id: proof?.credential,
  }) as JsonObject;
}

export function linkData(link: Link): JsonObject {
  return withoutUndefined({
    attempt: link.attempt,
    channel: link.channel,
    given_to: link.givenTo === "asker" ? "asker" : undefined,
    link_id: link.id,
    purpose: link.purpose,
  }) as JsonObject;
}

/** The text stays in the row; the log stores its salted digest. */
export function commentData({ id, by, asksBack, isByAsker }: Comment): JsonObject {
  return withoutUndefined({
    ...{ comment_id: id, by: byData(by), asks_back: asksBack, by_asker: isByAsker },
  }) as JsonObject;
}

export function commentContent({ text }: Comment): JsonObject {
  return { text };
}

export function withoutUndefined<T extends Readonly<Record<string, unknown>>>(object: T): Partial<T> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(object)) if (object[name] !== undefined) kept[name] = object[name];
  return kept as Partial<T>;
}
