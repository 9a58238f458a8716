/** What all messengers have in common: a review becomes a message, a tap becomes a person's action, an answer an edit. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Listed } from "../agent/case-book.ts";
import type { HumanAction } from "../agent/human-action.ts";
import { type Occasion, question } from "../agent/message.ts";
import type { Submitted } from "../agent/submit.ts";

export interface ReadTap {
  /** Case id or short id: look it up in the case book. */
  readonly reference: string;
  readonly tap: HumanAction;
}

/** What to do with the message once a tap was submitted. */
export type Settled<Payload> =
  /** Edit the message: its buttons are gone. */
  | { readonly kind: "edit"; readonly payload: Payload }
  /** The platform cannot edit: send this as a new message. */
  | { readonly kind: "send"; readonly payload: Payload }
  /** Nothing to show: the tap may still count, or be tried again. */
  | { readonly kind: "keep" };

export interface Messenger<Payload = JsonObject, Options = unknown> {
  readonly name: string;
  render(listed: Listed, occasion?: Occasion, options?: Options): Payload;
  /** Reads what the platform sends when somebody taps. Anything that is no tap of ours is `undefined`. */
  readTap(inbound: unknown): ReadTap | undefined;
  settle(listed: Listed, tap: HumanAction, submitted: Submitted): Settled<Payload>;
}

const PAST: Readonly<Record<string, string>> = {
  approve: "Approved",
  reject: "Rejected",
  confirm: "Confirmed",
  cancel: "Cancelled",
  retry: "Retry chosen",
  skip: "Skipped",
  abort: "Aborted",
};

const CLOSED = {
  answered: "Somebody has already answered.",
  expired: "The time to answer is over.",
  cancelled: "The question has been withdrawn.",
} as const;

export interface Note {
  readonly text: string;
  /** Whether the page can still help, so that its link stays. */
  readonly keepLink: boolean;
}

/** What the message says after the tap; nothing while it is not known what became of it. */
export function noteFor(listed: Listed, tap: HumanAction, submitted: Submitted): Note | undefined {
  const asked = question(listed.review);
  switch (submitted.kind) {
    case "accepted": {
      const who = tap.by.displayName ?? tap.by.platformUserId;
      return { text: `${asked}\n\n${PAST[tap.action] ?? tap.action} by ${who}.`, keepLink: false };
    }
    case "use_page":
      return { text: `${asked}\n\nThis answer needs the review page.`, keepLink: true };
    case "closed":
      return { text: `${asked}\n\n${CLOSED[submitted.reason]}`, keepLink: false };
    case "refused":
      return {
        text: `${asked}\n\nThe answer could not be taken here. Please use the review page.`,
        keepLink: true,
      };
    default:
      return undefined;
  }
}
