/** One review of each kind that the renderers treat differently. */

import type { Listed } from "../agent/case-book.ts";
import type { Review } from "../agent/review.ts";
import { inlineReview, reviewWith } from "./reviews.ts";

const FORM = {
  steps: [
    { title: "Person", fields: [{ key: "name", label: "Name", type: "text", required: true }] },
    { title: "Check", fields: [] },
  ],
};

export const REVIEWS: Readonly<Record<string, Review>> = {
  confirmation: inlineReview({ inline_actions: ["confirm", "cancel"] }),
  confirmation_by_link: reviewWith(),
  escalation: inlineReview({ type: "escalation", prompt: "Rollout stalled at 60 %. What now?" }),
  escalation_without_retry: inlineReview({ type: "escalation", inline_actions: ["skip", "abort"] }),
  approval_without_edit: inlineReview({ type: "approval", inline_actions: ["approve", "reject"] }),
  approval_with_edit: inlineReview({ type: "approval" }),
  selection: reviewWith({ type: "selection", prompt: "Which of *these*, [really](https://evil.example)?" }),
  input: reviewWith({ type: "input", prompt: "Who is it for?", context: { form: FORM } }),
  own_type: inlineReview({ type: "x-compare", inline_actions: ["submit"] }),
  on_this_machine: reviewWith({
    type: "input",
    review_url: "http://localhost:4100/review/review_ab12?token=t",
  }),
  with_proof: inlineReview({
    spec_version: "0.8",
    verification_policy: { mode: "required", required_for: ["inline_submit"] },
  }),
};

const SHORT_ID = "0123456789abcdef";

export function listed(review: Review): Listed {
  return { review, shortId: SHORT_ID };
}
