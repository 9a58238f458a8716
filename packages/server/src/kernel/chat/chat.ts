/**
 * Messages about a hold in chats, and what people press there.
 *
 * K1  A button carries no authority. It names a row that binds hold, ask digest, action and message; a press counts only if it
 *     comes from the message that was stored, by an account that is linked to an active person, and only as far as the rules
 *     for answers let that person answer.
 * K2  A press is one command: the answer and the record of the press are one commit. The same press again gets the same result.
 * K3  A refused press changes nothing on the hold and is on record.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";

/** Where a message is, as its platform names it. */
export interface MessageRef {
  readonly chat: string;
  readonly message: string;
  readonly tenant?: string;
}

export type ChatButton =
  /** Answers with this action and data. */
  | { readonly kind: "answer"; readonly action: string; readonly data: JsonObject }
  /** Asks the presser for a text first, and answers with it under this name. */
  | { readonly kind: "reason"; readonly action: string; readonly field: string }
  /** Asks the presser to fill in the ask's form. */
  | { readonly kind: "form"; readonly action: string }
  /** Says what similar calls would be allowed; answers only after the presser has confirmed the terms. */
  | { readonly kind: "grant"; readonly action: string; readonly forMs: number }
  /** Gives the presser a review link of their own. */
  | { readonly kind: "details" }
  | { readonly kind: "snooze"; readonly forMs: number };

/** One message about one hold. The id is random; a button is named by this id and its number. */
export interface ChatMessage {
  readonly id: string;
  readonly holdId: string;
  readonly channel: string;
  /** The id of the outbox row that sends it. */
  readonly delivery: string;
  readonly attempt: number;
  /** The recipient, as the ladder names it; absent: the channel's usual one. */
  readonly to?: string;
  /** It goes to one person, not to a group. */
  readonly isDirect?: true;
  /** Digest of the ask that the message shows (G12). */
  readonly ask: string;
  readonly buttons: readonly ChatButton[];
  readonly madeAt: number;
  readonly sentAt?: number;
  /** Absent until the platform has accepted the message. */
  readonly ref?: MessageRef;
  /** Copies that were sent when a server died before it could store the reference. Their buttons do not count. */
  readonly strays?: readonly MessageRef[];
  /** A linked person pressed something, so somebody has seen it. No platform tells more. */
  readonly seenAt?: number;
  readonly actedAt?: number;
  readonly closedAt?: number;
  /** Refusals that are on record already, so that pressing again does not fill the log. */
  readonly refused?: readonly string[];
}

/** What a hold knows of its messages: ending it has to reach each of them. */
export interface ChatMark {
  readonly id: string;
  readonly channel: string;
}

/** Who pressed, as the platform says. */
export interface Presser {
  readonly platform: string;
  readonly tenant?: string;
  readonly userId: string;
  readonly isBot?: true;
  readonly isGuest?: true;
  readonly isForeign?: true;
  /** An address that the platform has verified; set only where the operator lets it stand for a person. */
  readonly email?: string;
}

export const PRESS_REFUSALS = [
  "other_message",
  "bot",
  "foreign",
  "not_linked",
  "suspended",
  "not_yours",
  "question_over",
] as const;

export type PressRefusal = (typeof PRESS_REFUSALS)[number];

/** What became of a press or a reply. It is stored, so that the same press again gets the same result. */
export type PressResult =
  /** `decided`: it settled the hold; `voted`: more votes are needed. */
  | { readonly kind: "answered"; readonly status: "decided" | "voted"; readonly action: string }
  /** A question to the presser alone. */
  | { readonly kind: "asked"; readonly question: string }
  | { readonly kind: "details"; readonly person: string }
  | { readonly kind: "snoozed"; readonly until: number }
  /** A code of ours, or the code and message of the rule that refused the answer. */
  | { readonly kind: "refused"; readonly code: string; readonly message?: string };

export interface ChatPress {
  readonly holdId: string;
  readonly messageId: string;
  readonly result: PressResult;
  readonly at: number;
}

/** A question that one account was asked after a press. */
export interface ChatQuestion {
  readonly id: string;
  readonly holdId: string;
  readonly messageId: string;
  /** The number of the button that was pressed. */
  readonly button: number;
  /** Only this account may answer it. */
  readonly account: string;
  readonly channel: string;
  /** The terms of the grant, with absolute times, as they were put to the person. */
  readonly grantUntil?: number;
  readonly expiresAt: number;
  /** Where it was sent, if it is a message of its own. */
  readonly prompt?: MessageRef;
}

/** The message that a question was sent as. */
export interface ChatPrompt {
  readonly questionId: string;
}

/** Which server holds the inbound connection of a bot. The number fences off a holder whose lease has ended. */
export interface Listener {
  readonly holder: string;
  readonly fence: number;
  readonly until: number;
}

/** How long the record of a press removes duplicates. Platforms deliver a press again within a day, if at all. */
export const PRESS_KEPT_MS = 7 * 86_400_000;

/** How many similar calls one press allows at most. */
export const GRANT_USES = 20;

/** How long a question can be answered. */
export const QUESTION_MS = 24 * 3_600_000;

export function pressId(channel: string, id: string): string {
  return `${channel}\n${id}`;
}

export function promptId(channel: string, { chat, message }: MessageRef): string {
  return `${channel}\n${chat}\n${message}`;
}

export function isSameRef(one: MessageRef, other: MessageRef): boolean {
  return one.chat === other.chat && one.message === other.message && one.tenant === other.tenant;
}
