/** The texts of pages that show only a message. */

import type { SimplePage } from "@holdpoint/protocol";

export const WRONG_LINK: SimplePage = {
  title: "This link does not work",
  text: "It may be incomplete, or was replaced or revoked. Open the newest message you got about it.",
};

export const SIGN_IN_NEEDED: SimplePage = {
  title: "Sign in first",
  text: "Open the console link that the server printed when it started, or make a new one with: holdpoint console",
  link: { href: "/signin", label: "Ways to sign in" },
};

export const SIGNED_OUT: SimplePage = {
  title: "You are signed out",
  text: "Nobody can use the console in this browser until somebody signs in again.",
  link: { href: "/signin", label: "Sign in again" },
};

export const SIGN_IN_FAILED: SimplePage = {
  title: "This sign-in link is used up",
  text: "Each works once, for a while. Make a new one with: holdpoint console",
  link: { href: "/signin", label: "Other ways to sign in" },
};

export const LOCAL_ONLY: SimplePage = {
  title: "Only on your own machine",
  text: "The playground makes keys and asks for trial. This server is reached from elsewhere, so it has none.",
};

export function tooManyTries(retryAfterSeconds: number): SimplePage {
  return { title: "Too many tries", text: `Come back in ${retryAfterSeconds} seconds.` };
}
