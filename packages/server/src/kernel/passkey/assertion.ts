/** Uses up a challenge that a passkey signed, once, and records that the passkey was used. */

import type { Draft } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Need, World } from "../world.ts";
import type { Assertion, Challenge, Passkey } from "./passkey.ts";

export function passkeyNeeds(credential: string, world: World): readonly Need[] {
  const person = world.get("passkey", credential)?.personId;
  return [
    { kind: "passkey", id: credential },
    ...(person === undefined ? [] : [{ kind: "person", id: person }]),
  ];
}

/** States that the challenge is used up. A refusal of the same command drops that again, so the person can try once more. */
export function useChallenge(id: string, draft: Draft, now: number, actor: string): Challenge | Failure {
  const challenge = draft.get("challenge", id);
  if (challenge === undefined || challenge.expiresAt <= now)
    return notProven("this challenge was used before or has expired; start again");
  draft.state({ kind: "challenge", id, fact: { type: "challenge.ended" }, at: now, actor });
  return challenge;
}

export function usePasskey(
  { credential, counter }: Omit<Assertion, "challenge">,
  draft: Draft,
  now: number,
  actor: string,
): Passkey | Failure {
  const passkey = draft.get("passkey", credential);
  if (passkey === undefined) return notProven("this passkey is not known here; it may have been removed");
  if (isCopied(passkey, counter))
    return notProven("this passkey has signed something since, so it may have been copied; use another one");
  const fact = { type: "passkey.used", passkey: { ...passkey, counter, lastUsedAt: now } } as const;
  draft.state({ kind: "passkey", id: passkey.id, fact, at: now, actor });
  return passkey;
}

/** An authenticator that counts its signatures never counts backwards. */
function isCopied(passkey: Passkey, counter: number): boolean {
  return passkey.counter > 0 && counter <= passkey.counter;
}

export function notProven(message: string): Failure {
  return failure("not_proven", message);
}
