/** What cards are made of. */

import type { DraftAnswer, Interrupt } from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonObject, member, type Problem } from "@holdpoint/protocol/rules";
import { type ReactNode, useId } from "react";
import { Text } from "../components/text.tsx";
import { Facts, ValueView } from "../components/value-view.tsx";

const WORDS = {
  optional: "optional",
};

export interface CardProps {
  readonly interrupt: Interrupt;
  readonly draft: DraftAnswer | undefined;
  readonly problems: readonly Problem[];
  /** Of the call the interrupt is about, as they were streamed. What the interrupt itself says of the call counts before them. */
  readonly args: JsonObject | undefined;
  readonly onDraft: (answer: DraftAnswer | null) => void;
}

/** What the agent wants people to see. */
export function shownOf({ metadata }: Interrupt): Json | undefined {
  return metadata === undefined ? undefined : member(metadata, "payload");
}

/** What is asked, in words: the agent's, or the best there are. */
export function titleOf(interrupt: Interrupt): string {
  const shown = shownOf(interrupt);
  const tool = isObject(shown) ? member(shown, "tool") : undefined;
  return interrupt.message ?? (typeof tool === "string" ? `Run ${tool}?` : interrupt.reason);
}

/** Any of it, as text: nothing in it is ever markup. */
export function Shown({
  value,
  without = [],
}: {
  readonly value: Json | undefined;
  readonly without?: readonly string[];
}): ReactNode {
  if (value === undefined) return null;
  if (!isObject(value)) return <ValueView name="payload" value={value} />;
  const rest = Object.entries(value).filter(([name]) => !without.includes(name));
  return rest.length === 0 ? null : <Facts facts={Object.fromEntries(rest)} />;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface ChoiceProps {
  readonly legend: string;
  readonly options: readonly Option[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
}

/** One of several options to choose, for cards of your own. */
export function Choice({ legend, options, chosen, onChoose }: ChoiceProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="hp-field hp-choices">
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value} className="hp-choice">
          <input type="radio" name={name} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>
            <Text>{label}</Text>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface WordsProps {
  readonly label: string;
  readonly value: string;
  /** The answer cannot be given without it. */
  readonly isRequired?: boolean;
  readonly onChange: (text: string) => void;
}

/** A text input, for cards of your own. */
export function Words({ label, value, isRequired = false, onChange }: WordsProps): ReactNode {
  const id = useId();
  return (
    <div className="hp-field">
      <label htmlFor={id}>
        {label}
        {isRequired ? null : <span className="hp-optional"> {WORDS.optional}</span>}
      </label>
      <textarea
        id={id}
        rows={2}
        required={isRequired}
        defaultValue={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** The object that a draft resolves with so far. */
export function payloadOf(draft: DraftAnswer | undefined): JsonObject {
  const payload = draft?.status === "resolved" ? draft.payload : undefined;
  return isObject(payload) ? payload : {};
}
