/** The hold: one pause of one piece of agent work that waits for people. */

import type { Ask, JsonObject } from "@holdpoint/protocol/rules";
import type { ChatMark } from "../chat/chat.ts";
import type { Decision, Vote } from "../decision/decision.ts";
import type { GrantTerms } from "./commands.ts";
import type { Rung } from "./time.ts";

export type Door =
  | "page"
  | "console"
  | "rest"
  | "inline"
  | "agui"
  | "openintent"
  | "cli"
  | "channel"
  | "grant";

/** Who answered, as authenticated, and who they claim to be. */
export interface By {
  /** `grant`: a person allowed similar calls in advance; nobody looked at this one. */
  readonly kind: "key" | "session" | "link" | "channel" | "app" | "grant";
  readonly id: string;
  readonly name?: string;
  readonly claimed?: JsonObject;
  /** The answer came through a link that the asker received, so it proves nothing about a person. */
  readonly givenTo?: "asker";
}

export interface Default {
  readonly action?: string;
  readonly data?: JsonObject;
}

/** Only `decided` carries a person (G5). */
export type Outcome =
  | {
      readonly kind: "decided";
      readonly action: string;
      readonly data: JsonObject;
      readonly by: By;
      readonly door: Door;
      readonly shown?: string;
      /** Similar calls that this answer allows in advance. */
      readonly grant?: GrantTerms;
      /** What was verified about the evidence that came with the answer, without the proofs. */
      readonly verification?: JsonObject;
      readonly at: number;
    }
  | { readonly kind: "expired"; readonly default?: Default; readonly reason?: string; readonly at: number }
  | { readonly kind: "cancelled"; readonly cancelledBy: By; readonly reason?: string; readonly at: number };

/** Evidence that was used with a hold and cannot be used again. */
export interface UsedEvidence {
  readonly holdId: string;
}

export interface Progress {
  readonly current_step: number;
  readonly total_steps: number;
  readonly completed_fields: number;
  readonly total_fields: number;
}

/** The execution fence: an approved hold is claimed before the work runs, and the claimer reports the result. */
export interface Claim {
  readonly id: string;
  readonly by: string;
  readonly at: number;
  /** The lease ends here. A claim without a report becomes `unknown`, because nobody knows whether the work ran. */
  readonly until: number;
  readonly state: "claimed" | "done" | "failed" | "unknown";
  readonly detail?: JsonObject;
  readonly endedAt?: number;
}

/** The approval was revoked. Work that was claimed before is not undone. */
export interface Revoked {
  readonly at: number;
  readonly by: By;
}

/** A file that a person uploaded to answer with. */
export interface HoldFile {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly at: number;
  /** The uploader as written to the log. */
  readonly by: string;
}

/** What somebody wrote about an open hold. It decides nothing. */
export interface Comment {
  readonly id: string;
  readonly at: number;
  readonly by: By;
  readonly text: string;
  /** A question to the asker, who is told once. */
  readonly asksBack?: true;
  readonly isByAsker?: true;
}

/** One person does not want to see the hold before this time. */
export interface Snooze {
  readonly person: string;
  readonly until: number;
}

