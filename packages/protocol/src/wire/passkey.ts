/** Passkeys of people, and the options and replies of the browser's WebAuthn calls. */

import * as z from "zod";
import { Id, list, OpenObject, Time } from "./base.ts";

const Bytes = z.string().max(20_000).describe("base64url.");
/** An authenticator may make ids of up to 1,023 bytes. */
export const PasskeyId = z.string().min(1).max(1400);

const CREDENTIAL = {
  id: PasskeyId,
  rawId: PasskeyId,
  type: z.literal("public-key"),
  clientExtensionResults: OpenObject,
  authenticatorAttachment: z.string().max(100).exactOptional(),
};

export const PasskeyAssertion = z
  .strictObject({
    ...CREDENTIAL,
    response: z.strictObject({
      authenticatorData: Bytes,
      clientDataJSON: Bytes,
      signature: Bytes,
      userHandle: z.union([Bytes, z.null()]).exactOptional(),
    }),
  })
  .describe("What `navigator.credentials.get()` returned, as its `toJSON()` writes it.");
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const PasskeyAttestation = z
  .strictObject({
    ...CREDENTIAL,
    response: z.looseObject({
      attestationObject: Bytes,
      clientDataJSON: Bytes,
      transports: list(z.string().max(50), { max: 20 }).exactOptional(),
    }),
  })
  .describe("What `navigator.credentials.create()` returned, as its `toJSON()` writes it.");
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

export const PasskeyChallengeOut = z.strictObject({
  id: Id.describe("Goes back with what the browser returned. It can be used once, for five minutes."),
  public_key: OpenObject.describe("The options of the browser's call, as JSON."),
  expires_at: Time,
});
export type PasskeyChallengeOut = z.infer<typeof PasskeyChallengeOut>;

export const PasskeyIn = z.strictObject({
  id: Id.describe("The id of the challenge."),
  credential: PasskeyAttestation,
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^\P{Cc}+$/u, "Invalid name: control characters")
    .exactOptional()
    .describe("What people call it: `Laptop`, `Blue key`."),
});
export type PasskeyIn = z.infer<typeof PasskeyIn>;

export const PasskeyProof = z
  .strictObject({ id: Id.describe("The id of the challenge."), credential: PasskeyAssertion })
  .describe("A passkey's signature over exactly this answer; see `POST /v1/holds/{id}/challenge`.");
export type PasskeyProof = z.infer<typeof PasskeyProof>;

export const PasskeyOut = z.strictObject({
  id: PasskeyId,
  person: Id,
  name: z.string(),
  host: z.string().describe("The host name that it was made for. It works on no other."),
  created_at: Time,
  last_used_at: Time.exactOptional(),
});
export type PasskeyOut = z.infer<typeof PasskeyOut>;

export const PasskeyListOut = z.strictObject({ passkeys: list(PasskeyOut) });
export type PasskeyListOut = z.infer<typeof PasskeyListOut>;
