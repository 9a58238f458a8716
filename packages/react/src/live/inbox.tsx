/** The inbox of one person: what waits, most urgent first, and beside it the question that is looked at. */

import { type Hold, voteWords } from "@holdpoint/protocol/client";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import type { HoldReviewSlots } from "../components/hold-review.tsx";
import { useNow, useStateOf } from "../components/hooks.ts";
import { Text } from "../components/text.tsx";
import { agoWords, countdown } from "../headless/countdown.ts";
import { useHoldpoint } from "./provider.tsx";
import { HoldReview, Waiting } from "./review.tsx";
import { useInbox } from "./use-inbox.ts";

const WORDS = {
  question: "Question",
  backList: "Back to the list",
  nothingWaitingYou: "Nothing is waiting for you. New questions appear here.",
  timeUp: "time is up",
  left: (text: string | number) => `${text} left`,
  inbox: "Inbox",
};

/** Components of your own, instead of the inbox's. */
export interface InboxSlots extends HoldReviewSlots {
  /** Instead of the inside of a row. */
  readonly row?: ComponentType<{ readonly hold: Hold }>;
  /** When nothing waits. */
  readonly empty?: ComponentType;
}

export interface InboxProps {
  /** Added to the component's own class. */
  readonly className?: string | undefined;
  readonly slots?: InboxSlots | undefined;
  /** The heading; `Inbox` when absent. */
  readonly title?: string;
}

/** What waits for the person, most urgent first, and the question that they open. */
export function Inbox({ className, slots = {}, title = WORDS.inbox }: InboxProps): ReactNode {
  const { holds, trouble } = useInbox();
  // Which question is looked at is also nothing that another person's inbox begins with.
  const [lookedAt, change] = useStateOf<string | undefined>(useHoldpoint(), undefined);
  const setLookedAt = (id: string | undefined) => change(() => id);
  const { row: Row = InboxRow, empty: Empty = Nothing, ...review } = slots;
  const detail = useRef<HTMLElement>(null);
  const list = useRef<HTMLElement>(null);
  const back = useRef<string>(undefined);

  // On a phone the question takes the place of the list, so that the focus goes there and comes back.
  useEffect(() => {
    if (lookedAt !== undefined) detail.current?.focus();
    else if (back.current !== undefined)
      (document.getElementById(rowId(back.current)) ?? list.current)?.focus();
    back.current = lookedAt;
  }, [lookedAt]);

  if (holds === undefined) return <Waiting trouble={trouble} className={className} />;
  const isLooking = lookedAt !== undefined;
  return (
    <div className={["hp-inbox", isLooking ? "hp-looking" : "", className].filter(Boolean).join(" ")}>
      <section className="hp-inbox-list" aria-label={title} ref={list} tabIndex={-1}>
        <h2>
          {title} <span className="hp-count">{holds.length}</span>
        </h2>
        {trouble === undefined ? null : (
          <p className="hp-notice hp-bad" role="alert">
            {trouble}
          </p>
        )}
        {holds.length === 0 ? <Empty /> : null}
        <ul>
          {holds.map((hold) => (
            <li key={hold.id}>
              <button
                type="button"
                id={rowId(hold.id)}
                aria-current={hold.id === lookedAt}
                onClick={() => setLookedAt(hold.id)}
              >
                <Row hold={hold} />
              </button>
            </li>
          ))}
        </ul>
      </section>
      {isLooking ? (
        <section className="hp-inbox-look" aria-label={WORDS.question} ref={detail} tabIndex={-1}>
          <button type="button" className="hp-quiet hp-back" onClick={() => setLookedAt(undefined)}>
            {WORDS.backList}
          </button>
          <HoldReview id={lookedAt} slots={review} />
        </section>
      ) : null}
    </div>
  );
}

function rowId(holdId: string): string {
  return `hp-row-${holdId}`;
}

function Nothing(): ReactNode {
  return <p className="hp-empty">{WORDS.nothingWaitingYou}</p>;
}

const TICK_MS = 15_000;

function InboxRow({ hold }: { readonly hold: Hold }): ReactNode {
  const [began] = useState(() => Date.now());
  const now = useNow(began, TICK_MS);
  const { createdBy, prompt, expiresAt } = hold;
  const createdAt = Date.parse(hold.createdAt);
  const left = expiresAt === undefined ? undefined : countdown(createdAt, Date.parse(expiresAt), now);
  const votes = voteWords(hold)?.summary;
  return (
    <>
      <strong>
        <Text>{prompt}</Text>
      </strong>
      <small>
        <Text>{createdBy}</Text> · {agoWords(createdAt, now)}
        {left === undefined ? null : (
          <span className={left.isUrgent ? "hp-urgent" : ""}>
            {" "}
            · {left.isOver ? WORDS.timeUp : WORDS.left(left.text)}
          </span>
        )}
      </small>
      {votes === undefined ? null : <small className="hp-row-votes">{votes}</small>}
    </>
  );
}
