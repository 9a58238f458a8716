/**
 * Tokens for browsers. An app's server makes one with its key and hands it to a page, which then reads and answers one hold, or the
 * inbox of one person.
 *
 * B1  A token stands for one person, ends after an hour at the latest, and can be revoked. Only the hash of it is stored.
 * B2  Its answers have the strength `link`: the maker says who the person is, and nothing else proves it.
 * B3  An app's token reaches only holds that the app placed itself. An inbox has only those holds that name the person in
 *     `metadata.person`, so that a user does not see the questions of another.
 * B4  An operator's or admin's token is for a person of the directory, and reaches the holds that the person is asked about.
 */

import type { Hold } from "../hold/hold.ts";
import type { Principal } from "../principal.ts";

/** What a token reaches. */
export interface Reach {
  readonly person: string;
  /** The person's teams when the token was made. */
  readonly teams: readonly string[];
  /** Absent: the inbox of the person. */
  readonly holdId?: string;
}

export interface BrowserToken {
  readonly id: string;
  readonly hash: string;
  readonly reach: Reach;
  /** The key or session that made it. */
  readonly maker: Pick<Principal, "role" | "id" | "name">;
  /** Pages of these origins may use it; absent: of any. */
  readonly origins?: readonly string[];
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly revokedAt?: number;
}

export const LASTS_MAX_MS = 3_600_000;

/** Who acts with the token (B2). */
export function principalOf({ id, maker, reach }: BrowserToken): Principal {
  if (maker.role === "app")
    return { role: "app", via: "key", id, name: maker.name, claimed: { id: reach.person }, reach };
  return { role: "operator", via: "link", id, name: reach.person, reach };
}

/** Whether the hold is within what the token reaches (B3, B4). Whether the role may see it is checked besides. */
export function isWithin(hold: Hold, { role }: Pick<Principal, "role">, reach: Reach): boolean {
  if (reach.holdId !== undefined) return reach.holdId === hold.id;
  if (role === "app") return hold.metadata?.["person"] === reach.person;
  const { answerers, decision } = hold;
  if (decision !== undefined)
    return decision.approve.some(({ from }) => from.some((who) => isNamed(who, reach)));
  return answerers === undefined || answerers.includes(reach.person);
}

function isNamed(who: string, { person, teams }: Reach): boolean {
  return who === `person:${person}` || teams.some((team) => who === `team:${team}`);
}
