/** The browser's part of a passkey: options from the server in, what the authenticator signed out. */

import type { PasskeyChallengeOut } from "@holdpoint/protocol";

/** Why no passkey can be used on this page, or `undefined` if one can. */
export function whyNoPasskey(origin: string | undefined): string | undefined {
  if (origin === undefined)
    return "This server has no host name, and passkeys need one. Ask its operator to set the public URL.";
  if (location.origin !== origin) return `Passkeys work only at ${origin}. Open this page there.`;
  if (typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== "function")
    return "This browser cannot use passkeys. Use a newer one.";
  return undefined;
}

interface Signed {
  readonly id: string;
  readonly credential: unknown;
}

/** Asks the person to sign the challenge. `undefined`: they declined, or no passkey of theirs is here. */
export async function sign(asked: PasskeyChallengeOut): Promise<Signed | undefined> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(asked.public_key as never);
  return signed(asked.id, navigator.credentials.get({ publicKey: options }));
}

export async function create(asked: PasskeyChallengeOut): Promise<Signed | undefined> {
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(asked.public_key as never);
  return signed(asked.id, navigator.credentials.create({ publicKey: options }));
}

async function signed(id: string, asking: Promise<Credential | null>): Promise<Signed | undefined> {
  try {
    const credential = (await asking) as PublicKeyCredential | null;
    return credential === null ? undefined : { id, credential: credential.toJSON() };
  } catch (fault) {
    // The browser says the same for "declined", "timed out" and "none here", so that no page can tell them apart.
    if (fault instanceof DOMException) return undefined;
    throw fault;
  }
}

export const NOT_SIGNED = "Nothing was sent: no passkey confirmed it. Try again.";
