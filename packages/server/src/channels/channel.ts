/**
 * The port for telling people. Every channel passes `channel.suite.ts`.
 *
 * H1  A channel gets a notice, never a hold: what is not in `Notice` cannot leave by it (G9). Answers, form values and the
 *     ask's context are not; people see them on the page behind the link.
 * H2  `deliver` never throws for what the world does to it: every failure is said, with whether trying again may help.
 * H3  A channel keeps no state between deliveries; queueing, retrying and recording belong to the outbox.
 */

export interface Notice {
  /** The same over all tries, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly workspace: string;
  readonly holdId: string;
  readonly type: string;
  readonly prompt: string;
  /** Name of the agent or app that asks. */
  readonly askedBy: string;
  /** Which attempt to reach people this is, from 1. */
  readonly attempt: number;
  readonly expiresAt: number | null;
  /** Who is told; null: whoever the channel is set up for. */
  readonly recipient: string | null;
  /** Made for this recipient and this delivery; whoever holds it can answer. On a channel of `signedIn`, the console's own. */
  readonly reviewUrl: string;
}

export type Told =
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
  /** Set where people have signed in already: no link is made for them, and none could be lost. */
  readonly signedIn?: true;
  deliver(notice: Notice, signal?: AbortSignal): Promise<Told>;
}

/** What the engine knows about a notice that is due. Anything more that it carries is left behind by `noticeOf`. */
export type NoticeFacts = Pick<Notice, "holdId" | "type" | "prompt" | "askedBy" | "expiresAt">;

const PROMPT_LENGTH_MAX = 2_000;

/** Builds a notice member by member, so that nothing rides along (H1). */
export function noticeOf(facts: NoticeFacts, delivery: Omit<Notice, keyof NoticeFacts>): Notice {
  return {
    id: delivery.id,
    workspace: delivery.workspace,
    holdId: facts.holdId,
    type: facts.type,
    prompt: shorten(facts.prompt),
    askedBy: facts.askedBy,
    attempt: delivery.attempt,
    expiresAt: facts.expiresAt,
    recipient: delivery.recipient,
    reviewUrl: delivery.reviewUrl,
  };
}

function shorten(prompt: string): string {
  const characters = [...prompt];
  return characters.length <= PROMPT_LENGTH_MAX
    ? prompt
    : `${characters.slice(0, PROMPT_LENGTH_MAX - 1).join("")}…`;
}
