/** What went wrong, where an agent is stuck. */

import type { ReactNode } from "react";
import type { Part } from "../headless/parts.ts";
import { Icon } from "./icons.tsx";
import { Text } from "./text.tsx";
import { Facts, ValueView } from "./value-view.tsx";

const WORDS = {
  whatWent: "What went wrong",
};

export interface ErrorCardProps {
  readonly part: Extract<Part, { kind: "error" }>;
}

export function ErrorCard({ part }: ErrorCardProps): ReactNode {
  return (
    <section className="hp-card hp-error" aria-label={WORDS.whatWent}>
      <h2 className="hp-card-title">
        <Icon name="warning" />
        <Text>{part.title}</Text>
      </h2>
      {part.summary === undefined ? null : (
        <p>
          <Text>{part.summary}</Text>
        </p>
      )}
      {part.details === undefined ? null : <ValueView name="stack" value={part.details} />}
      {Object.keys(part.facts).length === 0 ? null : <Facts facts={part.facts} />}
    </section>
  );
}
