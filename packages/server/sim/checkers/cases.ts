/** G1, G2, G5: what an agent polled about a case stays so, says what the hold says, and names an action only if a person decided. */

import type { Checker } from "./index.ts";

const STATUS = { decided: "completed", expired: "expired", cancelled: "cancelled" } as const;

export const cases: Checker = ({ sim: { ledger }, holds }) => {
  const complaints: string[] = [];
  for (const [id, told] of ledger.polled) {
    const outcome = holds.get(id)?.outcome;
    const is = outcome === undefined ? "pending" : STATUS[outcome.kind];
    const action = outcome?.kind === "decided" ? outcome.action : undefined;
    if (told.status !== is || told.action !== action)
      complaints.push(`${id} was polled as ${told.status} ${told.action} and is ${is} ${action}`);
  }
  return complaints;
};
