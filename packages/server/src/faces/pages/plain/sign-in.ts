/** The sign-in page without JavaScript. Passkeys need the pages with it. */

import type { SignInView, SignInWays } from "@holdpoint/protocol";
import { exact, type Html, html, layout, NOTHING } from "./layout.ts";

export function signInPage(view: SignInView): string {
  return layout("Sign in · Holdpoint", html`<main>${bodyOf(view)}</main>`);
}

function bodyOf(view: SignInView): Html {
  switch (view.kind) {
    case "ways":
      return ways(view);
    case "link":
      return html`<h1>Sign in</h1><form method="post" action="/signin/link"><input type="hidden" name="token" value="${exact(view.token)}"><input type="hidden" name="return" value="${exact(view.returnTo)}"><button>Sign in to Holdpoint</button></form>`;
    case "sent":
      return html`<h1>Look into your mailbox</h1><p>If somebody here has this address, a link is on its way to it. It works once, for 15 minutes.</p><p><a href="/signin">Other ways to sign in</a></p>`;
    case "done":
      return html`<h1>You are signed in</h1><p>Go back to the page that you came from.</p><p><a href="/console">Open the console</a></p>`;
  }
}

function ways({ notice, providers, byEmail, returnTo, isFresh }: SignInWays): Html {
  const query = `return=${encodeURIComponent(returnTo)}${isFresh ? "&fresh" : ""}`;
  const links = providers.map(
    ({ name, label }) =>
      html`<p><a class="button" href="/signin/oidc/${name}?${query}">Continue with ${label}</a></p>`,
  );
  const mail = byEmail
    ? html`<form method="post" action="/signin/email"><label for="email">E-mail address</label> <input id="email" name="email" type="email" autocomplete="email" required maxlength="320"><input type="hidden" name="return" value="${exact(returnTo)}"> <button>Send me a link</button></form>`
    : NOTHING;
  return html`<h1>Sign in${isFresh ? " again" : ""}</h1>
${notice === undefined ? NOTHING : html`<p class="notice" role="alert">${notice}</p>`}
${links}${mail}
<p>Open the console link that the server printed when it started, or make a new one with: <code>holdpoint console</code></p>
<p>Signing in with a passkey needs the pages with JavaScript.</p>`;
}
