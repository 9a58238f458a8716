/** How far a decision has come: how many agreed, who voted, who is missing. */

import { type Hold, voteWords } from "@holdpoint/protocol/client";
import type { ReactNode } from "react";
import { Text } from "./text.tsx";

const WORDS = {
  votes: "Votes",
};

export function Votes({ hold }: { readonly hold: Hold }): ReactNode {
  const words = voteWords(hold);
  if (words === undefined) return null;
  return (
    <section className="hp-votes" role="status" aria-label={WORDS.votes}>
      <p>
        <strong>{words.summary}</strong>
      </p>
      <ul>
        {[...words.votes, ...words.missing].map((line) => (
          <li key={line}>
            <Text>{line}</Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
