/** Allows similar calls together with an approval: how long, how often, and with which arguments, said in words. */

import type { Hold } from "@holdpoint/protocol/client";
import {
  explainGrantArgs,
  explainSimilar,
  GRANT_ARG,
  GRANT_FOR,
  GRANT_MAX,
  GRANT_MIN,
  GRANT_SIMILAR,
  GRANT_USES,
  type GrantPost,
  grantArgs,
  readGrantPost,
  SIMILAR_LABEL,
  similarInRepository,
} from "@holdpoint/protocol/gating";
import { isObject, type JsonObject, visibleText } from "@holdpoint/protocol/rules";
import { type ReactNode, useState } from "react";
import { Text } from "./text.tsx";

const WORDS = {
  approve: "Approve similar calls too",
  howLong: "For how long",
  just: "Just this once",
  howMany: "How many calls at most",
  exactly: (value: string | number) => `is exactly ${value}`,
  within: "is within a range",
  may: "may be anything",
  to: " to ",
  atLeast: (name: string | number) => `${name}, at least`,
  atMost: (name: string | number) => `${name}, at most`,
  youApprove: "You approve this call only.",
  call: "This call itself is outside these terms. Change them.",
  up: (uses: string | number) => `up to ${uses} times`,
  besides: (
    createdBy: string | number,
    tool: string | number,
    often: string | number,
    time: string | number,
    explainGrantArgs: string | number,
  ) =>
    `Besides this call, ${createdBy} may call ${tool} ${often} within ${time} without asking: ${explainGrantArgs}.`,
};

const TIMES: readonly (readonly [duration: string, words: string])[] = [
  ["1h", "1 hour"],
  ["2h", "2 hours"],
  ["8h", "8 hours"],
  ["1d", "1 day"],
  ["7d", "7 days"],
];

export interface GrantTermsProps {
  readonly hold: Hold;
  readonly onChange: (grant: GrantPost | undefined) => void;
}

export function GrantTerms({ hold, onChange }: GrantTermsProps): ReactNode {
  const args = argumentsOf(hold);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({ [GRANT_USES]: "10" });
  const grant = readGrantPost(Object.entries(fields));
  function set(name: string, value: string): void {
    const next = { ...fields, [name]: value };
    setFields(next);
    onChange(readGrantPost(Object.entries(next)));
  }
  const field = (name: string) => ({
    name,
    value: fields[name] ?? "",
    onChange: ({ target }: { readonly target: { readonly value: string } }) => set(name, target.value),
  });
  return (
    <details className="hp-grant">
      <summary>{WORDS.approve}</summary>
      <label>
        {WORDS.howLong}
        <select {...field(GRANT_FOR)}>
          <option value="">{WORDS.just}</option>
          {TIMES.map(([duration, words]) => (
            <option key={duration} value={duration}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        {WORDS.howMany}
        <input type="number" min={1} max={100_000} inputMode="numeric" {...field(GRANT_USES)} />
      </label>
      {Object.entries(args).map(([name, value]) => (
        <div key={name}>
          <label>
            <Text>{name}</Text>
            <select {...field(`${GRANT_ARG}${name}`)}>
              <option value="equal">{WORDS.exactly(visibleText(JSON.stringify(value)))}</option>
              {typeof value === "number" ? <option value="range">{WORDS.within}</option> : null}
              <option value="any">{WORDS.may}</option>
            </select>
          </label>
          {fields[`${GRANT_ARG}${name}`] === "range" ? (
            <p className="hp-range">
              <input
                type="number"
                step="any"
                aria-label={WORDS.atLeast(visibleText(name))}
                {...field(`${GRANT_MIN}${name}`)}
              />
              {WORDS.to}
              <input
                type="number"
                step="any"
                aria-label={WORDS.atMost(visibleText(name))}
                {...field(`${GRANT_MAX}${name}`)}
              />
            </p>
          ) : null}
        </div>
      ))}
      <p role="status">
        <Text>{grant === undefined ? WORDS.youApprove : termsWords(hold, args, grant)}</Text>
      </p>
    </details>
  );
}

export interface SimilarCallsProps {
  readonly hold: Hold;
  /** Told of the terms just before the form is sent. */
  readonly onPress: (grant: GrantPost) => void;
}

/**
 * One press for coding agents. The terms are in the words above the button, before anybody presses it. It must come after
 * the other buttons: the Enter key presses a form's first button.
 */
export function SimilarCalls({ hold, onPress }: SimilarCallsProps): ReactNode {
  const args = argumentsOf(hold);
  const terms = similarInRepository(hold.context?.["tool"], args);
  if (terms === undefined) return null;
  return (
    <div className="hp-grant hp-similar">
      <p id="hp-similar">
        <Text>{explainSimilar(hold.createdBy, String(hold.context?.["tool"]), args)}</Text>
      </p>
      <button
        type="submit"
        name={GRANT_SIMILAR}
        value="approve"
        className="hp-button"
        aria-describedby="hp-similar"
        onClick={() => onPress(terms)}
      >
        {SIMILAR_LABEL}
      </button>
    </div>
  );
}

/** What approving will allow, before it counts. */
function termsWords(
  hold: Hold,
  args: JsonObject,
  { for: duration, uses = 1, args: given = {} }: GrantPost,
): string {
  const terms = grantArgs(args, given);
  if (Array.isArray(terms)) return WORDS.call;
  const time = TIMES.find(([known]) => known === duration)?.[1] ?? duration;
  const often = uses === 1 ? "once" : WORDS.up(uses);
  const tool = String(hold.context?.["tool"]);
  return WORDS.besides(
    hold.createdBy,
    tool,
    often,
    time,
    explainGrantArgs(terms as Exclude<typeof terms, readonly unknown[]>),
  );
}

function argumentsOf({ context }: Hold): JsonObject {
  const args = context?.["arguments"];
  return args !== undefined && isObject(args) ? args : {};
}
