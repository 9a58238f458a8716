/** Commands about holds. Ids, tokens and salts arrive inside the command; the time comes with the batch. */

import type { ArgTermIn } from "@holdpoint/protocol/gating";
import type { Ask, JsonObject } from "@holdpoint/protocol/rules";
import type { Attached } from "../attachment.ts";
import type { DecisionIn, Proof } from "../decision/decision.ts";
import type { Principal } from "../principal.ts";
import type { UsedBefore } from "./file-usage.ts";
import type { Default, Door, HoldFile, Progress } from "./hold.ts";
import type { RungIn } from "./time.ts";
import type { CheckedEvidence } from "./verification.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

/** A new link to store when the hold is placed. The caller that made it keeps the raw token. */
export interface NewLink {
  readonly id: string;
  readonly hash: string;
  readonly purpose: "review" | "submit" | "read";
  readonly actions?: readonly string[];
  readonly recipient?: string;
  /** The id of the recipient, where the caller has looked it up; absent: it is looked up when the link is made. */
  readonly personId?: string;
  readonly channel?: string;
  readonly attempt?: number;
}

/** `afterMs` counts from the time of the batch, so that the delay between sending and committing does not matter. */
export type Moment =
  | { readonly at: number }
  /** `isBusiness`: counted in the business hours of the workspace. */
  | { readonly afterMs: number; readonly isBusiness?: true };

export interface HoldIn {
  readonly id: string;
  readonly salt: string;
  readonly key?: string;
  readonly ask: Ask;
  readonly expires?: Moment;
  readonly onTimeout?: Default;
  readonly rungs: readonly (Omit<RungIn, "at"> & { readonly when: Moment })[];
  readonly links: "agent" | "server";
  readonly answerers?: readonly string[];
  /** Who must agree; absent: one answer decides. */
  readonly decision?: DecisionIn;
  readonly withholdSensitive?: true;
  readonly previous?: string;
  readonly after?: string;
  readonly callbackUrl?: string;
  /** The entity of another domain that the hold is attached to. */
  readonly attachedTo?: Attached;
  readonly threadId?: string;
  readonly metadata?: JsonObject;
  readonly face?: JsonObject;
  readonly retainMs?: number;
  /** `false`: an approval cannot allow similar calls in advance. */
  readonly grantable?: false;
  /** Nobody is notified when it is placed, because it is decided in the same commit. */
  readonly quiet?: true;
  readonly newLinks: readonly NewLink[];
}

/** Similar calls that an approval allows in advance. */
export interface GrantTerms {
  readonly id: string;
  readonly salt: string;
  readonly until: Moment;
  readonly uses?: number;
  readonly args?: Readonly<Record<string, ArgTermIn>>;
  readonly sampleEvery?: number;
}

export interface PlaceHold extends By {
  readonly kind: "place_hold";
  readonly hold: HoldIn;
}

export interface PlaceGroup extends By {
  readonly kind: "place_group";
  readonly groupId: string;
  readonly threadId?: string;
  readonly runId?: string;
  readonly holds: readonly HoldIn[];
}

export interface AnswerHold extends By {
  readonly kind: "answer_hold";
  readonly holdId: string;
  /** Hash of the link's token, if the caller uses a link. */
  readonly linkHash?: string;
  readonly action: string;
  readonly data: JsonObject;
  readonly door: Door;
  readonly shown?: string;
  readonly grant?: GrantTerms;
  /** Refuse unless the hold still has this version. */
  readonly ifVersion?: number;
  /** A signature over exactly this decision, which the face has checked. */
  readonly proof?: Proof;
  /** Evidence that a case's policy asks for, checked by its verifiers. */
  readonly evidence?: readonly CheckedEvidence[];
}

/** The person has chosen this answer and is about to sign it with a passkey. */
export interface ChallengeAnswer extends Omit<AnswerHold, "kind" | "proof" | "evidence"> {
  readonly kind: "challenge_answer";
  readonly challengeId: string;
}

export interface WithdrawVote extends By {
  readonly kind: "withdraw_vote";
  readonly holdId: string;
  readonly linkHash?: string;
}

/** People or teams have changed: says on the hold whether anybody can still meet its rule. */
export interface CheckDecision extends By {
  readonly kind: "check_decision";
  readonly holdId: string;
}

export interface CancelHold extends By {
  readonly kind: "cancel_hold";
  readonly holdId: string;
  readonly linkHash?: string;
  readonly reason?: string;
}

