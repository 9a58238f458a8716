/** Who decided a hold, in the words of an intent's log. */

import type { Outcome } from "../../../kernel/hold/hold.ts";

export type Decided = Extract<Outcome, { readonly kind: "decided" }>;

/** A link in the asker's hands stands for nobody, so the name that came with it is the asker's word (G7). */
export function deciderOf({ by }: Decided): string {
  const claimed = by.givenTo === undefined ? by.claimed?.["name"] : undefined;
  return typeof claimed === "string" ? claimed : (by.name ?? by.id);
}
