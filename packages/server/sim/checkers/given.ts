/** G6, G7: only an answer decides a hold, and it counts for the person who gave it. Whether its reply arrived does not matter. */

import type { Hold } from "../../src/kernel/hold/hold.ts";
import type { Checker } from "./index.ts";

export const given: Checker = ({ sim: { ledger }, holds }) => {
  const complaints: string[] = [];
  for (const [id, hold] of holds) {
    const { outcome, votes = [] } = hold;
    // What a grant decided nobody answered; what people press in chats has a checker of its own.
    const isAnswered = outcome?.kind === "decided" && outcome.by.kind !== "grant";
    const answers = [...votes, ...(isAnswered ? [outcome] : [])].filter(({ door }) => door !== "channel");
    for (const { by, action } of answers)
      if (!ledger.gave([id, intentOf(hold)], by.name, action))
        complaints.push(`${id} counts ${action} by ${by.name ?? "a link"}, who never gave that answer`);
  }
  return complaints;
};

function intentOf(hold: Hold & { readonly intentId?: string }): string {
  return hold.intentId ?? "";
}
