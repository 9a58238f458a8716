/** Whom AG-UI names for an answer. */

import { type Decider, deciderWords } from "../../client/index.ts";

/** What the asking agent says about a person who used its own link is not shown (G7), and a grant names nobody (G5). */
export function isNameable({ givenTo, kind }: Decider): boolean {
  return givenTo === undefined && kind !== "grant";
}

/** The name of a person that an app relays is the app's claim, and comes before the name of the app's own key. */
export function answererName(by: Decider): string {
  const name = isNameable(by) ? (by.claimed?.["name"] ?? by.claimed?.["id"]) : undefined;
  return typeof name === "string" ? name : deciderWords(by);
}
