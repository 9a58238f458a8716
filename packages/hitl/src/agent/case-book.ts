/**
 * Which case a button belongs to. Buttons travel through other people's servers, so they carry a name for the case and
 * never its token; the book, on the agent's side, knows the rest.
 */

import { sha256Hex } from "../sha256-hex.ts";
import type { Review } from "./review.ts";

export interface Listed {
  readonly review: Review;
  /** A short name for platforms that leave little room in a button. */
  readonly shortId: string;
}

export interface CaseBook {
  add(review: Review): Promise<Listed>;
  /** By case id or by short id. */
  find(reference: string): Promise<Listed | undefined>;
  remove(caseId: string): Promise<void>;
}

/** Where entries are kept. A `Map` will do; a database lets buttons outlive the process. */
export interface CaseShelf {
  get(reference: string): Promise<Listed | undefined> | Listed | undefined;
  set(reference: string, listed: Listed): unknown;
  delete(reference: string): unknown;
}

export type Digest = (text: string) => Promise<string>;

/** 64 bits: with a million cases a book, two share one once in some thirty thousand books, and then it is made longer. */
const SHORT_ID_CHARS = 16;
const SHORT_ID_CHARS_MAX = 40;

/** A book of open cases. Give it a database as shelf if buttons must outlive the process. */
export function caseBook(shelf: CaseShelf = new Map(), digest: Digest = sha256Hex): CaseBook {
  async function freeShortId(caseId: string): Promise<string> {
    const hex = await digest(caseId);
    for (let length = SHORT_ID_CHARS; length <= SHORT_ID_CHARS_MAX; length += 4) {
      const shortId = hex.slice(0, length);
      const taken = await shelf.get(shortId);
      if (taken === undefined || taken.review.caseId === caseId) return shortId;
    }
    throw new Error(
      `No short id is left for ${caseId}: the digest function returns the same text for too many cases.`,
    );
  }
  return {
    async add(review) {
      const listed = { review, shortId: await freeShortId(review.caseId) };
      await shelf.set(review.caseId, listed);
      await shelf.set(listed.shortId, listed);
      return listed;
    },
    find: async (reference) => shelf.get(reference),
    async remove(caseId) {
      const listed = await shelf.get(caseId);
      if (listed === undefined) return;
      await shelf.delete(caseId);
      await shelf.delete(listed.shortId);
    },
  };
}
