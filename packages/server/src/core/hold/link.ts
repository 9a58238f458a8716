/** A review link: one row per recipient and delivery. Only the SHA-256 of its token is kept (G9). */

import type { World } from "../world.ts";

export interface Link {
  readonly id: string;
  readonly holdId: string;
  /** Base64url SHA-256 of the token. */
  readonly hash: string;
  /** `review` opens the page and answers; `submit` answers inline with one of `actions`, as a bearer only. */
  readonly purpose: "review" | "submit";
  readonly actions?: readonly string[];
  readonly recipient?: string;
  readonly channel?: string;
  readonly attempt?: number;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly revokedAt?: number;
}

/**
 * What a link is kept under: its hold, then its hash. Hashes alone would scatter what is made together over the whole of a
 * store that keeps its rows in the order of their ids; and whoever comes by a link knows its hold.
 */
export function linkId(holdId: string, hash: string): string {
  return `${holdId}.${hash}`;
}

/** The link that a command says it came by, if there is one. */
export function linkBy(
  { holdId, linkHash }: { readonly holdId: string; readonly linkHash?: string },
  world: World,
): Link | undefined {
  return linkHash === undefined ? undefined : world.get("link", linkId(holdId, linkHash));
}
