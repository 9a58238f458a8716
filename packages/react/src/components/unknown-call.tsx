/** What cannot be shown is said, above everything else that is shown (G15). */

import type { ReactNode } from "react";

const WORDS = {
  agentDid:
    "The agent did not show which tool it will run, or with what. Find out before you let it run, and say how you know.",
  exact: "The exact call is unknown.",
};

export const HOW_KNOWN = "How do you know what will run? (needed to let it run)";

export function UnknownCall(): ReactNode {
  return (
    <p className="hp-notice hp-bad" role="alert">
      <strong>{WORDS.exact}</strong> {WORDS.agentDid}
    </p>
  );
}
