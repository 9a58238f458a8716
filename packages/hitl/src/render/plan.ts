/** What a message offers, before any platform's shape: the words, the buttons, and the link that is always there. */

import { type Action, actionsOf, isKnownType } from "@holdpoint/protocol/rules";
import type { Listed } from "../agent/case-book.ts";
import { type Occasion, reviewMessage } from "../agent/message.ts";
import type { Review } from "../agent/review.ts";

export interface Button {
  readonly action: string;
  readonly label: string;
  readonly style: "primary" | "danger" | "default";
}

export interface Plan {
  readonly listed: Listed;
  /** Everything but the link. */
  readonly text: string;
  /** The same with the question first, for where it has to be cut. */
  readonly essence: string;
  readonly buttons: readonly Button[];
  readonly link: { readonly label: string; readonly url: string };
  /** The page is needed for the answer itself, so it may open inside the messenger where that exists. */
  readonly pageOnly: boolean;
}

const LINK_LABELS: Readonly<Record<string, string>> = {
  approval: "Review & edit",
  selection: "Choose",
  input: "Fill in",
  confirmation: "Details",
  escalation: "Error details",
};

/** Which types can be answered by a tap at all; the others need to be seen. */
const TAPPABLE = new Set(["approval", "confirmation", "escalation"]);

/** A proof that only the person's own flow can give cannot come from a button. */
function needsInlineProof(review: Review): boolean {
  const policy = review.verificationPolicy;
  return policy !== undefined && policy.mode !== "optional" && policy.required_for.includes("inline_submit");
}

/** The actions that become buttons: offered by the service, belonging to the type, and answerable without a page. */
export function buttonsOf(review: Review): readonly Button[] {
  const offered = review.inline?.actions ?? [];
  if (!isKnownType(review.type) || !TAPPABLE.has(review.type) || needsInlineProof(review)) return [];
  // Changes are described on the page; where they can be asked for, all of it happens there.
  if (offered.includes("edit")) return [];
  return actionsOf({ type: review.type })
    .filter((action) => offered.includes(action.id))
    .map((action: Action) => ({
      action: action.id,
      label: action.label ?? action.id,
      style: action.style ?? "default",
    }));
}

export function planFor(listed: Listed, occasion: Occasion): Plan {
  const { review } = listed;
  const { body, essence, url } = reviewMessage(review, occasion);
  const buttons = buttonsOf(review);
  const pageOnly = !TAPPABLE.has(review.type);
  const label = !pageOnly && buttons.length === 0 ? "Review" : (LINK_LABELS[review.type] ?? "Open");
  return { listed, text: body, essence, buttons, link: { label, url }, pageOnly };
}

/** A person who sees only a part of the question decides on the page: no deciding buttons stand below a text that was cut (G15). */
export function withoutButtons(plan: Plan): Plan {
  const { link, pageOnly } = plan;
  return { ...plan, text: plan.essence, buttons: [], link: pageOnly ? link : { ...link, label: "Review" } };
}
