/** Rounds of one review: changes are requested, the agent revises and asks again, until a person says yes or no. */

import type { Decision } from "./poll.ts";
import { detectReview, type Review } from "./review.ts";

export interface Round {
  readonly review: Review;
  readonly decision: Decision;
}

export type Completed = Extract<Decision, { readonly kind: "completed" }>;

export interface ReviseInput {
  readonly review: Review;
  readonly decision: Completed;
  /** 1 after the first answer. */
  readonly round: number;
}

/**
 * Opens the next round: revise by the feedback in `decision.data`, ask the service again with `previous_case_id`, and give
 * its response. Where the service has opened the next case itself, `decision.nextCaseId` names it.
 */
export type Revise = (input: ReviseInput) => Promise<Response | Review | undefined>;

export type ChainOutcome =
  | { readonly kind: "settled"; readonly decision: Decision; readonly rounds: readonly Round[] }
  /** The last answer asks for another round and there is none: the cap is reached, or the service opened nothing. */
  | {
      readonly kind: "unsettled";
      readonly reason: "round_cap" | "no_next_round";
      readonly rounds: readonly Round[];
    };

export interface ChainOptions {
  readonly wait: (review: Review) => Promise<Decision>;
  readonly revise?: Revise;
  /** How many rounds at most, the first included. */
  readonly roundsMax?: number;
}

const ROUNDS_MAX = 5;
const FINAL = new Set(["approve", "reject"]);

/** Whether an answer opens another round. `edit` always does; other answers when the service says that one follows. */
function asksForMore(decision: Decision): decision is Completed {
  if (decision.kind !== "completed" || FINAL.has(decision.action)) return false;
  return decision.action === "edit" || decision.nextCaseId !== undefined;
}

async function nextReview(opened: Response | Review | undefined): Promise<Review | undefined> {
  if (opened === undefined || "caseId" in opened) return opened;
  const detected = await detectReview(opened);
  return detected.kind === "review" ? detected.review : undefined;
}

/** Waits for the answer to a review, and opens the next round as long as an answer asks for one. */
export async function followChain(first: Review, options: ChainOptions): Promise<ChainOutcome> {
  const rounds: Round[] = [];
  let review = first;
  for (;;) {
    const decision = await options.wait(review);
    rounds.push({ review, decision });
    if (!asksForMore(decision)) return { kind: "settled", decision, rounds };
    if (rounds.length >= (options.roundsMax ?? ROUNDS_MAX))
      return { kind: "unsettled", reason: "round_cap", rounds };
    const next = await nextReview(await options.revise?.({ review, decision, round: rounds.length }));
    // A round that does not continue this chain could end it with somebody else's approval.
    const follows = next?.previousCaseId === undefined || next.previousCaseId === review.caseId;
    if (next === undefined || !follows || rounds.some((round) => round.review.caseId === next.caseId))
      return { kind: "unsettled", reason: "no_next_round", rounds };
    review = next;
  }
}
