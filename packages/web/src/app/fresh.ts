/** A fresh sign-in for dangerous settings: what was pressed waits, and goes on with the new session. */

import { SIGNED_IN_CHANNEL } from "../sign-in/channel.ts";

/** What the page knows of the session, asked again after a sign-in in another window. */
export interface SessionState {
  readonly name: string;
  readonly csrf: string;
  readonly signed_in_at: string;
}

/** How long a sign-in counts as fresh, a little less than on the server. */
const FRESH_MS = 9.5 * 60_000;

type Ask = (settle: (isFresh: boolean) => void) => void;
let ask: Ask | undefined;

/** The dialog registers itself here. */
export function onFreshNeeded(show: Ask): () => void {
  ask = show;
  return () => {
    if (ask === show) ask = undefined;
  };
}

/** Resolves to the new session's token, or to `undefined` if the person leaves it. */
export async function freshSignIn(): Promise<string | undefined> {
  const show = ask;
  if (show === undefined) return undefined;
  const isFresh = await new Promise<boolean>((settle) => show(settle));
  return isFresh ? (await sessionState())?.csrf : undefined;
}

export async function sessionState(): Promise<SessionState | undefined> {
  const reply = await fetch("/signin/session", { credentials: "same-origin" }).catch(() => undefined);
  return reply?.ok === true ? ((await reply.json()) as SessionState) : undefined;
}

/** Whether this person has signed in again. Another person's session must not finish what this one began. */
export function isFreshFor(name: string, state: SessionState | undefined, now: number): boolean {
  return state?.name === name && now - Date.parse(state.signed_in_at) < FRESH_MS;
}

/** Tells the other windows of this browser that this one was opened, perhaps with a new session, and hears of later ones. */
export function tellOpened(heard: () => void): () => void {
  const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
  channel.addEventListener("message", heard);
  channel.postMessage("signed in");
  return () => channel.close();
}

/** Tells when somebody has signed in in another window, or comes back to this one. */
export function onPerhapsSignedIn(heard: () => void): () => void {
  const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
  channel.addEventListener("message", heard);
  addEventListener("focus", heard);
  return () => {
    channel.close();
    removeEventListener("focus", heard);
  };
}
