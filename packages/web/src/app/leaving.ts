/** A person who signs out leaves nothing in this browser that the next person could read, in no tab. */

import { forgetOthers, KEPT_FOR, readerOf } from "../worker/what.ts";
import type { AppState } from "./api.ts";

const CHANNEL = "holdpoint.signed-out";
/** Kept for one tab: the playground's key and conversation. */
const OF_TAB = ["holdpoint.playground", "holdpoint.agui-thread"];

let channel: BroadcastChannel | undefined;
/** One for the page: it hears of other tabs, and not of itself. */
function shared(): BroadcastChannel {
  channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

/** Tells when the person has signed out in another tab. */
export function onLeft(heard: () => void): () => void {
  const listener = () => {
    forgetTab();
    heard();
  };
  shared().addEventListener("message", listener);
  return () => shared().removeEventListener("message", listener);
}

function forgetTab(): void {
  try {
    for (const name of OF_TAB) sessionStorage.removeItem(name);
  } catch {
    // A browser that refuses to keep anything has kept nothing.
  }
}

/** Before signing out: nothing kept is left, and the other tabs show nothing any more. */
export async function leaveNothing(): Promise<void> {
  forgetTab();
  if ("caches" in globalThis) await forgetOthers(caches).catch(() => undefined);
  shared().postMessage("signed out");
  // Shown again by "back" without being loaded: it would be as it was left.
  addEventListener("pageshow", () => location.reload());
}

/** What others have read is deleted before this person sees a page. */
export async function keepReading({ name, csrf }: Pick<AppState, "name" | "csrf">): Promise<void> {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const reader = await readerOf(name, csrf);
  await forgetOthers(caches, reader).catch(() => undefined);
  navigator.serviceWorker
    .register(`/console-worker.js?${KEPT_FOR}=${reader}`, { scope: "/console" })
    .catch(() => undefined);
}
