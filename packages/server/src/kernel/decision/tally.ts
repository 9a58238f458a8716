/** Counts the votes of a hold: whether its rule is met, who is still missing, and whether the votes disagree. */

import type { Ask } from "@holdpoint/protocol/rules";
import { type Decision, isAffirmative, type Stage, type Vote } from "./decision.ts";
import { type Candidate, isFull, type Matching, matchSeats, total } from "./matching.ts";

export interface Missing extends Stage {
  readonly given: number;
}

export interface Tally {
  readonly verdict: "open" | "approved" | "rejected";
  /** The stages that still need votes, for the answer that has most of them. */
  readonly missing: readonly Missing[];
  /** Whom each voter stands for. */
  readonly standsFor: ReadonlyMap<string, string>;
  /** How many different answers were approved. Votes for different answers do not add up. */
  readonly answers: number;
}

type AskType = Pick<Ask, "type">;

export function tally(decision: Decision, votes: readonly Vote[], ask: AskType): Tally {
  const needs = needsOf(decision);
  const rejections = matchRejections(decision, votes, ask);
  const camps = campsOf(votes, ask).map((camp) => matchSeats(camp, needs));
  const leading = camps.reduce<Matching>(
    (best, camp) => (total(camp) > total(best) ? camp : best),
    matchSeats([], needs),
  );
  const missing = decision.approve.flatMap((stage, at) => {
    const given = leading.given[at] as number;
    return given === stage.need ? [] : [{ ...stage, given }];
  });
  const isRejected = isFull(rejections, [decision.reject]);
  return {
    verdict: isRejected ? "rejected" : missing.length === 0 ? "approved" : "open",
    missing,
    standsFor: new Map([rejections, ...camps].flatMap(({ standsFor }) => [...standsFor])),
    answers: camps.length,
  };
}

/**
 * Whether the vote may be cast now. In listed order an approval has to help the first stage that is not met, after the
 * stages before it; rejections are welcome at any time.
 */
export function isInTurn(decision: Decision, others: readonly Vote[], vote: Vote, ask: AskType): boolean {
  if (decision.order === "any" || !isAffirmative(ask, vote.action)) return true;
  const camp = others.filter((other) => isSameAnswer(other, vote));
  const needs = needsOf(decision).slice(0, stageOf(decision, camp) + 1);
  return total(matchSeats([...camp, vote], needs)) > total(matchSeats(camp, needs));
}

/** The first stage that these votes do not meet together with all the stages before it. */
export function stageOf(decision: Decision, camp: readonly Candidate[]): number {
  const needs = needsOf(decision);
  const unmet = needs.findIndex((_need, at) => {
    const upTo = needs.slice(0, at + 1);
    return !isFull(matchSeats(camp, upTo), upTo);
  });
  return unmet === -1 ? needs.length : unmet;
}

/** The stage whose turn it is for the answer that has come furthest. */
export function currentStage(decision: Decision, votes: readonly Vote[], ask: AskType): number {
  return Math.max(0, ...campsOf(votes, ask).map((camp) => stageOf(decision, camp)));
}

/** Affirmative votes, grouped by what exactly they approve. */
function campsOf(votes: readonly Vote[], ask: AskType): readonly (readonly Vote[])[] {
  const camps: Vote[][] = [];
  for (const vote of votes) {
    if (!isAffirmative(ask, vote.action)) continue;
    const camp = camps.find(([first]) => isSameAnswer(first as Vote, vote));
    if (camp === undefined) camps.push([vote]);
    else camp.push(vote);
  }
  return camps;
}

function isSameAnswer(one: Vote, other: Vote): boolean {
  return one.action === other.action && one.answer === other.answer;
}

/** Everybody with a seat in any stage may reject; each person is represented once. */
function matchRejections({ reject }: Decision, votes: readonly Vote[], ask: AskType): Matching {
  const against = votes.filter(({ action }) => !isAffirmative(ask, action));
  const anyStage = against.map(({ person, seats }) => ({
    person,
    seats: seats.map((seat) => ({ ...seat, stages: [0] })),
  }));
  return matchSeats(anyStage, [reject]);
}

export function needsOf({ approve }: Pick<Decision, "approve">): readonly number[] {
  return approve.map(({ need }) => need);
}
