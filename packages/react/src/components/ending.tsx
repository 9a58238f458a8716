/** How it ended. Only a decision has a person; what no person decided never looks as if one had (G5). */

import {
  type Cancelled,
  type Decided,
  deciderWords,
  type Expired,
  type Hold,
} from "@holdpoint/protocol/client";
import { type Ask, isGranting, isObject, shownActions } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { diffJson } from "../headless/diff.ts";
import { toolCallOf } from "../headless/parts.ts";
import { pastWords } from "../headless/past.ts";
import { Moment } from "./deadline.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { ChangeList } from "./late-parts.ts";
import { Text } from "./text.tsx";
import { Facts } from "./value-view.tsx";

const WORDS = {
  told: "The agent was told that nobody decided.",
  erased: "Erased",
  whatAsked: "What was asked here has been deleted.",
  howEnded: "How it ended",
  thank: "Thank you. Your answer was recorded ",
  already: (deciderWords: string | number, doorWords: string | number) =>
    `Already answered by ${deciderWords} through ${doorWords}, `,
  youCan: "You can close this page.",
  taken: "Taken back",
  expired: "Expired",
  nobody: "Nobody answered until",
  agentGoes: "The agent goes on with",
  automatically: ", automatically, nobody decided.",
  withdrawn: "Withdrawn",
  question: "The question was cancelled",
  nobodyDecided: ". Nobody decided anything.",
};

export interface EndingProps {
  readonly hold: Hold;
  readonly ask: Ask;
  readonly isOwn?: boolean;
}

export function Ending({ hold, ask, isOwn = false }: EndingProps): ReactNode {
  const { outcome } = hold;
  if (outcome === undefined) {
    return (
      <Frame tone="neutral" icon="ban" title={WORDS.erased}>
        <p>{WORDS.whatAsked}</p>
      </Frame>
    );
  }
  switch (outcome.kind) {
    case "decided":
      return <DecidedView hold={hold} ask={ask} outcome={outcome} isOwn={isOwn} />;
    case "expired":
      return <ExpiredView outcome={outcome} />;
    case "cancelled":
      return <CancelledView outcome={outcome} />;
  }
}

interface FrameProps {
  readonly tone: "go" | "stop" | "neutral";
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
}

function Frame({ tone, icon, title, children }: FrameProps): ReactNode {
  return (
    <section className={`hp-ending hp-tone-${tone}`} role="status" aria-label={WORDS.howEnded}>
      <h2>
        <span className="hp-seal">
          <Icon name={icon} />
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface DecidedProps extends EndingProps {
  readonly outcome: Decided;
}

function DecidedView({ hold, ask, outcome, isOwn = false }: DecidedProps): ReactNode {
  const { action, data, at, door, by } = outcome;
  const goes = isGranting(ask, action);
  const label = pastWords(action) ?? shownActions(ask).find(({ id }) => id === action)?.label ?? action;
  const { edited_args: edited, ...rest } = data;
  const call = toolCallOf(ask);
  return (
    <Frame tone={goes ? "go" : "stop"} icon={goes ? "check" : "cross"} title={label}>
      <p>
        {isOwn ? WORDS.thank : WORDS.already(deciderWords(by), doorWords(door))}
        <Moment at={at} />. {isOwn ? WORDS.youCan : null}
      </p>
      {isObject(edited ?? null) && call !== undefined ? (
        <ChangeList changes={diffJson(call.args, edited as typeof call.args)} />
      ) : null}
      {Object.keys(rest).length === 0 ? null : <Facts facts={withLabels(ask, rest)} />}
      <Afterwards hold={hold} />
    </Frame>
  );
}

const DOORS: Readonly<Record<string, string>> = {
  page: "a review link",
  console: "the console",
  rest: "the API",
  cli: "the command line",
  inline: "a button in a message",
  agui: "the app",
  openintent: "OpenIntent",
};

function doorWords(door: string): string {
  return DOORS[door] ?? door;
}

/** Options by the names people saw. */
function withLabels(ask: Ask, data: Decided["data"]): Decided["data"] {
  const { selected } = data;
  if (!Array.isArray(selected) || ask.options === undefined) return data;
  const labels = new Map(ask.options.map(({ id, label }) => [id, label]));
  return { ...data, selected: selected.map((id) => labels.get(String(id)) ?? String(id)) };
}

const EXECUTION = {
  claimed: "It is being carried out now",
  done: "It was carried out",
  failed: "It was tried, and failed",
  unknown: "Nobody knows whether it was carried out",
} as const;

function Afterwards({ hold: { claim, revoked } }: { readonly hold: Hold }): ReactNode {
  return (
    <>
      {claim === undefined ? null : (
        <p>
          {EXECUTION[claim.state]}, <Moment at={claim.endedAt ?? claim.claimedAt} />.
        </p>
      )}
      {revoked === undefined ? null : (
        <p>
          <strong>{WORDS.taken}</strong>, <Moment at={revoked.at} />.
        </p>
      )}
    </>
  );
}

function ExpiredView({ outcome }: { readonly outcome: Expired }): ReactNode {
  const action = outcome.default?.action;
  return (
    <Frame tone="neutral" icon="clock" title={WORDS.expired}>
      <p>
        {WORDS.nobody} <Moment at={outcome.at} />.{" "}
        {action === undefined ? (
          WORDS.told
        ) : (
          <>
            {WORDS.agentGoes} <strong>{action}</strong>
            {WORDS.automatically}
          </>
        )}
      </p>
    </Frame>
  );
}

function CancelledView({ outcome }: { readonly outcome: Cancelled }): ReactNode {
  return (
    <Frame tone="neutral" icon="ban" title={WORDS.withdrawn}>
      <p>
        {WORDS.question} <Moment at={outcome.at} />
        {WORDS.nobodyDecided}
      </p>
      {outcome.reason === undefined ? null : (
        <p className="hp-prose">
          <Text>{outcome.reason}</Text>
        </p>
      )}
    </Frame>
  );
}
