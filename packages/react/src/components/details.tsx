/** What exactly is asked about: the parts of the context, each in the card people know it by. */

import type { Ask, JsonObject } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { type Part, partsOf } from "../headless/parts.ts";
import { Icon } from "./icons.tsx";
import { ErrorCard } from "./late-parts.ts";
import { Text } from "./text.tsx";
import { Exact, Facts, ValueView } from "./value-view.tsx";

const WORDS = {
  why: "Why",
  proposed: "Proposed",
  details: "Details",
  call: (tool: string | number) => `Call of ${tool}`,
  without: "Without arguments",
};

interface DetailsProps {
  readonly ask: Ask;
  /** Also what the inputs of the answer show, where none are drawn. */
  readonly isWhole?: boolean;
}

/** What the ask is about: the tool call, texts, changes and facts of its context. */
export function Details({ ask, isWhole = false }: DetailsProps): ReactNode {
  return partsOf(ask, isWhole).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an ask never change.
    <PartView key={at} part={part} />
  ));
}

function PartView({ part }: { readonly part: Part }): ReactNode {
  switch (part.kind) {
    case "text":
      return part.name === "reason" ? (
        <p className="hp-why">
          <span className="hp-label">{WORDS.why}</span>
          <Text>{part.text}</Text>
        </p>
      ) : (
        <p className="hp-lead">
          <Text>{part.text}</Text>
        </p>
      );
    case "error":
      return <ErrorCard part={part} />;
    case "tool_call":
      return <ToolCall tool={part.tool} args={part.args} />;
    case "artifact":
      return (
        <section className="hp-card" aria-label={part.title ?? WORDS.proposed}>
          <h2 className="hp-card-title">
            <Icon name="document" />
            <Text>{part.title ?? WORDS.proposed}</Text>
          </h2>
          <ValueView name="content" value={part.content} />
          {Object.keys(part.facts).length === 0 ? null : <Facts facts={part.facts} />}
        </section>
      );
    case "facts":
      return (
        <section className="hp-card" aria-label={WORDS.details}>
          <Facts facts={part.facts} />
        </section>
      );
  }
}

interface ToolCallProps {
  readonly tool: string;
  readonly args: JsonObject;
}

/** The exact call, argument by argument. */
export function ToolCall({ tool, args }: ToolCallProps): ReactNode {
  return (
    <section className="hp-card hp-tool" aria-label={WORDS.call(tool)}>
      <h2 className="hp-card-title">
        <Icon name="tool" />
        <code>
          <Text>{tool || '""'}</Text>
        </code>
      </h2>
      {Object.keys(args).length === 0 ? (
        <p className="hp-none">{WORDS.without}</p>
      ) : (
        <Exact value>
          <Facts facts={args} />
        </Exact>
      )}
    </section>
  );
}
