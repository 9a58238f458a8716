/** The sign-in page. The server draws it; only the passkey button needs script. */

import type { SignInView, SignInWays } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Mark } from "../mark.tsx";
import { ThemeToggle } from "../theme-toggle.tsx";
import { signInWithPasskey } from "./with-passkey.ts";

export function SignInPage(view: SignInView): ReactNode {
  return (
    <div className="web-page">
      <header className="web-bar">
        <Mark />
        <ThemeToggle />
      </header>
      <main>{view.kind === "ways" ? <Ways {...view} /> : <Step {...view} />}</main>
    </div>
  );
}

function Ways({ passkeyOrigin, providers, byEmail, returnTo, isFresh, notice }: SignInWays): ReactNode {
  const [trouble, setTrouble] = useState(notice);
  async function onPasskey(): Promise<void> {
    const why = await signInWithPasskey(passkeyOrigin);
    setTrouble(why);
    if (why === undefined) location.assign(returnTo);
  }
  const query = `return=${encodeURIComponent(returnTo)}${isFresh ? "&fresh" : ""}`;
  return (
    <>
      <section className="sign-in-card">
        <h1>{isFresh ? "Sign in again" : "Sign in"}</h1>
        <p>
          {isFresh
            ? "What you are about to do needs a sign-in within the last 10 minutes."
            : "Decide what your agents may do."}
        </p>
        {trouble === undefined ? null : (
          <p className="hp-notice hp-bad" role="alert">
            {trouble}
          </p>
        )}
        <ul className="sign-in-ways">
          {providers.map(({ name, label }) => (
            <li key={name}>
              <a className="hp-button" href={`/signin/oidc/${name}?${query}`}>
                Continue with {label}
              </a>
            </li>
          ))}
          {passkeyOrigin === undefined ? null : (
            <li>
              <button type="button" className="hp-button hp-primary" onClick={() => void onPasskey()}>
                Sign in with a passkey
              </button>
              <noscript>
                <p>Signing in with a passkey needs JavaScript.</p>
              </noscript>
            </li>
          )}
          {byEmail ? (
            <li>
              <form className="sign-in-mail" method="post" action="/signin/email">
                <label htmlFor="email">E-mail address</label>
                <input id="email" name="email" type="email" autoComplete="email" required maxLength={320} />
                <input type="hidden" name="return" value={returnTo} />
                <button type="submit" className="hp-button">
                  Send me a link
                </button>
              </form>
            </li>
          ) : null}
        </ul>
      </section>
      <p className="sign-in-below">
        On the server's own machine: open the console link that it printed when it started, or make a new one
        with <code>holdpoint console</code>
      </p>
    </>
  );
}

function Step(view: Exclude<SignInView, SignInWays>): ReactNode {
  switch (view.kind) {
    case "link":
      return (
        <section className="sign-in-card">
          <h1>Sign in</h1>
          <p>The link works once.</p>
          <form method="post" action="/signin/link">
            <input type="hidden" name="token" value={view.token} />
            <input type="hidden" name="return" value={view.returnTo} />
            <button type="submit" className="hp-button hp-primary">
              Sign in to Holdpoint
            </button>
          </form>
        </section>
      );
    case "sent":
      return (
        <section className="sign-in-card">
          <h1>Look into your mailbox</h1>
          <p>If somebody here has this address, a link is on its way to it. It works once, for 15 minutes.</p>
          <a className="hp-button" href="/signin">
            Other ways to sign in
          </a>
        </section>
      );
    case "done":
      return (
        <section className="sign-in-card">
          <h1>You are signed in</h1>
          <p>Go back to the page that you came from. It goes on by itself, and you can close this one.</p>
          <a className="hp-button" href="/console">
            Open the console here
          </a>
        </section>
      );
  }
}
