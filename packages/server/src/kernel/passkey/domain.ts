/** The table of kinds, commands and facts for passkeys and challenges. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, kind } from "../domain.ts";
import { passkeyNeeds } from "./assertion.ts";
import type { PasskeyCommand } from "./commands.ts";
import {
  addPasskey,
  dropChallenge,
  makeChallenge,
  notePasskeyHost,
  removePasskey,
  signInByPasskey,
  takeChallenge,
} from "./decide.ts";
import { PASSKEY_FACTS } from "./facts.ts";
import type { Challenge, Passkey, PasskeyHost } from "./passkey.ts";

export const PASSKEY_KINDS = {
  passkey: kind<Passkey>({
    vouched: ({ personId, publicKey, relyingParty }) => ({ personId, publicKey, relyingParty }),
  }),
  passkey_host: kind<PasskeyHost>(),
  challenge: kind<Challenge>({
    timer: {
      dueAt: ({ expiresAt }) => expiresAt,
      command: (challengeId) => ({ kind: "drop_challenge", challengeId }),
    },
  }),
};

const SETTINGS = { kind: "workspace", id: "settings", read: true } as const;

const commands = {
  /** These check no role: a challenge gives nobody anything, and the person who signs it is checked then. */
  make_challenge: {
    about: "challenge",
    needs: ({ challenge }) => [{ kind: "challenge", id: challenge.id }],
    decide: makeChallenge,
  },
  drop_challenge: {
    about: "challenge",
    needs: ({ challengeId }) => [{ kind: "challenge", id: challengeId }],
    decide: dropChallenge,
  },
  use_challenge: {
    about: "challenge",
    needs: ({ challengeId }) => [{ kind: "challenge", id: challengeId }],
    decide: takeChallenge,
  },
  add_passkey: {
    about: "passkey",
    needs: ({ challengeId, passkey, by }) => [
      SETTINGS,
      { kind: "challenge", id: challengeId },
      { kind: "passkey", id: passkey.id },
      { kind: "person", id: by.name },
    ],
    decide: addPasskey,
  },
  note_passkey_host: managed(
    "passkey_host",
    ({ host }) => [{ kind: "passkey_host", id: host }],
    notePasskeyHost,
  ),
  remove_passkey: {
    about: "passkey",
    needs: ({ passkeyId }, world) => passkeyNeeds(passkeyId, world),
    decide: removePasskey,
  },
  sign_in_by_passkey: {
    about: "session",
    needs: ({ assertion, session }, world) => [
      ...passkeyNeeds(assertion.credential, world),
      { kind: "session", id: session.hash },
    ],
    decide: signInByPasskey,
  },
} satisfies CommandTable<PasskeyCommand>;

export const PASSKEYS = { kinds: PASSKEY_KINDS, commands, facts: PASSKEY_FACTS } satisfies Domain;
