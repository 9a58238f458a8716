/** No hold is decided below its rule, nobody counts twice or for two, and nobody who is excluded counts. */

import { isMet } from "../../src/testing/vote-invariants.ts";
import type { Checker } from "./index.ts";

export const votes: Checker = ({ holds }) => {
  const complaints: string[] = [];
  for (const [id, { decision, outcome, votes: cast = [] }] of holds) {
    if (decision === undefined) continue;
    const people = cast.map(({ person }) => person);
    if (new Set(people).size !== people.length) complaints.push(`${id} counts somebody twice`);
    const excluded = people.filter((person) => decision.excluded.includes(person));
    if (excluded.length > 0) complaints.push(`${id} counts ${excluded.join()}, who is excluded`);
    if (outcome?.kind === "decided" && !isMet(decision, cast))
      complaints.push(`${id} was decided below its rule, by ${people.join()}`);
  }
  return complaints;
};
