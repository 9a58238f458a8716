/** G10, G14: an agent behind the proxy pays at most once for each question, and only for one that a person approved. */

import { PERSON } from "../simulation.ts";
import type { Checker } from "./index.ts";

export const proxied: Checker = ({ sim }) => {
  const complaints: string[] = [];
  for (const [threadId, times] of sim.proxied.paid) {
    if (times > 1) complaints.push(`${threadId} was paid ${times} times`);
    const hold = sim.proxied.holds.get(threadId);
    // Where the client was lost before it was told its hold, the thread's hold is not known.
    if (hold !== undefined && !sim.ledger.gave([hold], PERSON, "approve"))
      complaints.push(`${threadId} was paid although nobody approved it`);
  }
  return complaints;
};
