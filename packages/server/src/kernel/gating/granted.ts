/** Whether a grant still counts, for the next call and for calls that it has allowed and that were not executed yet. */

import type { Hold } from "../hold/hold.ts";
import { must } from "../must.ts";
import type { World } from "../world.ts";
import type { Grant } from "./gating.ts";

export const GRANTED_REASON = "A person allowed similar calls in advance.";

/** Not revoked, not over, and asked by the same rule. */
export function isValid({ revokedAt, until, ruleDigest }: Grant, asking: string, now: number): boolean {
  return revokedAt === undefined && until > now && ruleDigest === asking;
}

/** The id of the grant that decided the hold; `undefined`: a person did, or nobody. */
export function grantIdOf({ outcome }: Hold): string | undefined {
  return outcome?.kind === "decided" && outcome.by.kind === "grant" ? outcome.by.id : undefined;
}

export function grantOf(hold: Hold, world: World): Grant | undefined {
  const id = grantIdOf(hold);
  return id === undefined ? undefined : must(world.get("grant", id), `grant ${id}`);
}
