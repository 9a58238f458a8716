/**
 * WebAuthn: the options that a browser gets, and the checks of what it returns. The cryptography is checked here; who may do
 * what with it is decided by the kernel.
 *
 * P1  A challenge is a row, used once, for five minutes. For an answer it is the SHA-256 of the canonical JSON of hold, ask
 *     digest, action, answer digest, nonce and expiry, so that a signature counts for exactly this decision.
 * P2  User verification and user presence are required in every ceremony.
 */

import type { PasskeyAssertion, PasskeyAttestation, PasskeyProof } from "@holdpoint/protocol";
import type {
  AuthenticatorTransport,
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from "@simplewebauthn/server";
import { LOG_WORKSPACE } from "../engine/checkpointer.ts";
import type { Engine, Result } from "../engine/engine.ts";
import { whyNotFresh } from "../kernel/access/fresh.ts";
import type { Proof } from "../kernel/decision/decision.ts";
import { type Failure, failure } from "../kernel/failure.ts";
import { CHALLENGE_MS, type Challenge, type Passkey } from "../kernel/passkey/passkey.ts";
import { personIdOf } from "../kernel/people/person.ts";
import { type Principal, SYSTEM } from "../kernel/principal.ts";
import { canonicalJson } from "../system/canonical-json.ts";
import { sha256, tokenHash } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";
import { type AnswerToSign, type Asked, type Caller, type PasskeyPort, UNAVAILABLE } from "./passkey-port.ts";
import { type RelyingParty, relyingPartyOf } from "./relying-party.ts";
import { newSession, SESSION_MS } from "./sign-in.ts";

export interface PasskeyParts {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly publicUrl: string;
}

/** EdDSA, ES256 and RS256, as authenticators have them. */
const ALGORITHMS = [-8, -7, -257];

export class Passkeys implements PasskeyPort {
  readonly #engine: Engine;
  readonly #ids: Ids;
  /** Absent: the public URL is an IP address. */
  readonly relyingParty: RelyingParty | undefined;

  constructor({ engine, ids, publicUrl }: PasskeyParts) {
    this.#engine = engine;
    this.#ids = ids;
    this.relyingParty = relyingPartyOf(publicUrl);
  }

  /** The options for `navigator.credentials.create()`. */
  async toAdd({ workspace, by }: Caller): Promise<Asked | Failure> {
    const stale = whyNotFresh(by, this.#engine.clock.now());
    if (stale !== null) return stale;
    if (this.relyingParty === undefined) return UNAVAILABLE;
    const [person] = await this.#engine.store.load([{ workspace, kind: "person", id: by.name, read: true }]);
    if (person === undefined)
      return failure("unknown_person", `there is no person ${by.name}; an admin has to add them first`);
    const asked = await this.#ask(workspace, by, { purpose: "add", personId: by.name });
    if ("code" in asked) return asked;
    const { id, name, passkeys = [] } = person.body;
    const publicKey = {
      rp: { id: this.relyingParty.id, name: "Holdpoint" },
      user: { id: tokenHash(`${workspace}\n${id}`), name: id, displayName: name },
      challenge: asked.id,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      timeout: CHALLENGE_MS,
      attestation: "none",
      excludeCredentials: passkeys.map((passkey) => ({ type: "public-key", id: passkey })),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
    };
    return { ...asked, publicKey };
  }

  async add(
    { workspace, by }: Caller,
    challengeId: string,
    credential: PasskeyAttestation,
    name: string,
  ): Promise<Result<"passkey">> {
    const made = await this.#registered(challengeId, credential, name);
    if ("code" in made) return { ok: false, failure: made, hold: undefined };
    const added = await this.#engine.run({ kind: "add_passkey", workspace, by, challengeId, passkey: made });
    if (added.ok)
      await this.#engine.run({
        ...({ kind: "note_passkey_host", workspace: LOG_WORKSPACE, by: SYSTEM } as const),
        host: made.relyingParty,
      });
    return added;
  }

  /** Hosts whose passkeys do not work any more, because the public URL names another one. */
  async lostHosts(): Promise<readonly string[]> {
    const query = { workspace: LOG_WORKSPACE, kind: "passkey_host", limit: 100 } as const;
    const hosts = (await this.#engine.store.query(query)).map(({ body }) => body.host);
    return hosts.filter((host) => host !== this.relyingParty?.id);
  }

  async #registered(challenge: string, credential: PasskeyAttestation, name: string) {
    const { relyingParty } = this;
    if (relyingParty === undefined) return UNAVAILABLE;
    try {
      const { verifyRegistrationResponse } = await webAuthn();
      const { registrationInfo: info } = await verifyRegistrationResponse({
        response: credential as object as VerifyRegistrationResponseOpts["response"],
        expectedChallenge: challenge,
        expectedOrigin: relyingParty.origin,
        expectedRPID: relyingParty.id,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (info === undefined) return unproven("the passkey's own signature is wrong");
      const { id, publicKey, counter, transports = [] } = info.credential;
      const key = Buffer.from(publicKey).toString("base64url");
      return { id, publicKey: key, counter, transports, relyingParty: relyingParty.id, name };
    } catch (fault) {
      return unproven(wordsOf(fault));
    }
  }

  /** The options for signing in: any passkey of this host. */
  async toSignIn(): Promise<Asked | Failure> {
    if (this.relyingParty === undefined) return UNAVAILABLE;
    const asked = await this.#ask(LOG_WORKSPACE, SYSTEM, { purpose: "sign_in" });
    return "code" in asked ? asked : { ...asked, publicKey: this.#request(asked.id, []) };
  }

  /** Starts a session for the owner of the passkey, and returns the session's secret. */
  async signIn({ id, credential }: PasskeyProof, device?: string): Promise<SignedIn | Failure> {
    const frame = { workspace: LOG_WORKSPACE, by: SYSTEM, challengeId: id } as const;
    const taken = await this.#engine.run({ kind: "use_challenge", ...frame, purpose: "sign_in" });
    if (!taken.ok) return taken.failure;
    const passkey = await this.#engine.store.find("passkey", credential.id);
    if (passkey === undefined) return unproven("it is not known here");
    const checked = await this.#checked(credential, id, passkey.body);
    if ("code" in checked) return checked;
    const { secret, session } = newSession(this.#ids, this.#engine.clock.now(), device);
    const { workspace } = passkey;
    const assertion = { credential: credential.id, counter: checked.counter };
    const command = { kind: "sign_in_by_passkey", workspace, by: SYSTEM, assertion, session } as const;
    const started = await this.#engine.run({ ...command, lastsMs: SESSION_MS });
    return started.ok ? { secret, lastsMs: SESSION_MS } : started.failure;
  }

  /** The options for signing one answer. The person's own passkeys are named if it is known who they are. */
  async toAnswer(answer: AnswerToSign): Promise<Asked | Failure> {
    if (this.relyingParty === undefined) return UNAVAILABLE;
    const challengeId = `challenge_${this.#ids.next(this.#engine.clock.now())}${this.#ids.salt()}`;
    const made = await this.#engine.run({ ...answer, kind: "challenge_answer", challengeId });
    if (!made.ok) return made.failure;
    const challenge = made.entity.body;
    const known = await this.#passkeysOf(answer);
    const publicKey = this.#request(challengeText(challenge), known);
    return { id: challenge.id, expiresAt: challenge.expiresAt, publicKey };
  }

  async #passkeysOf({ workspace, by }: Caller): Promise<readonly Passkey[]> {
    const id = personIdOf(by);
    if (id === undefined) return [];
    const { store } = this.#engine;
    const [person] = await store.load([{ workspace, kind: "person", id, read: true }]);
    const ids = person?.body.passkeys ?? [];
    const found = await store.load(
      ids.map((one) => ({ workspace, kind: "passkey", id: one, read: true }) as const),
    );
    return found.map(({ body }) => body);
  }

  /** The proof for an answer, checked, or why it proves nothing. */
  async proof(workspace: string, { id, credential }: PasskeyProof): Promise<Proof | Failure> {
    if (this.relyingParty === undefined) return UNAVAILABLE;
    const { store } = this.#engine;
    const [challenge] = await store.load([{ workspace, kind: "challenge", id, read: true }]);
    if (challenge === undefined) return unproven("the challenge was used before or has expired");
    const [passkey] = await store.load([{ workspace, kind: "passkey", id: credential.id, read: true }]);
    if (passkey === undefined) return unproven("it is not known here");
    const text = challengeText(challenge.body);
    const checked = await this.#checked(credential, text, passkey.body);
    if ("code" in checked) return checked;
    const { authenticatorData, clientDataJSON, signature } = credential.response;
    const evidence = {
      challenge: challenge.body.purpose === "answer" ? { ...challenge.body.decision } : text,
      authenticator_data: authenticatorData,
      client_data: clientDataJSON,
      signature,
      public_key: passkey.body.publicKey,
      relying_party: passkey.body.relyingParty,
    };
    return { kind: "passkey", challenge: id, credential: credential.id, counter: checked.counter, evidence };
  }

  async #ask(
    workspace: string,
    by: Principal,
    what: Asking,
  ): Promise<{ readonly id: string; readonly expiresAt: number } | Failure> {
    const id = this.#ids.token();
    const expiresAt = this.#engine.clock.now() + CHALLENGE_MS;
    const challenge = { id, expiresAt, ...what };
    const made = await this.#engine.run({ kind: "make_challenge", workspace, by, challenge });
    return made.ok ? { id, expiresAt } : made.failure;
  }

  #request(challenge: string, passkeys: readonly Passkey[]): object {
    return {
      challenge,
      rpId: this.relyingParty?.id,
      timeout: CHALLENGE_MS,
      userVerification: "required",
      allowCredentials: passkeys.map(({ id, transports }) => ({ type: "public-key", id, transports })),
    };
  }

  async #checked(
    credential: PasskeyAssertion,
    challenge: string,
    { id, publicKey, counter, transports, relyingParty: host }: Passkey,
  ): Promise<{ readonly counter: number } | Failure> {
    const { relyingParty } = this;
    if (relyingParty === undefined) return UNAVAILABLE;
    if (host !== relyingParty.id) return unproven(`it was made for ${host}, and this is ${relyingParty.id}`);
    try {
      const { verifyAuthenticationResponse } = await webAuthn();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: credential as object as VerifyAuthenticationResponseOpts["response"],
        expectedChallenge: challenge,
        expectedOrigin: relyingParty.origin,
        expectedRPID: relyingParty.id,
        credential: {
          ...{ id, counter, publicKey: Uint8Array.from(Buffer.from(publicKey, "base64url")) },
          transports: transports as AuthenticatorTransport[],
        },
        requireUserVerification: true,
      });
      return verified ? { counter: authenticationInfo.newCounter } : unproven("its signature is wrong");
    } catch (fault) {
      return unproven(wordsOf(fault));
    }
  }
}

/** Loaded with the first ceremony: the library and its parsers are a tenth of what a server would load at start. */
function webAuthn(): Promise<typeof import("@simplewebauthn/server")> {
  return import("@simplewebauthn/server");
}

interface SignedIn {
  readonly secret: string;
  readonly lastsMs: number;
}

type Asking = { readonly purpose: "sign_in" } | { readonly purpose: "add"; readonly personId: string };

/** What the authenticator signs: the digest of the decision, or a random challenge. */
function challengeText(challenge: Challenge): string {
  if (challenge.purpose !== "answer") return challenge.id;
  return sha256(canonicalJson(challenge.decision)).slice("sha256:".length);
}

function unproven(why: string): Failure {
  return failure("not_proven", `the passkey proves nothing: ${why}; try again`);
}

function wordsOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
