/**
 * Notifies everybody who is signed in to the console. The notification is stated as a fact of the hold, so every open
 * console gets it at once and finds it again later. No token is made, so none is stored (G9).
 */

import type { Channel, ChannelResult, Notice } from "../channel.ts";

/** `refused`: the hold has ended, so there is nothing to notify about. */
export type Posted = "posted" | "refused";

export type PostNotice = (notice: Notice) => Promise<Posted>;

export function consoleChannel(post: PostNotice): Channel {
  return {
    kind: "console",
    signedIn: true,
    async deliver(notice, signal): Promise<ChannelResult> {
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
