/** A change of a text, line by line. */

import type { ReactNode } from "react";
import type { DiffLine } from "../headless/unified-diff.ts";
import { Text } from "./text.tsx";

const WORDS = {
  changes: (label: string | number) => `Changes: ${label}`,
};

const MARKS = { same: " ", added: "+", removed: "−" } as const;
const SAID = { same: "", added: "added: ", removed: "removed: " } as const;

export interface DiffProps {
  readonly lines: readonly DiffLine[];
  readonly label: string;
}

/** Changed lines of a text. */
export function DiffView({ lines, label }: DiffProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="hp-diff" tabIndex={0} aria-label={WORDS.changes(label)}>
      <ol>
        {lines.map(({ kind, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name.
          <li key={at} className={`hp-${kind}`}>
            <span aria-hidden="true">{MARKS[kind]}</span>
            <code>
              <span className="hp-unseen">{SAID[kind]}</span>
              <Text>{text}</Text>
            </code>
          </li>
        ))}
      </ol>
    </section>
  );
}
