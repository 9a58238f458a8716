/** G2: what was acknowledged is there, as it was acknowledged. */

import type { Checker } from "./index.ts";

export const acknowledged: Checker = ({ sim, holds }) => {
  const complaints = [...sim.ledger.contradictions, ...sim.ledger.surprises];
  for (const { key, id } of sim.ledger.placed.values()) {
    const hold = holds.get(id);
    if (hold === undefined) complaints.push(`${id}, acknowledged as ${key}, is gone`);
    // A case has no key of its own, and the proxy gives its holds other ones than their threads'.
    else if (!/^(?:case|proxied):/.test(key) && hold.key !== key)
      complaints.push(`${id} was ${key} and is ${hold.key}`);
  }
  for (const [id, told] of sim.ledger.outcomes) {
    const outcome = holds.get(id)?.outcome;
    if (outcome === undefined) complaints.push(`${id} was told to be ${told} and is open`);
    else if (
      JSON.parse(told).kind !== outcome.kind ||
      JSON.parse(told).action !== ("action" in outcome ? outcome.action : undefined)
    ) {
      complaints.push(`${id} was told to be ${told} and is ${JSON.stringify(outcome)}`);
    }
  }
  return complaints;
};
