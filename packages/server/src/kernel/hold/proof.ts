/**
 * A passkey's signature over exactly one answer to exactly one ask. The challenge is made when the person has chosen the
 * answer, and it is used up by the command that gives this answer.
 */

import type { Context } from "../context.ts";
import type { Proof } from "../decision/decision.ts";
import type { Draft } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { notProven, useChallenge, usePasskey } from "../passkey/assertion.ts";
import type { SignedDecision } from "../passkey/passkey.ts";
import { currentPerson, personIdOf, recipientPerson } from "../people/person.ts";
import { actorText, type Principal } from "../principal.ts";
import type { World } from "../world.ts";
import { answerDigest } from "./answer-digest.ts";
import type { AnswerHold } from "./commands.ts";
import type { Hold } from "./hold.ts";
import { type Link, personOf, throughLink } from "./link.ts";

type Answer = Pick<AnswerHold, "action" | "data" | "grant">;

/** What the passkey signs, without the nonce and the expiry. */
export function decisionOf(
  hold: Hold,
  answer: Answer,
  context: Context,
): Omit<SignedDecision, "nonce" | "expires"> {
  return {
    hold: hold.id,
    ask: hold.digest,
    action: answer.action,
    answer: answerDigest(hold, answer, context),
  };
}

/** Uses up the signature. Returns why it does not prove this answer by this caller, if it does not. */
export function whyNotProven(
  { hold, link }: { readonly hold: Hold; readonly link: Link | undefined },
  answer: Answer & { readonly by: Principal; readonly proof?: Proof },
  draft: Draft,
  context: Context,
): Failure | null {
  const { proof, by } = answer;
  if (proof === undefined) return null;
  const actor = actorText(by);
  const challenge = useChallenge(proof.challenge, draft, context.now, actor);
  if ("code" in challenge) return challenge;
  const passkey = usePasskey(proof, draft, context.now, actor);
  if ("code" in passkey) return passkey;
  if (challenge.purpose !== "answer")
    return notProven("the passkey has signed something else than an answer");
  const { nonce: _nonce, expires: _expires, ...signed } = challenge.decision;
  if (JSON.stringify(signed) !== JSON.stringify(decisionOf(hold, answer, context)))
    return notProven("the passkey has signed another answer; confirm this one");
  if (currentPerson(draft, passkey.personId)?.status !== "active")
    return failure("not_entitled", "the person whose passkey this is has been suspended");
  return isSomebodyElse(passkey.personId, hold, by, link, draft)
    ? failure("not_entitled", "this passkey belongs to somebody else; use your own")
    : null;
}

/** A session and a link that was made for a person are used with a passkey of that person only. */
function isSomebodyElse(
  personId: string,
  hold: Hold,
  by: Principal,
  link: Link | undefined,
  world: World,
): boolean {
  const recipient = link === undefined ? undefined : personOf(link, hold);
  const expected = recipient === undefined ? personIdOf(by) : recipientPerson(recipient, world);
  return expected !== undefined && expected !== personId && currentPerson(world, expected) !== undefined;
}

/** The caller, named: by their passkey, or by the link that they use. */
export function provenBy(
  by: Principal,
  hold: Hold,
  { link, proof }: { readonly link: Link | undefined; readonly proof?: Proof },
  world: World,
): Principal {
  const owner = proof === undefined ? undefined : world.get("passkey", proof.credential)?.personId;
  return owner === undefined || by.role !== "reviewer" ? throughLink(by, hold, link) : { ...by, name: owner };
}
