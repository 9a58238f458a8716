/** One hold as a person meets it: who asks, what exactly, why, until when, what if nobody answers; then the answer. */

import type { EarlierRound } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { isCallUnknown, type JsonObject, type Judge } from "@holdpoint/protocol/rules";
import type { ComponentType, ReactNode } from "react";
import { askOf } from "../headless/ask-of.ts";
import { agoWords, countdown } from "../headless/countdown.ts";
import { browserJudge } from "../headless/judge.ts";
import { AnswerPanel, type PanelProps } from "./answer-panel.tsx";
import { Deadline, Moment } from "./deadline.tsx";
import { Details } from "./details.tsx";
import { type FileHref, FileHrefProvider } from "./file-href.ts";
import { useNow } from "./hooks.ts";
import { Ending, Rounds, Votes } from "./late-parts.ts";
import { type DetailsProps, useOverride } from "./registry.tsx";
import { Text } from "./text.tsx";
import { UnknownCall } from "./unknown-call.tsx";
import { type Upload, UploadProvider } from "./upload.ts";
import type { AnswerReply, AnswerSent, AnswerStart } from "./use-answer.ts";

const WORDS = {
  approving: "Approving allows it",
  anyNumber: "any number of times, until it is taken back",
  up: (uses: string | number) => `up to ${uses} times`,
  time: "Time is up. It can no longer be answered.",
  asks: "asks you",
  question: "This question was erased",
};

export interface HoldReviewProps {
  readonly hold: Hold;
  /** The server's time when it gave the hold. */
  readonly now: number;
  readonly onAnswer: (answer: AnswerSent) => Promise<AnswerReply>;
  /** Sends a file that was chosen; without it files go only with a form that is posted. */
  readonly onUpload?: Upload | undefined;
  /** The address of a file that the answer names. */
  readonly fileHref?: FileHref | undefined;
  /** Instead of the buttons while an answer was given and `onAnswer` has not sent it yet. */
  readonly held?: ReactNode;
  readonly onDraft?: (values: JsonObject, step: number) => void;
  readonly judge?: Judge;
  readonly start?: AnswerStart;
  readonly post?: PanelProps["post"];
  readonly found?: PanelProps["found"];
  /** This very person answered it just now. */
  readonly isOwn?: boolean;
  readonly notice?: string | undefined;
  /** The holds this one follows up, oldest first. */
  readonly earlier?: readonly EarlierRound[] | undefined;
  /** Added to the component's own class. */
  readonly className?: string | undefined;
  readonly slots?: HoldReviewSlots | undefined;
  /** Below the answer. */
  readonly children?: ReactNode;
}

/** Components of your own, instead of a part or around the answer. `null` leaves the part out. */
export interface HoldReviewSlots {
  /** Who asks, and the question. */
  readonly head?: ComponentType<{ readonly hold: Hold; readonly now: number }> | null;
  readonly votes?: ComponentType<{ readonly hold: Hold }> | null;
  /** What the question is about. */
  readonly details?: ComponentType<DetailsProps> | null;
  /** Between the details and the answer. */
  readonly beforeAnswer?: ComponentType<{ readonly hold: Hold }>;
}

const LAX = browserJudge();
const ASKS: Readonly<Record<string, string>> = {
  approval: "asks for your approval",
  selection: "asks you to choose",
  input: "needs something from you",
  confirmation: "asks you to confirm",
  escalation: "is stuck and asks you",
};

/** What is entered belongs to one hold: another one in the same place begins empty. */
export function HoldReview(props: HoldReviewProps): ReactNode {
  return <OneReview key={props.hold.id} {...props} />;
}

function OneReview(props: HoldReviewProps): ReactNode {
  const { hold, notice, judge = LAX, start, post, onDraft, className = "" } = props;
  const ask = askOf(hold);
  const override = useOverride(hold) ?? Details;
  const {
    head: Top = Head,
    votes: Counted = Votes,
    details: Shown = override,
    beforeAnswer: Before,
  } = props.slots ?? {};
  const isOpen = hold.status === "open";
  const now = useNow(props.now, isOpen ? 1_000 : null);
  const isOver =
    isOpen && hold.expiresAt !== undefined && countdown(0, Date.parse(hold.expiresAt), now).isOver;
  return (
    <article className={`hp-review ${className}`.trim()}>
      {Top && <Top hold={hold} now={now} />}
      {notice === undefined ? null : (
        <p className="hp-notice" role="alert">
          {notice}
        </p>
      )}
      {hold.decision && Counted && <Counted hold={hold} />}
      {isOpen ? (
        <Deadline hold={hold} now={now} />
      ) : (
        <FileHrefProvider value={props.fileHref ?? null}>
          <Ending hold={hold} ask={ask} isOwn={props.isOwn ?? false} />
        </FileHrefProvider>
      )}
      {props.earlier === undefined || props.earlier.length === 0 ? null : <Rounds earlier={props.earlier} />}
      <WhatIsAsked hold={hold} Shown={Shown} />
      {Before && <Before hold={hold} />}
      {isOpen ? (
        isOver ? (
          <p className="hp-notice" role="status">
            {WORDS.time}
          </p>
        ) : (
          <UploadProvider value={props.onUpload ?? null}>
            <AnswerPanel
              hold={hold}
              ask={ask}
              judge={judge}
              onAnswer={props.onAnswer}
              found={props.found}
              held={props.held}
              {...(start === undefined ? {} : { start })}
              {...(post === undefined ? {} : { post })}
              {...(onDraft === undefined ? {} : { onDraft })}
            />
          </UploadProvider>
        )
      ) : null}
      {props.children}
    </article>
  );
}

/** Everything that is decided with a hold besides its question, for places that draw no inputs. */
export function HoldDetails({ hold }: { readonly hold: Hold }): ReactNode {
  return <WhatIsAsked hold={hold} Shown={useOverride(hold) ?? WholeDetails} />;
}

function WholeDetails({ ask }: DetailsProps): ReactNode {
  return <Details ask={ask} isWhole />;
}

interface AskedProps {
  readonly hold: Hold;
  readonly Shown: ComponentType<DetailsProps> | null;
}

function WhatIsAsked({ hold, Shown }: AskedProps): ReactNode {
  const ask = askOf(hold);
  return (
    <>
      {isCallUnknown(ask) ? <UnknownCall /> : null}
      {Shown && <Shown hold={hold} ask={ask} />}
      {hold.uses === undefined ? null : (
        <p className="hp-warning">
          {WORDS.approving} {hold.uses === "unlimited" ? WORDS.anyNumber : WORDS.up(hold.uses)}.
        </p>
      )}
    </>
  );
}

function Head({ hold, now }: { readonly hold: Hold; readonly now: number }): ReactNode {
  return (
    <header className="hp-head">
      <p className="hp-who">
        <span className="hp-avatar" aria-hidden="true">
          {hold.createdBy.charAt(0).toUpperCase()}
        </span>
        <span>
          <strong>
            <Text>{hold.createdBy}</Text>
          </strong>{" "}
          {ASKS[hold.type] ?? WORDS.asks}
          <small>
            {agoWords(Date.parse(hold.createdAt), now)} · <Moment at={hold.createdAt} />
          </small>
        </span>
      </p>
      <h1>
        <Text>{hold.prompt === "" ? WORDS.question : hold.prompt}</Text>
      </h1>
    </header>
  );
}
