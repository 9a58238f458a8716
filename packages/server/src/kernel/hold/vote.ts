/**
 * Votes on a hold with a decision rule. Each vote is a fact. The one that meets the rule settles the hold in the same commit,
 * as an answer does (G1); until then the hold stays open.
 */

import type { Ask, JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { isStrongEnough, type Proof, type Strength, type Vote } from "../decision/decision.ts";
import { mayCount } from "../decision/entitled.ts";
import { whyUnfulfillable } from "../decision/freeze.ts";
import { currentStage, isInTurn, tally } from "../decision/tally.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { whyLost } from "../people/person.ts";
import { type Principal, SYSTEM } from "../principal.ts";
import { about } from "./about.ts";
import { answerDigest } from "./answer-digest.ts";
import type { CheckDecision, GrantTerms, WithdrawVote } from "./commands.ts";
import { findOpenHold, NO_SUCH_HOLD } from "./guard.ts";
import { type Door, type Hold, isOpen, type Outcome } from "./hold.ts";
import { type Link, throughLink } from "./link.ts";
import { provenBy } from "./proof.ts";
import { settle } from "./settle.ts";
import {
  absentees,
  type Entitled,
  entitlement,
  isRuled,
  type RuledHold,
  strengthOf,
  voterOf,
} from "./voter.ts";
import { byOf, sees } from "./who.ts";

/** An answer that was found to fit the ask. */
export interface Ballot {
  readonly by: Principal;
  readonly link: Link | undefined;
  readonly action: string;
  readonly data: JsonObject;
  readonly door: Door;
  readonly shown?: string;
  readonly proof?: Proof;
  /** Similar calls to allow in advance. They are part of what is voted on. */
  readonly grant?: GrantTerms;
}

/** Records the vote and settles the hold if that meets the rule. Returns why the vote is refused, if it is. */
export function castVote(found: RuledHold, ballot: Ballot, draft: Draft, context: Context): Failure | null {
  const hold = withoutLostVotes(found, draft, context.now);
  const entitled = entitlement(hold, ballot, draft, context.now);
  if ("code" in entitled) return entitled;
  const { decision } = hold;
  const ask = hold.ask as Ask;
  const by = provenBy(ballot.by, hold, ballot, draft);
  const vote = voteOf(hold, { ...ballot, by }, entitled, context);
  const votes = hold.votes ?? [];
  const others = votes.filter(({ person }) => person !== vote.person);
  const before = votes.find(({ person }) => person === vote.person);
  if (before !== undefined && isSameVote(before, vote)) return null;
  const weak = before === undefined ? null : whyTooWeak(before, vote.strength);
  if (weak !== null) return weak;
  if (!isInTurn(decision, others, vote, ask)) return notInTurn(hold, others);
  const counted = tally(decision, [...others, vote], ask);
  const stage = currentStage(decision, [...others, vote], ask);
  const isNextTurn = decision.order === "listed" && stage > currentStage(decision, votes, ask);
  const standsFor = counted.standsFor.get(vote.person);
  const fact = {
    type: "hold.voted",
    vote,
    ...(standsFor === undefined || standsFor === vote.person ? {} : { standsFor }),
    ...(isNextTurn && counted.verdict === "open" ? { nextStage: stage } : {}),
  } as const;
  draft.state(about(hold, fact, context.now, by));
  if (counted.verdict !== "open")
    settle(draft.get("hold", hold.id) as Hold, outcomeOf(vote, ballot), draft, by);
  return null;
}

/** Takes back what delegates voted for somebody who no longer counts: a delegate never has more than the absent person. */
function withoutLostVotes(hold: RuledHold, draft: Draft, now: number): RuledHold {
  const lost = new Map(
    absentees(hold.votes ?? [])
      .filter(({ absent }) => !mayCount(absent, hold.decision, draft))
      .map(({ voter, absent }) => [voter, absent]),
  );
  for (const [person, standsFor] of lost) {
    const reason = whyLost(draft.get("person", standsFor));
    const fact = { type: "hold.vote_withdrawn", person, reason, standsFor } as const;
    draft.state(about(hold, fact, now, SYSTEM));
  }
  return lost.size === 0 ? hold : (draft.get("hold", hold.id) as RuledHold);
}

function voteOf(hold: RuledHold, ballot: Ballot, entitled: Entitled, context: Context): Vote {
  const { action, data, door, by, proof } = ballot;
  const answer = answerDigest(hold, ballot, context);
  return {
    ...{ ...entitled, action, data, answer, ask: hold.digest, at: context.now, door, by: byOf(by) },
    ...(proof === undefined ? {} : { proof }),
  };
}

/** A vote that was sent twice is one vote. A stronger proof of the same vote is recorded. */
function isSameVote(one: Vote, other: Vote): boolean {
  const isSameAnswer = one.action === other.action && one.answer === other.answer;
  return isSameAnswer && isStrongEnough(one.strength, other.strength);
}

function notInTurn({ decision, ask }: RuledHold, votes: readonly Vote[]): Failure {
  const stage = currentStage(decision, votes, ask as Ask);
  const { need, from } = decision.approve[stage] as (typeof decision.approve)[number];
  const message = `it is the turn of stage ${stage + 1} first: ${need} of ${from.join(", ")}`;
  return failure("not_entitled", message, { detail: { reason: "not your turn" } });
}

function outcomeOf({ action, data, door, by, at }: Vote, { shown, grant }: Ballot): Outcome {
  return {
    ...({ kind: "decided", action, data, by, door, at } as const),
    ...(shown === undefined ? {} : { shown }),
    ...(grant === undefined ? {} : { grant }),
  };
}

/** Takes back a vote on a hold that is still open. */
export function withdrawVote(command: WithdrawVote, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const person = voterOf(hold, { by: command.by, link }, draft);
  const vote = hold.votes?.find((one) => one.person === person);
  if (!isRuled(hold) || person === undefined || vote === undefined)
    return refuse(failure("no_vote", "you have no vote on this hold that could be withdrawn"));
  const weak = whyTooWeak(vote, strengthOf({ by: command.by, link }));
  if (weak !== null) return refuse(weak);
  const fact = { type: "hold.vote_withdrawn", person, reason: "withdrawn" } as const;
  draft.state(about(hold, fact, context.now, throughLink(command.by, hold, link)));
  return accept(hold.id);
}

/** Changing a vote, or taking it back, needs the strength that it was given with. For a vote by passkey a session is enough. */
function whyTooWeak({ strength }: Vote, have: Strength): Failure | null {
  const need = strength === "passkey" ? "session" : strength;
  if (isStrongEnough(have, need)) return null;
  const message = `this vote was given with the strength ${strength}, and this caller has only ${have}; sign in as the person to change it or take it back`;
  return failure("strength_too_low", message, { detail: { have, need } });
}

/**
 * People have changed: takes back votes for somebody who no longer counts, and says on the hold, once, that nobody can meet its
 * rule any more, or that somebody can again. Its ladder goes on.
 */
export function checkDecision({ holdId, by }: CheckDecision, draft: Draft, { now }: Context): Reply {
  const found = draft.get("hold", holdId);
  if (found === undefined || !sees(found, by, undefined)) return refuse(NO_SUCH_HOLD);
  if (!isRuled(found) || !isOpen(found)) return accept(holdId);
  const hold = withoutLostVotes(found, draft, now);
  const reason = whyUnfulfillable(hold.decision, draft, hold.votes)?.detail?.["reason"] as string | undefined;
  if (reason !== hold.unfulfillable)
    draft.state(
      about(hold, { type: "hold.decision_checked", ...(reason === undefined ? {} : { reason }) }, now, by),
    );
  return accept(holdId);
}