export interface Hold {
  readonly id: string;
  readonly key?: string;
  /** `null` once the content is erased. */
  readonly ask: Ask | null;
  /**
   * Digest of the ask. It is salted, so it reveals nothing once the salt is erased. An answer's `shown` is compared
   * with it (G12).
   */
  readonly digest: string;
  readonly salt: string | null;
  readonly status: "open" | "decided" | "expired" | "cancelled";
  /** The name of the agent or app that asked, or `dev`. */
  readonly createdBy: string;
  /** Id of the key that placed the hold. Its secret signs the callback. */
  readonly creatorKey: string;
  /** Set when an app asked: only then may an app of that name relay its users' answers (G7). */
  readonly askedByApp?: true;
  readonly createdAt: number;
  readonly openedAt?: number;
  readonly progressedAt?: number;
  readonly progress?: Progress;
  readonly remindedAt?: number;
  /** Hashes of the links that name a recipient. Erasing the content also removes these recipients. */
  readonly addressed?: readonly string[];
  /** The last notification that the console has shown. */
  readonly notified?: { readonly noticeId: string; readonly at: number };
  readonly expiresAt?: number;
  /**
   * Deadline of the entity that the hold is attached to. If it comes first, the hold ends then and `onTimeout` does
   * not apply.
   */
  readonly deadlineAt?: number;
  readonly onTimeout?: Default;
  readonly rungs: readonly Rung[];
  /** The number of the current attempt, including missed ones. Placing the hold is attempt 1. */
  readonly attempt: number;
  readonly links: "agent" | "server";
  readonly answerers?: readonly string[];
  /** Who must agree, frozen when the hold was placed; absent: one answer decides. */
  readonly decision?: Decision;
  /** The votes so far, in the order they were cast. They stay on record when the hold ends, however it ends. */
  readonly votes?: readonly Vote[];
  /** The messages about it in chats. */
  readonly chats?: readonly ChatMark[];
  /** Deliveries that failed for good, since the last one that reached somebody. */
  readonly unreached?: Unreached;
  /** Why nobody can meet the rule any more, since people have changed. */
  readonly unfulfillable?: string;
  /**
   * Sensitive values of the answer are returned to nobody, not even to the agent that asked; they stay in the row.
   */
  readonly withholdSensitive?: true;
  readonly previous?: string;
  readonly next?: string;
  readonly after?: string;
  readonly callbackUrl?: string;
  readonly threadId?: string;
  readonly groupId?: string;
  readonly metadata?: JsonObject;
  /** What a face must store to show the hold in its own protocol; the kernel does not read it. */
  readonly face?: JsonObject;
  /** The content is erased this long after the hold ended; absent: never. */
  readonly retainMs?: number;
  readonly outcome?: Outcome;
  readonly claim?: Claim;
  /** How many claims ended before this one, if the ask allows several. */
  readonly claimsBefore?: number;
  readonly revoked?: Revoked;
  /** Set when a check placed the hold: the call that it is about. */
  readonly call?: { readonly id: string };
  readonly grantable?: false;
  readonly files?: readonly HoldFile[];
  /** The person who takes care of it; anybody who may answer still may. */
  readonly assignee?: string;
  readonly comments?: readonly Comment[];
  readonly snoozed?: readonly Snooze[];
  readonly erasedAt?: number;
}

export interface Unreached {
  /** The number of the event whose deliveries these are. */
  readonly event: number;
  readonly deliveries: readonly string[];
  /** Since when nobody has been reached at all; absent: an earlier delivery arrived. */
  readonly since?: number;
}

/** (creator, key) → hold. */
export interface HoldKey {
  readonly holdId: string;
}

/** A half-filled form, stored for the person who continues later. Deleted when the hold ends. */
export interface FormSession {
  readonly holdId: string;
  readonly values: JsonObject;
  readonly step: number;
  readonly savedAt: number;
}

export function holdKeyId(createdBy: string, key: string): string {
  return `${createdBy}\n${key}`;
}

/** How often the hold was claimed. Released claims do not count. */
export function claimsOf(hold: Pick<Hold, "claim" | "claimsBefore">): number {
  return (hold.claimsBefore ?? 0) + (hold.claim === undefined ? 0 : 1);
}

export function isOpen(hold: Hold): boolean {
  return hold.status === "open";
}

const NEVER = Number.POSITIVE_INFINITY;

/** From this time on nobody can answer. */
export function endsAt({ expiresAt = NEVER, deadlineAt = NEVER }: Hold): number {
  return Math.min(expiresAt, deadlineAt);
}

/** A half-filled form is saved only together with progress or after it. */
export function mayHaveDraft(hold: Hold): boolean {
  return hold.progressedAt !== undefined;
}

/** A hold is past its time at the exact moment of expiry: expiry wins ties. */
export function isPast(hold: Hold, now: number): boolean {
  return isOpen(hold) && endsAt(hold) <= now;
}
