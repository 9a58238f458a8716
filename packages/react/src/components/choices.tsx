/** Options to choose from, and items to tick off. Nothing is chosen beforehand. */

import type { Ask } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { useHydrated } from "./hooks.ts";
import { Text } from "./text.tsx";

const WORDS = {
  choose: "Choose one",
  chooseExactly: (min: string | number) => `Choose exactly ${min}`,
  more: " or more",
};

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly Choice[];
  readonly single: boolean;
  readonly chosen: readonly string[];
  readonly count: string;
  readonly message: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

export function Choices(props: ChoicesProps): ReactNode {
  const { name, legend, choices, single, chosen, count, message, onChange } = props;
  const isHydrated = useHydrated();
  const id = `hp-${name}`;
  return (
    <fieldset
      className="hp-choices hp-cards"
      id={id}
      tabIndex={-1}
      aria-describedby={message === undefined ? undefined : `${id}-problem`}
    >
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.id} className="hp-choice">
          <input
            type={single ? "radio" : "checkbox"}
            name={name}
            value={choice.id}
            defaultChecked={chosen.includes(choice.id)}
            aria-invalid={message === undefined ? undefined : true}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              if (single) onChange([choice.id]);
              else
                onChange(
                  choices
                    .map((each) => each.id)
                    .filter((each) => (each === choice.id ? checked : chosen.includes(each))),
                );
            }}
          />
          <span>
            <strong>
              <Text>{choice.label}</Text>
            </strong>
            {choice.description === undefined ? null : (
              <small>
                <Text>{choice.description}</Text>
              </small>
            )}
          </span>
        </label>
      ))}
      {isHydrated ? (
        <p className="hp-hint" role="status">
          {count}
        </p>
      ) : null}
      {message === undefined ? null : (
        <p className="hp-problem" id={`${id}-problem`} role="alert">
          {message}
        </p>
      )}
    </fieldset>
  );
}

export function selectWords({ options = [], select }: Ask): {
  readonly legend: string;
  readonly single: boolean;
} {
  const { min = 1, max = options.length } = select ?? {};
  if (max === 1) return { legend: WORDS.choose, single: true };
  if (min === max) return { legend: WORDS.chooseExactly(min), single: false };
  const upTo = max < options.length ? ` to ${max}` : WORDS.more;
  return { legend: `Choose ${min}${upTo}`, single: false };
}
