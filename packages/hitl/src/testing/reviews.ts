/** Reviews as services send them, for tests. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { type Review, readReview } from "../agent/review.ts";

export const REVIEW_TOKEN = "rEv1eW-t0ken_".repeat(4).slice(0, 43);
export const SUBMIT_TOKEN = "sUbm1t-t0ken_".repeat(4).slice(0, 43);

export const HITL: JsonObject = {
  spec_version: "0.7",
  case_id: "review_ab12",
  review_url: `https://shop.example/review/review_ab12?token=${REVIEW_TOKEN}`,
  poll_url: "https://api.shop.example/reviews/review_ab12/status",
  type: "confirmation",
  prompt: "Send three letters?",
  default_action: "abort",
  created_at: "2026-03-01T10:00:00Z",
  expires_at: "2026-03-02T10:00:00Z",
};

export const INLINE: JsonObject = {
  submit_url: "https://api.shop.example/reviews/review_ab12/respond",
  submit_token: SUBMIT_TOKEN,
};

export function body(members: JsonObject = {}, message: Json = "Three letters are ready."): JsonObject {
  return { status: "human_input_required", message, hitl: { ...HITL, ...members } };
}

export function accepted(members: JsonObject = {}): Response {
  return Response.json(body(members), { status: 202 });
}

export function reviewWith(members: JsonObject = {}, message?: Json): Review {
  const detected = readReview(body(members, message));
  if (detected.kind !== "review") throw new Error(JSON.stringify(detected));
  return detected.review;
}

/** The same review with an offer of buttons, for the type's actions or for those named. */
export function inlineReview(members: JsonObject = {}): Review {
  return reviewWith({ ...INLINE, ...members });
}
