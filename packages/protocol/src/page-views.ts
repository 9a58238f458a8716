/** Data that the server hands to its pages, drawn on the server or in the browser. */

import type { Ask, JsonObject, Problem } from "./rules/index.ts";
import type { HoldOut, HoldStatus } from "./wire/hold.ts";

/** How an earlier round ended, in words for the reviewer of this one. */
export interface EarlierRound {
  readonly prompt?: string;
  readonly status: HoldStatus;
  readonly action?: string;
  readonly feedback?: string;
  readonly by?: string;
  readonly at: string;
}

export interface ReviewView {
  readonly hold: HoldOut;
  /** `null` once erased. */
  readonly ask: Ask | null;
  /** The URL that the answer form is posted to; absent if there is nothing to answer. */
  readonly answerPath: string;
  readonly dismissPath: string;
  /** The URL where a page with JavaScript reads the hold again and saves a draft; only with a link. */
  readonly statePath?: string;
  readonly draftPath?: string;
  readonly uploadPath?: string;
  /** What a link adds to the URL of a file in the answer; absent in the console. */
  readonly fileQuery?: string;
  /** URLs of the fields' initial values, by key; only this server's own URLs. */
  readonly prefillPaths?: Readonly<Record<string, string>>;
  /** The step of the form when the draft was last saved. */
  readonly step?: number;
  /** The rounds before this one, oldest first; absent in the first. */
  readonly earlier?: readonly EarlierRound[];
  /** The current time, so that the page can show how much time is left. */
  readonly now: number;
  /** The problems of the form that was just posted, and its values. */
  readonly problems: readonly Problem[];
  readonly values: JsonObject;
  /** Whether this person has just answered. */
  readonly justAnswered: boolean;
  /** A message at the top, for example that another person answered first. */
  readonly notice?: string;
  /** The hold wants a passkey: how the page asks for the challenge, and where a browser can sign it. */
  readonly passkey?: PasskeyView;
  /** In the console: who is signed in, and the CSRF token of the forms. */
  readonly console?: { readonly name: string; readonly csrf: string };
}

export interface PasskeyView {
  /** The URL that the form is posted to before it is answered. Absent: the page is not a form. */
  readonly challengePath?: string;
  /** The only origin where a browser can use the passkeys. Absent: this server has none. */
  readonly origin?: string;
}

/** The sign-in page. */
export type SignInView =
  | SignInWays
  /** A link from an e-mail was opened; the person has to press a button. */
  | { readonly kind: "link"; readonly token: string; readonly returnTo: string }
  /** A link by e-mail was asked for. */
  | { readonly kind: "sent" }
  /** Signed in, in a window beside the one that waits for it. */
  | { readonly kind: "done" };

/** The ways in that this server has. */
export interface SignInWays {
  readonly kind: "ways";
  /** Where a browser can use passkeys; absent: this server has none. */
  readonly passkeyOrigin?: string;
  /** Identity providers, with what their buttons say. */
  readonly providers: readonly { readonly name: string; readonly label: string }[];
  /** Links can be sent by e-mail. */
  readonly byEmail: boolean;
  /** The path to go to afterwards. */
  readonly returnTo: string;
  /** The person is signed in and has to prove again who they are. */
  readonly isFresh: boolean;
  readonly notice?: string;
}

/** A page with only a message. */
export interface SimplePage {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

/** Data for a page that needs JavaScript: who is signed in, and what this server allows. */
export interface AppView {
  readonly name: string;
  /** What the person is called; absent: the session's name belongs to no person's row. */
  readonly person?: string;
  readonly role: string;
  readonly csrf: string;
  readonly now: number;
  /** The end of the log when the page was made: its stream of events begins there. Absent from a page that was kept for later. */
  readonly position?: number;
  readonly publicUrl: string;
  readonly version: string;
  /** Whether only this machine can reach the server; then there is a playground. */
  readonly isLocal: boolean;
  /** Whether the person may connect chats and change settings of the server. */
  readonly changesServer: boolean;
  /** Identity providers at which the person can link an account. */
  readonly providers: readonly { readonly name: string; readonly label: string }[];
  /** The URL of the same page without JavaScript. */
  readonly plainPath: string;
}
