/** G10, G14, G15: an agent runs a call once for each approval, only after somebody or a grant approved it, and people were shown that call. */

import { isDeepStrictEqual } from "node:util";
import type { Checker } from "./index.ts";

export const gated: Checker = ({ sim: { ledger }, holds }) => {
  const complaints: string[] = [];
  const times = new Map<string, number>();
  for (const { holdId, tool, args } of ledger.runs) {
    times.set(holdId, (times.get(holdId) ?? 0) + 1);
    const hold = holds.get(holdId);
    const { outcome } = hold ?? {};
    if (outcome?.kind !== "decided" || outcome.action !== "approve")
      complaints.push(`${tool} ran for ${holdId}, which was not approved`);
    const shown = hold?.ask?.context ?? {};
    if (!isDeepStrictEqual(shown, { tool, arguments: args }))
      complaints.push(
        `${holdId} shows ${JSON.stringify(shown)}, and ${tool} ran with ${JSON.stringify(args)}`,
      );
  }
  for (const [id, count] of times) if (count > 1) complaints.push(`${id} was executed ${count} times`);
  return complaints;
};
