/** G10, G14: an agent behind the proxy pays at most once for each question, and only for one that a person approved. */

import type { Checker } from "./index.ts";

export const proxied: Checker = ({ sim, holds }) => {
  const complaints: string[] = [];
  for (const [threadId, times] of sim.proxied.paid) {
    if (times > 1) complaints.push(`${threadId} was paid ${times} times`);
    const outcome = holds.get(sim.proxied.holds.get(threadId) ?? "")?.outcome;
    // Where the client was lost before it was told its hold, the thread's hold is not known.
    if (!sim.proxied.holds.has(threadId)) continue;
    if (outcome?.kind !== "decided" || outcome.action !== "approve")
      complaints.push(`${threadId} was paid although its question ended as ${outcome?.kind ?? "nothing"}`);
  }
  return complaints;
};
