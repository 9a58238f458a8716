/**
 * The port for notifying people. Every channel passes `channel.suite.ts`.
 *
 * H1  A channel gets a notice, never a hold, so it cannot send anything that is not in `Notice` (G9). Answers, form values
 *     and the ask's context are not in it; people see them on the page behind the link.
 * H2  `deliver` does not throw when delivery fails: it returns the failure and whether a retry may help.
 * H3  A channel keeps no state between deliveries. Queueing, retrying and recording belong to the outbox.
 */

import { shorten } from "./shorten.ts";

export interface Notice {
  /** The same for all tries, so that a receiver can deduplicate. */
  readonly id: string;
  readonly workspace: string;
  readonly holdId: string;
  readonly type: string;
  readonly prompt: string;
  /** The name of the agent or app that asks. */
  readonly askedBy: string;
  /** The number of this notification attempt, from 1. */
  readonly attempt: number;
  readonly expiresAt: number | null;
  /** Who is notified; `null`: the channel's default recipients. */
  readonly recipient: string | null;
  /** Made for this recipient and this delivery; anybody who has it can answer. On a `signedIn` channel it is the console's URL. */
  readonly reviewUrl: string;
}

export type ChannelResult =
  | { readonly kind: "sent"; readonly status?: number }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly retry: boolean;
      readonly status?: number;
      readonly retryAfterMs?: number;
    };

export interface Channel {
  /** `webhook`, `email`, … */
  readonly kind: string;
  /** Set if its recipients are already signed in: no link is made for them, so none can leak. */
  readonly signedIn?: true;
  deliver(notice: Notice, signal?: AbortSignal): Promise<ChannelResult>;
  /** The hold has ended: what the channel has shown about it must not look open any more. Absent: the channel cannot. */
  close?(closing: Closing, signal?: AbortSignal): Promise<ChannelResult>;
  /** Tells one person something that is about no hold. Absent: the channel cannot. */
  tell?(letter: PersonalLetter, signal?: AbortSignal): Promise<ChannelResult>;
}

/** How a hold ended, for a channel that has notified somebody about it. */
export interface Closing {
  /** The same for all tries. */
  readonly id: string;
  readonly workspace: string;
  readonly holdId: string;
  readonly prompt: string;
  /** One sentence: how it ended and by whom. */
  readonly text: string;
  /** Who was notified; `null`: the channel's default recipients. */
  readonly recipients: readonly (string | null)[];
  /** The hold's address in the console. */
  readonly url: string;
}

export interface PersonalLetter {
  /** The same for all tries. */
  readonly id: string;
  /** The person's address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What the engine knows about the hold. `noticeOf` drops any additional members. */
export type NoticeFacts = Pick<Notice, "holdId" | "type" | "prompt" | "askedBy" | "expiresAt">;

const PROMPT_LENGTH_MAX = 2_000;

/** Copies member by member, so that nothing else is sent (H1). */
export function noticeOf(facts: NoticeFacts, delivery: Omit<Notice, keyof NoticeFacts>): Notice {
  return {
    id: delivery.id,
    workspace: delivery.workspace,
    holdId: facts.holdId,
    type: facts.type,
    prompt: shorten(facts.prompt, PROMPT_LENGTH_MAX),
    askedBy: facts.askedBy,
    attempt: delivery.attempt,
    expiresAt: facts.expiresAt,
    recipient: delivery.recipient,
    reviewUrl: delivery.reviewUrl,
  };
}
