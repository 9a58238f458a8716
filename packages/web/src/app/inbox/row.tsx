/** One line of the inbox: what, how much, who asks, how long, who is on it. */

import type { Hold } from "@holdpoint/protocol/client";
import { Text } from "@holdpoint/react";
import { agoWords, countdown } from "@holdpoint/react/headless";
import { type MouseEvent, memo, type ReactNode } from "react";
import { go, useApi } from "../hooks.ts";
import { useSecond } from "../live.ts";
import { useNames } from "../queries.ts";
import { factsOf, votesOf } from "./facts.ts";
import { WORDS } from "./words.ts";

export interface RowProps {
  readonly hold: Hold;
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly onMark: (id: string) => void;
  readonly onLook: (id: string) => void;
}

/** Beside the list there is room for the hold itself. */
export const isWide = (): boolean => matchMedia("(width >= 70rem)").matches;

export const HoldRow = memo(function HoldRow(props: RowProps): ReactNode {
  const { hold, isCurrent, isMarked, onMark, onLook } = props;
  const { tool, amount, risk } = factsOf(hold);
  const nameOf = useNames();
  const votes = votesOf(hold);
  const comments = hold.comments?.length ?? 0;
  const isUnseen = hold.openedAt === undefined;
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (isWide()) onLook(hold.id);
    else go(`/console/holds/${hold.id}`);
  };
  return (
    <div className={`app-row${isCurrent ? " app-current" : ""}${isUnseen ? " app-unseen" : ""}`}>
      <input
        type="checkbox"
        checked={isMarked}
        onChange={() => onMark(hold.id)}
        aria-label={WORDS.mark(hold.prompt)}
      />
      <a href={`/console/holds/${hold.id}`} onClick={onClick} aria-current={isCurrent ? "true" : undefined}>
        <span className="app-row-top">
          <strong>
            {isUnseen ? <span className="hp-unseen">{WORDS.unseen}</span> : null}
            <Text>{hold.prompt}</Text>
          </strong>
          {amount === undefined ? null : (
            <b className="app-amount">
              <Text>{amount}</Text>
            </b>
          )}
        </span>
        <small>
          <Text>{hold.createdBy}</Text> ·{" "}
          {tool === undefined ? (
            hold.type
          ) : (
            <code>
              <Text>{tool}</Text>
            </code>
          )}
          {hold.attempt > 1 ? ` · ${WORDS.told(hold.attempt)}` : null}
          {comments === 0 ? null : ` · ${WORDS.comments(comments)}`}
        </small>
        <span className="app-row-facts">
          <Left hold={hold} />
          {risk === undefined ? null : (
            <span className={`app-chip app-risk-${/^(?:high|critical)$/i.test(risk) ? "high" : "some"}`}>
              <Text>{WORDS.risk(risk)}</Text>
            </span>
          )}
          {votes === undefined ? null : <span className="app-chip">{votes}</span>}
          {hold.assignee === undefined ? null : (
            <span className="app-chip app-on">
              <Text>{WORDS.on(nameOf(hold.assignee))}</Text>
            </span>
          )}
        </span>
      </a>
    </div>
  );
});

/** The deadline as a bar that shrinks, and in words. */
function Left({ hold }: { readonly hold: Hold }): ReactNode {
  const api = useApi();
  useSecond();
  const now = api.now();
  if (hold.expiresAt === undefined)
    return <span className="app-left">{WORDS.noDeadline(agoWords(Date.parse(hold.createdAt), now))}</span>;
  const left = countdown(Date.parse(hold.createdAt), Date.parse(hold.expiresAt), now);
  return (
    <span className={left.isUrgent ? "app-left app-urgent" : "app-left"}>
      <progress value={left.share} max={1} aria-hidden="true" />
      {left.isOver ? WORDS.over : WORDS.left(left.text)}
    </span>
  );
}