/** One entry per member: an answer, or a cancellation when `action` is absent. */
export interface GroupEntry {
  readonly holdId: string;
  readonly action?: string;
  readonly data?: JsonObject;
  readonly shown?: string;
  readonly reason?: string;
  /** Who the client says this entry is from, if it differs from the whole answer. */
  readonly claimed?: JsonObject;
}

export interface AnswerGroup extends By {
  readonly kind: "answer_group";
  readonly groupId: string;
  readonly entries: readonly GroupEntry[];
  readonly door: Door;
}

export interface OpenHold extends By {
  readonly kind: "open_hold";
  readonly holdId: string;
  readonly linkHash?: string;
}

export interface ProgressHold extends By {
  readonly kind: "progress_hold";
  readonly holdId: string;
  readonly linkHash?: string;
  readonly progress?: Progress;
  /** Form values to store for a person who continues later. */
  readonly draft?: { readonly values: JsonObject; readonly step: number };
}

/** The timers' command: states whatever has become due on one hold. */
export interface TickHold extends By {
  readonly kind: "tick_hold";
  readonly holdId: string;
}

export interface MakeLink extends By {
  readonly kind: "make_link";
  readonly holdId: string;
  readonly link: NewLink;
}

/** The console has shown a notification about the hold. */
export interface NotifyHold extends By {
  readonly kind: "notify_hold";
  readonly holdId: string;
  /** Deduplicates: the same notification is recorded once. */
  readonly noticeId: string;
  readonly attempt: number;
}

/** A delivery to people has failed for good. */
export interface NoteUnreached extends By {
  readonly kind: "note_unreached";
  readonly holdId: string;
  readonly delivery: string;
  readonly channel: string;
  /** The number of the hold's event that the delivery is about. */
  readonly event: number;
  /** All deliveries to people about the same event, this one included. */
  readonly siblings: readonly string[];
  /** Whether any delivery about this hold has arrived. */
  readonly anySent: boolean;
}

/** A delivery has arrived although nobody had been reached before. */
export interface NoteReached extends By {
  readonly kind: "note_reached";
  readonly holdId: string;
  readonly channel: string;
}

export interface RevokeLink extends By {
  readonly kind: "revoke_link";
  readonly holdId: string;
  readonly linkHash: string;
}

export interface ClaimHold extends By {
  readonly kind: "claim_hold";
  readonly holdId: string;
  readonly claimId: string;
  readonly digest: string;
  readonly leaseMs: number;
}

export interface FinishClaim extends By {
  readonly kind: "finish_claim";
  readonly holdId: string;
  readonly claimId: string;
  readonly ok: boolean;
  readonly detail?: JsonObject;
}

export interface ReleaseClaim extends By {
  readonly kind: "release_claim";
  readonly holdId: string;
}

export interface RevokeHold extends By {
  readonly kind: "revoke_hold";
  readonly holdId: string;
}

/** A file whose bytes are already stored; if the command is refused, the caller deletes them. */
export interface AddFile extends By {
  readonly kind: "add_file";
  readonly holdId: string;
  readonly linkHash?: string;
  readonly file: Omit<HoldFile, "at" | "by">;
  /** What the files of the workspace take, if no row counts them yet. */
  readonly usedBefore?: UsedBefore;
}

export interface EraseHold extends By {
  readonly kind: "erase_hold";
  readonly holdId: string;
}

/** `to` absent: nobody in particular. */
export interface AssignHold extends By {
  readonly kind: "assign_hold";
  readonly holdId: string;
  readonly to?: string;
}

export interface CommentHold extends By {
  readonly kind: "comment_hold";
  readonly holdId: string;
  readonly linkHash?: string;
  /** Deduplicates: the same comment is recorded once. */
  readonly commentId: string;
  readonly text: string;
  readonly asksBack?: boolean;
}

/** A duration counts from the present expiry. */
export interface ExtendHold extends By {
  readonly kind: "extend_hold";
  readonly holdId: string;
  readonly to: Moment;
}

/** `until` absent: the person wants to see it again. */
export interface SnoozeHold extends By {
  readonly kind: "snooze_hold";
  readonly holdId: string;
  readonly until?: Moment;
}

export type HoldCommand =
  | PlaceHold
  | PlaceGroup
  | AnswerHold
  | ChallengeAnswer
  | WithdrawVote
  | CheckDecision
  | AnswerGroup
  | CancelHold
  | OpenHold
  | ProgressHold
  | TickHold
  | MakeLink
  | NotifyHold
  | NoteUnreached
  | NoteReached
  | RevokeLink
  | ClaimHold
  | FinishClaim
  | ReleaseClaim
  | RevokeHold
  | AddFile
  | AssignHold
  | CommentHold
  | ExtendHold
  | SnoozeHold
  | EraseHold;
