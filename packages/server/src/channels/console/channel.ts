/**
 * Tells whoever is signed in to the console. The far end is the hold itself: that people were told becomes a fact of it, which
 * every open console hears of at once and finds again later. No token is made, so none rests anywhere (G9).
 */

import type { Channel, Notice, Told } from "../channel.ts";

/** What became of a notice; `refused`: there is nobody to be waited for any more. */
export type Posted = "posted" | "refused";

export type PostNotice = (notice: Notice) => Promise<Posted>;

export function consoleChannel(post: PostNotice): Channel {
  return {
    kind: "console",
    signedIn: true,
    async deliver(notice, signal): Promise<Told> {
      if (signal?.aborted) return { kind: "failed", reason: "stopped", retry: true };
      try {
        const posted = await post(notice);
        return posted === "posted" ? { kind: "sent" } : { kind: "failed", reason: "refused", retry: false };
      } catch {
        return { kind: "failed", reason: "unavailable", retry: true };
      }
    },
  };
}
