/** A review link: one row per recipient and delivery. Only the SHA-256 hash of its token is stored (G9). */

import type { Platform } from "../platform.ts";
import type { Principal } from "../principal.ts";
import type { World } from "../world.ts";
import type { Hold } from "./hold.ts";

export interface Link {
  readonly id: string;
  readonly holdId: string;
  /** Base64url SHA-256 of the token. */
  readonly hash: string;
  /**
   * `review` opens the page and answers; `submit` answers inline with one of `actions` and does nothing else; `read` reads
   * the state and the result of a case and does nothing else.
   */
  readonly purpose: "review" | "submit" | "read";
  readonly actions?: readonly string[];
  /** The person it was made for. A link given to the asker has none. */
  readonly recipient?: string;
  /**
   * The id of that person, if the directory knew them when the link was made: their address may change later, or be erased with
   * them. Absent in rows that earlier versions wrote.
   */
  readonly personId?: string;
  /** Absent in rows that earlier versions wrote: `isGivenToAsker` decides for them. */
  readonly givenTo?: "asker" | "people";
  readonly channel?: string;
  readonly attempt?: number;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly revokedAt?: number;
}

/**
 * The id of a link row: its hold, then its hash. With the hash alone, links made together would be scattered over a
 * store that orders rows by id. Every caller with a link also knows its hold.
 */
export function linkId(holdId: string, hash: string): string {
  return `${holdId}.${hash}`;
}

/** The link that a command was sent through, if any. */
export function linkBy(
  { holdId, linkHash }: { readonly holdId: string; readonly linkHash?: string },
  world: World,
): Link | undefined {
  return linkHash === undefined ? undefined : world.get("link", linkId(holdId, linkHash));
}

/** Whether this principal placed the hold: under the same name, or with the same key under another one. */
export function isAsker({ createdBy, creatorKey }: Hold, by: Principal): boolean {
  return by.name === createdBy || by.id === creatorKey;
}

/**
 * Whether the asker made this link or received it. A row without `givenTo`, from an earlier version, counts as the
 * asker's if it names no recipient or if the asker made it.
 */
export function isGivenToAsker({ givenTo, recipient, madeBy }: Link, hold: Hold): boolean {
  if (givenTo !== undefined) return givenTo === "asker";
  const { createdBy, creatorKey } = hold;
  return recipient === undefined || madeBy === `key:${createdBy}` || madeBy === `session:${creatorKey}`;
}

/** The person that an answer through this link counts as. A link given to the asker counts as nobody (G7). */
export function personOf(link: Link, hold: Hold): string | undefined {
  return isGivenToAsker(link, hold) ? undefined : link.recipient;
}

/** Replaces the name of a caller with a link by the person the link was made for. */
export function throughLink(by: Principal, hold: Hold, link: Link | undefined): Principal {
  if (by.role !== "reviewer" || link === undefined) return by;
  const named = { ...by, name: personOf(link, hold) ?? "" };
  return isGivenToAsker(link, hold) ? { ...named, givenTo: "asker" } : named;
}

/** G7: the asker receives links only if the hold says so and the operator allows it. */
export function givesLinksToAsker(
  { links, face }: Pick<Hold, "links" | "face">,
  { agentLinks }: Pick<Platform, "agentLinks">,
): boolean {
  if (links !== "agent") return false;
  return agentLinks === "always" || (agentLinks === "hitl" && face?.["name"] === HITL_FACE);
}

/** `face.name` of a hold that is a HITL case: that protocol gives the link to the agent. */
export const HITL_FACE = "hitl";
