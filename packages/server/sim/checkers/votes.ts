/** Nobody decides alone where two must agree: every decided hold with a rule has two votes of two people for its answer. */

import type { Checker } from "./index.ts";

export const votes: Checker = ({ holds }) => {
  const complaints: string[] = [];
  for (const [id, { decision, outcome, votes: cast = [] }] of holds) {
    if (decision === undefined) continue;
    const people = new Set(cast.map(({ person }) => person));
    if (people.size !== cast.length) complaints.push(`${id} counts somebody twice`);
    if (outcome?.kind !== "decided") continue;
    const agreeing = cast.filter(({ action }) => action === outcome.action);
    if (agreeing.length < 2) complaints.push(`${id} was decided by ${agreeing.length} of 2`);
  }
  return complaints;
};
