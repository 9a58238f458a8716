/** People by their names. Outcomes and comments name the id that somebody signed in with; readers know the person. */

import { type Actor, deciderWords, type Hold } from "@holdpoint/protocol/client";

const WORDS = {
  link: "somebody with a review link",
  erased: "a person who was erased",
};

type NameOf = (id: string) => string;

/** The server writes this in place of the name of a person who was erased. */
const PSEUDONYM = /^erased-[\w-]{8}$/;

export function personName(name: string): string {
  return PSEUDONYM.test(name) ? WORDS.erased : name;
}

export function actorName(by: Pick<Actor, "kind" | "name" | "givenTo">, nameOf: NameOf): string {
  const { name = "" } = by;
  if (by.givenTo !== undefined || by.kind === "grant") return deciderWords(by);
  if (name === "") return by.kind === "link" ? WORDS.link : deciderWords(by);
  return nameOf(name);
}

/** The same hold, decided by the person's name. */
export function withNames(hold: Hold, nameOf: NameOf): Hold {
  const { outcome } = hold;
  if (outcome?.kind !== "decided") return hold;
  return { ...hold, outcome: { ...outcome, by: { ...outcome.by, name: actorName(outcome.by, nameOf) } } };
}
