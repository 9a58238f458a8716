/** Pages that have nothing to decide on: a link that does not work, a sign-in that is needed. */

import type { ReactNode } from "react";
import { Mark } from "../mark.tsx";

export type SimplePage =
  | { readonly kind: "wrong_link" }
  | { readonly kind: "too_many"; readonly retryAfterSeconds: number }
  | { readonly kind: "sign_in_needed" }
  | { readonly kind: "sign_in_failed" };

function wordsOf(page: SimplePage): readonly [string, string] {
  switch (page.kind) {
    case "wrong_link":
      return [
        "This link does not work",
        "It may be incomplete, or was replaced or revoked. Open the newest message you got about it.",
      ];
    case "too_many":
      return ["Too many tries", `Come back in ${page.retryAfterSeconds} seconds.`];
    case "sign_in_needed":
      return [
        "Sign in first",
        "Open the console link that the server printed when it started, or make a new one with: holdpoint console",
      ];
    case "sign_in_failed":
      return [
        "This sign-in link is used up",
        "Each works once, for a while. Make a new one with: holdpoint console",
      ];
  }
}

export function SimpleView({ page }: { readonly page: SimplePage }): ReactNode {
  const [title, text] = wordsOf(page);
  return (
    <div className="web-page">
      <header className="web-bar">
        <Mark />
      </header>
      <main className="web-simple">
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
    </div>
  );
}
