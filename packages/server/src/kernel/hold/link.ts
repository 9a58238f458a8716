/** A review link: one row per recipient and delivery. Only the SHA-256 of its token is kept (G9). */

import type { Platform } from "../platform.ts";
import type { Principal } from "../principal.ts";
import type { World } from "../world.ts";
import type { Hold } from "./hold.ts";

export interface Link {
  readonly id: string;
  readonly holdId: string;
  /** Base64url SHA-256 of the token. */
  readonly hash: string;
  /** `review` opens the page and answers; `submit` answers inline with one of `actions`, as a bearer only. */
  readonly purpose: "review" | "submit";
  readonly actions?: readonly string[];
  /** The person it was made for. A link that was given to the asker has none. */
  readonly recipient?: string;
  /** Rows that were written before this was recorded lack it: `isGivenToAsker` decides about them. */
  readonly givenTo?: "asker" | "people";
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

/** Whether this principal placed the hold: under the same name, or with the same key under another one. */
export function isAsker({ createdBy, creatorKey }: Hold, by: Principal): boolean {
  return by.name === createdBy || by.id === creatorKey;
}

/**
 * Whether the asker made this link or was handed it. A row from before `givenTo` was recorded counts as the asker's if it names
 * nobody, or if it names somebody but the asker made it.
 */
export function isGivenToAsker({ givenTo, recipient, madeBy }: Link, hold: Hold): boolean {
  if (givenTo !== undefined) return givenTo === "asker";
  const { createdBy, creatorKey } = hold;
  return recipient === undefined || madeBy === `key:${createdBy}` || madeBy === `session:${creatorKey}`;
}

/** The person whom an answer by this link counts for; a link in the asker's hands stands for nobody (G7). */
export function personOf(link: Link, hold: Hold): string | undefined {
  return isGivenToAsker(link, hold) ? undefined : link.recipient;
}

/** Whoever came by a link, as the link identifies them and not as they were called. */
export function throughLink(by: Principal, hold: Hold, link: Link | undefined): Principal {
  if (by.role !== "reviewer" || link === undefined) return by;
  const named = { ...by, name: personOf(link, hold) ?? "" };
  return isGivenToAsker(link, hold) ? { ...named, givenTo: "asker" } : named;
}

/** G7: the hold has to say that its links go to the asker, and the operator has to allow it. */
export function givesLinksToAsker(
  { links, face }: Pick<Hold, "links" | "face">,
  { agentLinks }: Pick<Platform, "agentLinks">,
): boolean {
  if (links !== "agent") return false;
  return agentLinks === "always" || (agentLinks === "hitl" && face?.["name"] === HITL_FACE);
}

/** `face.name` of a hold that is a HITL case: that protocol hands the link to the agent. */
export const HITL_FACE = "hitl";
