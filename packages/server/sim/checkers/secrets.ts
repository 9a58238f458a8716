/** G9: tokens, keys and sensitive values are nowhere but where they belong. */

import { ADMIN, AGENT, OPERATOR } from "../simulation.ts";
import type { Checker } from "./index.ts";

export const secrets: Checker = ({ sim, events, outbox }) => {
  const places: Readonly<Record<string, string>> = {
    "an event": JSON.stringify(events),
    "an outbox row": JSON.stringify(outbox),
    "the server's log": JSON.stringify(sim.log),
    "a webhook": JSON.stringify(sim.farEnd.received.filter(({ url }) => url.includes("ops.example"))),
  };
  const complaints: string[] = [];
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [...sim.ledger.secrets, ...sim.ledger.sensitive, AGENT, OPERATOR, ADMIN]) {
      if (text.includes(secret)) complaints.push(`${secret} is in ${place}`);
    }
  }
  return complaints;
};
