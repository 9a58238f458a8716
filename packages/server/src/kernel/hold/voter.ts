/** Who a vote counts for: the person behind a key, a session, a link or an app's user, and how that was proven. */

import { isStrongEnough, type Proof, type Seat, type Strength, type Vote } from "../decision/decision.ts";
import { mayCount, ruleNeeds, seatsOf } from "../decision/entitled.ts";
import { type Failure, failure } from "../failure.ts";
import { passkeyNeeds } from "../passkey/assertion.ts";
import { emailAccountId, personIdOf, recipientPerson } from "../people/person.ts";
import { claimedId, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import type { Hold } from "./hold.ts";
import { type Link, personOf } from "./link.ts";

/** A hold with a decision rule. */
export type RuledHold = Hold & Required<Pick<Hold, "decision">>;

export function isRuled(hold: Hold): hold is RuledHold {
  return hold.decision !== undefined;
}

interface Caller {
  readonly by: Principal;
  readonly link: Link | undefined;
  readonly proof?: Proof;
}

/**
 * What must be loaded before this caller can vote. The voter's own row is locked: suspending the person waits for the vote
 * and then removes it, or the vote waits and is refused.
 */
export function voteNeeds(hold: Hold, caller: Caller, world: World): readonly Need[] {
  const { proof } = caller;
  const named = recipientOf(hold, caller);
  const needs: Need[] =
    proof === undefined
      ? []
      : [{ kind: "challenge", id: proof.challenge }, ...passkeyNeeds(proof.credential, world)];
  if (named !== undefined && (proof !== undefined || isRuled(hold)))
    needs.push({ kind: "account", id: emailAccountId(named), read: true });
  // Whether a link's person exists decides whether anybody else's passkey may be used with it.
  if (named !== undefined && proof !== undefined)
    needs.push({ kind: "person", id: recipientPerson(named, world), read: true });
  if (!isRuled(hold)) return needs;
  needs.push(...ruleNeeds(hold.decision, world), ...absentNeeds(hold));
  const person = voterOf(hold, caller, world);
  if (person !== undefined) needs.push({ kind: "person", id: person }, { kind: "voter", id: person });
  return needs;
}

/** The people for whom delegates have voted, whatever teams they are in now. */
function absentNeeds({ votes = [] }: Hold): readonly Need[] {
  return absentees(votes).flatMap(({ voter, absent }) => [
    { kind: "voter", id: voter },
    { kind: "person", id: absent, read: true },
  ]);
}

/** Every seat that somebody fills, or may fill, for somebody else. */
export function absentees(
  votes: readonly Vote[],
): readonly { readonly voter: string; readonly absent: string }[] {
  return votes.flatMap(({ person: voter, seats }) =>
    seats.flatMap(({ person: absent }) => (absent === voter ? [] : [{ voter, absent }])),
  );
}

/** The recipient of the link that the caller holds, unless it is the asker's. */
function recipientOf(hold: Hold, { by, link }: Caller): string | undefined {
  return by.role === "reviewer" && link !== undefined ? personOf(link, hold) : undefined;
}

/** The id of the person, whether they exist or not. `dev` is no person, and neither is a link in the asker's hands. */
export function voterOf(hold: Hold, caller: Caller, world: World): string | undefined {
  const { by, proof } = caller;
  if (proof !== undefined) return world.get("passkey", proof.credential)?.personId;
  if (by.role === "app") return claimedId(by);
  const recipient = recipientOf(hold, caller);
  return recipient === undefined ? personIdOf(by) : recipientPerson(recipient, world);
}

export function strengthOf({ by, proof }: Caller): Strength {
  if (proof !== undefined) return proof.kind;
  if (by.via === "link" || by.role === "app") return "link";
  if (by.via === "channel") return "account";
  return "session";
}

export interface Entitled {
  readonly person: string;
  readonly strength: Strength;
  readonly seats: readonly Seat[];
}

/** The person who votes and what they may fill, or why they may not vote. */
export function entitlement(hold: RuledHold, caller: Caller, world: World, now: number): Entitled | Failure {
  const strength = strengthOf(caller);
  const isTooWeak = !isStrongEnough(strength, hold.decision.strength);
  const person = voterOf(hold, caller, world);
  if (person === undefined) return isTooWeak ? tooWeak(strength, hold) : NO_PERSON;
  const seats = person === hold.createdBy ? [] : seatsOf(person, hold.decision, world, now);
  if (seats.length === 0) return whyNoSeat(person, hold, world);
  if (isTooWeak) return tooWeak(strength, hold);
  return whyTooOld(caller, hold, now) ?? { person, strength, seats };
}

/** A passkey proves now who votes. A session proves it for as long as the rule says, and a key or a link never does. */
function whyTooOld({ by, proof }: Caller, { decision }: RuledHold, now: number): Failure | null {
  const { max_age: maxAge } = decision;
  if (maxAge === undefined || proof !== undefined) return null;
  if (by.signedInAt !== undefined && now - by.signedInAt <= maxAge * 1_000) return null;
  const message = `this decision needs a sign-in within the last ${maxAge} seconds; sign in again and vote in the console, or confirm with a passkey`;
  return failure("fresh_sign_in_required", message);
}

const NO_PERSON = failure(
  "not_entitled",
  "this hold needs votes of people, and this credential stands for no person; use a person's own key, session or link",
);

function whyNoSeat(person: string, { decision, createdBy }: RuledHold, world: World): Failure {
  const row = world.get("person", person);
  const reason =
    row === undefined
      ? `there is no person ${person} in this workspace`
      : row.status === "suspended"
        ? "you are suspended"
        : !row.isVerified
          ? "an admin has to confirm you first"
          : decision.excluded.includes(person) || person === createdBy
            ? "the decision excludes you"
            : mayCount(person, decision, world)
              ? "the decision does not name you or one of your teams"
              : "an auditor does not vote";
  return failure("not_entitled", `you may not vote on this hold: ${reason}`, { detail: { reason } });
}

function tooWeak(have: Strength, { decision: { strength: need } }: RuledHold): Failure {
  const how = {
    link: "",
    account: "use a linked account",
    session: "sign in",
    passkey: "confirm with a passkey",
  };
  const message = `this decision needs the strength ${need}, and this vote has only ${have}; ${how[need]}`;
  return failure("strength_too_low", message, { detail: { have, need } });
}
