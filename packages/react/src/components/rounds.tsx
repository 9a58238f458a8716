/** The rounds before this one: what was asked then, how it ended, and what people said about it. */

import type { EarlierRound } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { pastWords } from "../headless/past.ts";
import { Moment } from "./deadline.tsx";
import { Text } from "./text.tsx";

const WORDS = {
  earlier: "Earlier rounds",
  round: "Round",
  nth: (number: string | number) => `Round ${number}`,
  by: "by",
  asked: (prompt: string | number) => `Asked: ${prompt}`,
};

const WITHOUT_PERSON: Readonly<Record<string, string>> = {
  open: "Still open",
  expired: "Expired",
  cancelled: "Withdrawn",
};

export function Rounds({ earlier }: { readonly earlier: readonly EarlierRound[] }): ReactNode {
  return (
    <section className="hp-card hp-rounds" aria-label={WORDS.earlier}>
      <h2 className="hp-card-title">
        {WORDS.round} {earlier.length + 1}
      </h2>
      <ol>
        {earlier.map((round, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rounds that are over never change their order.
          <li key={at}>
            <RoundView round={round} number={at + 1} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function RoundView({ round, number }: { readonly round: EarlierRound; readonly number: number }): ReactNode {
  const { action, status, by, at, feedback, prompt } = round;
  const ended = action === undefined ? (WITHOUT_PERSON[status] ?? status) : (pastWords(action) ?? action);
  return (
    <>
      <p>
        <span className="hp-label">{WORDS.nth(number)}</span>{" "}
        <strong>
          <Text>{ended}</Text>
        </strong>
        {by === undefined ? null : (
          <>
            {" "}
            {WORDS.by} <Text>{by}</Text>
          </>
        )}
        , <Moment at={at} />
      </p>
      {feedback === undefined ? null : (
        <blockquote className="hp-prose">
          <Text>{feedback}</Text>
        </blockquote>
      )}
      {prompt === undefined ? null : (
        <p className="hp-hint">
          <Text>{WORDS.asked(prompt)}</Text>
        </p>
      )}
    </>
  );
}
