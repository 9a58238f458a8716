/** Whom to name for an answer, in words for people. A name that a client only claimed is never shown as the person. */

import type { Actor } from "./types.ts";

/** G7: said instead of a name where the asking agent could have used the link itself. */
export const ASKERS_LINK = "a link that was given to the asking agent";

/** G5: nobody looked at this call, so nobody is named. */
const GRANT = "a grant for similar calls";

export function deciderWords({ kind, name = "", givenTo }: Pick<Actor, "kind" | "name" | "givenTo">): string {
  if (givenTo === "asker") return ASKERS_LINK;
  if (kind === "grant") return GRANT;
  return name === "" ? kind : name;
}
