/** Signs in with a passkey: the reply sets the session's cookie. */

import { NOT_SIGNED, sign, whyNoPasskey } from "../passkey.ts";

/** `undefined`: signed in. Otherwise what went wrong. */
export async function signInWithPasskey(origin: string | undefined): Promise<string | undefined> {
  const why = whyNoPasskey(origin);
  if (why !== undefined) return why;
  return trySignIn().catch(() => "There is no connection to the server.");
}

async function trySignIn(): Promise<string | undefined> {
  const asked = await fetch("/signin/challenge", { method: "POST" });
  if (!asked.ok) return "There were too many tries; wait a moment.";
  const signed = await sign(await asked.json());
  if (signed === undefined) return NOT_SIGNED;
  const reply = await fetch("/signin/passkey", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(signed),
  });
  if (!reply.ok) return "This passkey does not sign anybody in here. It may have been removed; ask an admin.";
  return undefined;
}
