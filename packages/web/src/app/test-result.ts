/** What came of a test question: whether it was delivered, and whether somebody answered it. */

import type { DeliveryOut, HoldOut } from "@holdpoint/protocol";

const WORDS = {
  sending: "it is being sent",
  again: (why: string) => `it was not delivered yet (${why}) and is tried again`,
  failed: (why: string) => `it was not delivered: ${why}`,
  noChannel: "the channel is not there any more",
  waiting: "it was delivered; nobody has answered it yet",
  answered: (who: string) => `${who} answered it. The channel works.`,
  ended: "nobody answered it within ten minutes",
};

type Tried = Pick<DeliveryOut, "state" | "reason">;

export function resultOf(
  hold: Pick<HoldOut, "status" | "outcome"> | undefined,
  delivery: Tried | undefined,
): string {
  if (hold?.outcome?.kind === "decided") return WORDS.answered(hold.outcome.by.name ?? "");
  if (delivery?.state === "failed") return WORDS.failed(whyOf(delivery));
  if (delivery?.state === "no_channel") return WORDS.noChannel;
  if (hold !== undefined && hold.status !== "open") return WORDS.ended;
  if (delivery?.state === "sent") return WORDS.waiting;
  return delivery?.reason === undefined ? WORDS.sending : WORDS.again(whyOf(delivery));
}

/** Whether looking again may tell something else, before anybody answers. */
export function isOnItsWay(delivery: Tried | undefined): boolean {
  return delivery === undefined || delivery.state === "queued";
}

function whyOf({ reason = "" }: Tried): string {
  return reason.replaceAll("_", " ");
}
