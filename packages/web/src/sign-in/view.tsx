/** The sign-in page. The server draws it; only the passkey button needs script. */

import type { SignInView, SignInWays } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Mark } from "../mark.tsx";
import { ThemeToggle } from "../theme-toggle.tsx";
import { signInWithPasskey } from "./with-passkey.ts";

const WORDS = {
  signAgain: "Sign in again",
  sign: "Sign in",
  whatYouAre: "What you are about to do needs a sign-in within the last 10 minutes.",
  decideWhatYour: "Decide what your agents may do.",
  continueWith: (label: string | number) => `Continue with ${label}`,
  signWithPasskey: "Sign in with a passkey",
  signingWithPasskey: "Signing in with a passkey needs JavaScript.",
  eMailAddress: "E-mail address",
  sendMeLink: "Send me a link",
  serversOwnMachine:
    "On the server's own machine: open the console link that it printed when it started, or make a new one with",
  holdpointConsole: "holdpoint console",
  linkWorksOnce: "The link works once.",
  signHoldpoint: "Sign in to Holdpoint",
  lookIntoYour: "Look into your mailbox",
  ifSomebodyHere:
    "If somebody here has this address, a link is on its way to it. It works once, for 15 minutes.",
  otherWaysSign: "Other ways to sign in",
  youAreSigned: "You are signed in",
  goBackPage: "Go back to the page that you came from. It goes on by itself, and you can close this one.",
  openConsoleHere: "Open the console here",
};

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
        <h1>{isFresh ? WORDS.signAgain : WORDS.sign}</h1>
        <p>{isFresh ? WORDS.whatYouAre : WORDS.decideWhatYour}</p>
        {trouble === undefined ? null : (
          <p className="hp-notice hp-bad" role="alert">
            {trouble}
          </p>
        )}
        <ul className="sign-in-ways">
          {providers.map(({ name, label }) => (
            <li key={name}>
              <a className="hp-button" href={`/signin/oidc/${name}?${query}`}>
                {WORDS.continueWith(label)}
              </a>
            </li>
          ))}
          {passkeyOrigin === undefined ? null : (
            <li>
              <button type="button" className="hp-button hp-primary" onClick={() => void onPasskey()}>
                {WORDS.signWithPasskey}
              </button>
              <noscript>
                <p>{WORDS.signingWithPasskey}</p>
              </noscript>
            </li>
          )}
          {byEmail ? (
            <li>
              <form className="sign-in-mail" method="post" action="/signin/email">
                <label htmlFor="email">{WORDS.eMailAddress}</label>
                <input id="email" name="email" type="email" autoComplete="email" required maxLength={320} />
                <input type="hidden" name="return" value={returnTo} />
                <button type="submit" className="hp-button">
                  {WORDS.sendMeLink}
                </button>
              </form>
            </li>
          ) : null}
        </ul>
      </section>
      <p className="sign-in-below">
        {WORDS.serversOwnMachine} <code>{WORDS.holdpointConsole}</code>
      </p>
    </>
  );
}

function Step(view: Exclude<SignInView, SignInWays>): ReactNode {
  switch (view.kind) {
    case "link":
      return (
        <section className="sign-in-card">
          <h1>{WORDS.sign}</h1>
          <p>{WORDS.linkWorksOnce}</p>
          <form method="post" action="/signin/link">
            <input type="hidden" name="token" value={view.token} />
            <input type="hidden" name="return" value={view.returnTo} />
            <button type="submit" className="hp-button hp-primary">
              {WORDS.signHoldpoint}
            </button>
          </form>
        </section>
      );
    case "sent":
      return (
        <section className="sign-in-card">
          <h1>{WORDS.lookIntoYour}</h1>
          <p>{WORDS.ifSomebodyHere}</p>
          <a className="hp-button" href="/signin">
            {WORDS.otherWaysSign}
          </a>
        </section>
      );
    case "done":
      return (
        <section className="sign-in-card">
          <h1>{WORDS.youAreSigned}</h1>
          <p>{WORDS.goBackPage}</p>
          <a className="hp-button" href="/console">
            {WORDS.openConsoleHere}
          </a>
        </section>
      );
  }
}
