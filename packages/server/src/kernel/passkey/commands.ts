/** Commands about passkeys and challenges. Challenges and ids arrive made, signatures arrive checked. */

import type { NewSession } from "../access/access.ts";
import type { Principal } from "../principal.ts";
import type { Assertion, Challenge, Passkey } from "./passkey.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface MakeChallenge extends By {
  readonly kind: "make_challenge";
  readonly challenge: Challenge;
}

/** The timers' command: deletes a challenge that nobody used in time. */
export interface DropChallenge extends By {
  readonly kind: "drop_challenge";
  readonly challengeId: string;
}

/** Uses up the challenge of a sign-in. The passkey or account that answers it may belong to any workspace. */
export interface UseChallenge extends By {
  readonly kind: "use_challenge";
  readonly challengeId: string;
  /** What the challenge must have been made for. */
  readonly purpose: "sign_in" | "oidc";
}

export interface AddPasskey extends By {
  readonly kind: "add_passkey";
  readonly challengeId: string;
  readonly passkey: Omit<Passkey, "madeAt" | "personId">;
}

export interface RemovePasskey extends By {
  readonly kind: "remove_passkey";
  readonly passkeyId: string;
}

export interface SignInByPasskey extends By {
  readonly kind: "sign_in_by_passkey";
  readonly assertion: Omit<Assertion, "challenge">;
  readonly session: NewSession;
  readonly lastsMs: number;
}

/** The first passkey of this host was added. */
export interface NotePasskeyHost extends By {
  readonly kind: "note_passkey_host";
  readonly host: string;
}

export type PasskeyCommand =
  | NotePasskeyHost
  | MakeChallenge
  | DropChallenge
  | UseChallenge
  | AddPasskey
  | RemovePasskey
  | SignInByPasskey;
