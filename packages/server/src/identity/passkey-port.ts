/** What the API needs of passkeys. A server without a host name has none. */

import type { PasskeyAttestation, PasskeyProof } from "@holdpoint/protocol";
import type { Result } from "../engine/engine.ts";
import type { Proof } from "../kernel/decision/decision.ts";
import { type Failure, failure } from "../kernel/failure.ts";
import type { ChallengeAnswer } from "../kernel/hold/commands.ts";
import type { Principal } from "../kernel/principal.ts";

export interface Caller {
  readonly workspace: string;
  readonly by: Principal;
}

/** What a browser is asked to sign. */
export interface Asked {
  readonly id: string;
  readonly expiresAt: number;
  readonly publicKey: object;
}

export type AnswerToSign = Omit<ChallengeAnswer, "kind" | "challengeId">;

export interface PasskeyPort {
  /** The options for `navigator.credentials.create()`. */
  toAdd(caller: Caller): Promise<Asked | Failure>;
  add(
    caller: Caller,
    challengeId: string,
    credential: PasskeyAttestation,
    name: string,
  ): Promise<Result<"passkey">>;
  /** The options for signing one answer. */
  toAnswer(answer: AnswerToSign): Promise<Asked | Failure>;
  /** The proof for an answer, checked, or why it proves nothing. */
  proof(workspace: string, signed: PasskeyProof): Promise<Proof | Failure>;
}

export const UNAVAILABLE = failure(
  "passkeys_unavailable",
  "passkeys need a host name, and the public URL of this server has an IP address; set HOLDPOINT_PUBLIC_URL",
);

export const NO_PASSKEYS: PasskeyPort = {
  toAdd: async () => UNAVAILABLE,
  add: async () => ({ ok: false, failure: UNAVAILABLE, hold: undefined }),
  toAnswer: async () => UNAVAILABLE,
  proof: async () => UNAVAILABLE,
};
