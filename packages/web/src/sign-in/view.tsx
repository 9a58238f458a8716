/** The sign-in page. The server draws it; the passkey button needs script. */

import type { SignInView } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Mark } from "../mark.tsx";
import { NOT_SIGNED, sign, whyNoPasskey } from "../passkey.ts";
import { ThemeToggle } from "../theme-toggle.tsx";

export function SignInPage({ passkeyOrigin, notice }: SignInView): ReactNode {
  const [trouble, setTrouble] = useState(notice);
  async function onPasskey(): Promise<void> {
    const why = whyNoPasskey(passkeyOrigin);
    setTrouble(why);
    if (why !== undefined) return;
    setTrouble(await signIn().catch(() => "There is no connection to the server."));
  }
  return (
    <div className="web-page">
      <header className="web-bar">
        <Mark />
        <ThemeToggle />
      </header>
      <main className="web-simple">
        <h1>Sign in</h1>
        {trouble === undefined ? null : (
          <p className="hp-notice" role="status">
            {trouble}
          </p>
        )}
        <p>
          <button type="button" className="hp-button hp-primary" onClick={() => void onPasskey()}>
            Sign in with a passkey
          </button>
        </p>
        <noscript>
          <p>Signing in with a passkey needs JavaScript.</p>
        </noscript>
        <p>
          Or open the console link that the server printed when it started. A new one is made with:{" "}
          <code>holdpoint console</code>
        </p>
      </main>
    </div>
  );
}

/** Goes to the console, or returns what went wrong. */
async function signIn(): Promise<string | undefined> {
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
  location.assign(((await reply.json()) as { location: string }).location);
  return undefined;
}
