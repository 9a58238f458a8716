/** The hold: one pause of one piece of agent work, waiting for people. */

import type { Ask, JsonObject } from "@holdpoint/protocol/rules";
import type { Rung } from "./time.ts";

export type Door = "page" | "console" | "rest" | "inline" | "agui" | "openintent" | "cli" | "channel";

/** Who answered: authenticated, with what they claim to be besides. */
export interface By {
  readonly kind: "key" | "session" | "link" | "channel" | "app";
  readonly id: string;
  readonly name?: string;
  readonly claimed?: JsonObject;
  /** The answer came by a link that the asker had been given; no person is known to have held it. */
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
      readonly at: number;
    }
  | { readonly kind: "expired"; readonly default?: Default; readonly reason?: string; readonly at: number }
  | { readonly kind: "cancelled"; readonly cancelledBy: By; readonly reason?: string; readonly at: number };

export interface Progress {
  readonly current_step: number;
  readonly total_steps: number;
  readonly completed_fields: number;
  readonly total_fields: number;
}

/** The execution fence: an approved hold is claimed before it is acted on, and the claimer reports what became of it. */
export interface Claim {
  readonly id: string;
  readonly by: string;
  readonly at: number;
  /** After this moment nobody knows whether it ran. */
  readonly until: number;
  readonly state: "claimed" | "done" | "failed" | "unknown";
  readonly detail?: JsonObject;
  readonly endedAt?: number;
}

/** The approval was taken back; what was claimed before is not undone. */
export interface Revoked {
  readonly at: number;
  readonly by: By;
}

/** A file somebody uploaded to answer with. */
export interface HoldFile {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly at: number;
  /** Who uploaded it, as the log names them. */
  readonly by: string;
}

export interface Hold {
  readonly id: string;
  readonly key?: string;
  /** `null` once erased. */
  readonly ask: Ask | null;
  /** Salted, so that it says nothing once the salt is erased. What an answer's `shown` is held against (G12). */
  readonly digest: string;
  readonly salt: string | null;
  readonly status: "open" | "decided" | "expired" | "cancelled";
  /** Agent or app that asked, or `dev`. */
  readonly createdBy: string;
  /** Id of the key that placed it; signs the callback. */
  readonly creatorKey: string;
  /** Set when an app asked: only then may an app of that name relay its users' answers (G7). */
  readonly askedByApp?: true;
  readonly createdAt: number;
  readonly openedAt?: number;
  readonly progressedAt?: number;
  readonly progress?: Progress;
  readonly remindedAt?: number;
  /** Links made for somebody in particular, by hash: when the content goes, whom they were for goes with it. */
  readonly addressed?: readonly string[];
  /** The last notice that the console has shown. */
  readonly notified?: { readonly noticeId: string; readonly at: number };
  readonly expiresAt?: number;
  /** Of what it belongs to; ends it without any default, and before its own time if it comes first. */
  readonly deadlineAt?: number;
  readonly onTimeout?: Default;
  readonly rungs: readonly Rung[];
  /** The attempt reached, missed ones included; the placing is the first. */
  readonly attempt: number;
  readonly links: "agent" | "server";
  readonly answerers?: readonly string[];
  /** Sensitive values of the answer are told to nobody, not even to who asked; they stay in the row. */
  readonly withholdSensitive?: true;
  readonly previous?: string;
  readonly next?: string;
  readonly after?: string;
  readonly callbackUrl?: string;
  readonly threadId?: string;
  readonly groupId?: string;
  readonly metadata?: JsonObject;
  /** What a face must keep to show the hold in its own words; opaque to the core. */
  readonly face?: JsonObject;
  /** Content is erased this long after the end; absent: kept. */
  readonly retainMs?: number;
  readonly outcome?: Outcome;
  readonly claim?: Claim;
  /** Ended claims before this one, when the ask allows several. */
  readonly claimsBefore?: number;
  readonly revoked?: Revoked;
  readonly files?: readonly HoldFile[];
  readonly erasedAt?: number;
}

/** (creator, key) → hold. */
export interface HoldKey {
  readonly holdId: string;
}

/** A half-filled form, kept for the person who comes back to it; gone when the hold ends. */
export interface FormSession {
  readonly holdId: string;
  readonly values: JsonObject;
  readonly step: number;
  readonly savedAt: number;
}

export function holdKeyId(createdBy: string, key: string): string {
  return `${createdBy}\n${key}`;
}

/** How often it was claimed; what was released does not count. */
export function claimsOf(hold: Pick<Hold, "claim" | "claimsBefore">): number {
  return (hold.claimsBefore ?? 0) + (hold.claim === undefined ? 0 : 1);
}

export function isOpen(hold: Hold): boolean {
  return hold.status === "open";
}

const NEVER = Number.POSITIVE_INFINITY;

/** From when on nobody can answer any more. */
export function endsAt({ expiresAt = NEVER, deadlineAt = NEVER }: Hold): number {
  return Math.min(expiresAt, deadlineAt);
}

/** A draft is only ever saved with progress, or after it. */
export function mayHaveDraft(hold: Hold): boolean {
  return hold.progressedAt !== undefined;
}

/** A hold is past its time from the very moment on: expiry wins ties. */
export function isPast(hold: Hold, now: number): boolean {
  return isOpen(hold) && endsAt(hold) <= now;
}
