/**
 * Uses up an approval for a program that runs the tool itself and reports nothing, such as a coding agent. The claim is taken, so
 * nobody else can use the approval, and its record says that the call was handed over: whether it ran, Holdpoint does not see.
 */

import { type ClaimClient, type Hold, tryOnce } from "../client/index.ts";

/** Returns why the call may not run; `null`: it was handed over. */
export async function handOver(client: ClaimClient, hold: Hold, to: string): Promise<string | null> {
  const attempt = await tryOnce(client, hold, () => ({ handed_over_to: to }));
  switch (attempt.kind) {
    case "ran":
      return null;
    case "recorded":
      return "This approval was already used. Make the same call again to ask for another one.";
    case "refused":
      return `The approval cannot be used: ${attempt.refusal.message}`;
    case "failed":
      throw attempt.error;
  }
}
