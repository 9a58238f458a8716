/** Decides commands about passkeys: who may add and remove one, and who may sign in with one. */

import { whyNotFresh, whyStale } from "../access/fresh.ts";
import { whyNotManage } from "../access/manage.ts";
import { startSession } from "../access/sessions.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { currentPerson, personIdOf } from "../people/person.ts";
import { actorText, SYSTEM } from "../principal.ts";
import { notProven, useChallenge, usePasskey } from "./assertion.ts";
import type {
  AddPasskey,
  DropChallenge,
  MakeChallenge,
  NotePasskeyHost,
  RemovePasskey,
  SignInByPasskey,
  UseChallenge,
} from "./commands.ts";

export function makeChallenge({ challenge, by }: MakeChallenge, draft: Draft, { now }: Context): Reply {
  const { id } = challenge;
  draft.state({
    kind: "challenge",
    id,
    fact: { type: "challenge.made", challenge },
    at: now,
    actor: actorText(by),
  });
  return accept(id);
}

export function dropChallenge({ challengeId: id }: DropChallenge, draft: Draft, { now }: Context): Reply {
  const challenge = draft.get("challenge", id);
  if (challenge === undefined || challenge.expiresAt > now) return { ok: true, id, fresh: false };
  draft.state({
    kind: "challenge",
    id,
    fact: { type: "challenge.ended" },
    at: now,
    actor: actorText(SYSTEM),
  });
  return accept(id);
}

/** The most passkeys of one person: a phone, a laptop and a spare are three. */
const PASSKEYS_MAX = 20;

/** Only the person who has just signed in adds a passkey of their own. */
export function addPasskey(command: AddPasskey, draft: Draft, { now }: Context): Reply {
  const { passkey: given, by } = command;
  const stale = whyNotFresh(by, now);
  if (stale !== null) return refuse(stale);
  const person = currentPerson(draft, by.name);
  if (person === undefined)
    return refuse(
      failure(
        "unknown_person",
        `there is no person ${by.name}; an admin has to add them before they can add passkeys`,
      ),
    );
  const actor = actorText(by);
  const challenge = useChallenge(command.challengeId, draft, now, actor);
  if ("code" in challenge) return refuse(challenge);
  if (challenge.purpose !== "add" || challenge.personId !== person.id)
    return refuse(notProven("this challenge was made for something else; start again"));
  if (draft.get("passkey", given.id) !== undefined)
    return refuse(failure("already_exists", "this passkey is already registered"));
  if ((person.passkeys ?? []).length >= PASSKEYS_MAX)
    return refuse(failure("not_allowed", `a person can have ${PASSKEYS_MAX} passkeys; remove one first`));
  const passkey = { ...given, personId: person.id, madeAt: now };
  draft.state({ kind: "passkey", id: passkey.id, fact: { type: "passkey.added", passkey }, at: now, actor });
  return accept(passkey.id);
}

export function notePasskeyHost({ host, by }: NotePasskeyHost, draft: Draft, { now }: Context): Reply {
  if (draft.get("passkey_host", host) !== undefined) return accept(host);
  const fact = { type: "passkey.host_noted", host } as const;
  draft.state({ kind: "passkey_host", id: host, fact, at: now, actor: actorText(by) });
  return accept(host);
}

/** People remove their own; admins remove anybody's. */
export function removePasskey({ passkeyId: id, by }: RemovePasskey, draft: Draft, { now }: Context): Reply {
  const passkey = draft.get("passkey", id);
  const isOwn = passkey !== undefined && personIdOf(by) === passkey.personId;
  const denied = (isOwn ? null : whyNotManage(by)) ?? whyStale(by, now);
  if (denied !== null) return refuse(denied);
  if (passkey === undefined) return refuse(failure("not_found", "there is no passkey with this id"));
  draft.state({
    kind: "passkey",
    id,
    fact: { type: "passkey.removed", passkey },
    at: now,
    actor: actorText(by),
  });
  return accept(id);
}

export function takeChallenge(command: UseChallenge, draft: Draft, { now }: Context): Reply {
  const { challengeId: id, purpose, by } = command;
  const challenge = useChallenge(id, draft, now, actorText(by));
  if ("code" in challenge) return refuse(challenge);
  if (challenge.purpose === purpose) return accept(id);
  return refuse(notProven("this challenge was made for something else; start again"));
}

export function signInByPasskey(command: SignInByPasskey, draft: Draft, { now }: Context): Reply {
  const personId = draft.get("passkey", command.assertion.credential)?.personId ?? "";
  const actor = `session:${personId}`;
  const used = usePasskey(command.assertion, draft, now, actor);
  if ("code" in used) return refuse(used);
  const person = currentPerson(draft, personId);
  if (person?.status !== "active") return refuse(notProven("this passkey signs nobody in; ask an admin"));
  const who = { name: person.id, role: person.role, how: "passkey" } as const;
  return startSession(command.session, who, command.lastsMs, draft, now);
}
