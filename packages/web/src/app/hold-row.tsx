/** One line of the inbox: what, who, how long. */

import type { Hold } from "@holdpoint/protocol/client";
import { Text, useNow } from "@holdpoint/react";
import { agoWords, countdown } from "@holdpoint/react/headless";
import { type MouseEvent, type ReactNode, useState } from "react";
import { go, useApi } from "./hooks.ts";

interface RowProps {
  readonly hold: Hold;
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly onMark: () => void;
  readonly onLook: () => void;
}

export function HoldRow({ hold, isCurrent, isMarked, onMark, onLook }: RowProps): ReactNode {
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (matchMedia("(width >= 70rem)").matches) onLook();
    else go(`/console/holds/${hold.id}`);
  };
  const isUnseen = hold.openedAt === undefined;
  return (
    <li
      id={`row-${hold.id}`}
      className={`app-row${isCurrent ? " app-current" : ""}${isUnseen ? " app-unseen" : ""}`}
    >
      <input type="checkbox" checked={isMarked} onChange={onMark} aria-label={`Mark: ${hold.prompt}`} />
      <a href={`/console/holds/${hold.id}`} onClick={onClick} aria-current={isCurrent ? "true" : undefined}>
        <strong>
          {isUnseen ? <span className="hp-unseen">Unseen: </span> : null}
          <Text>{hold.prompt}</Text>
        </strong>
        <small>
          <Text>{hold.createdBy}</Text> · {hold.type} <Left hold={hold} />
          {hold.attempt > 1 ? ` · told ${hold.attempt} times` : null}
        </small>
      </a>
    </li>
  );
}

function Left({ hold }: { readonly hold: Hold }): ReactNode {
  const api = useApi();
  const [began] = useState(() => api.now());
  const now = useNow(began, 1_000);
  if (hold.expiresAt === undefined)
    return <span>· waiting since {agoWords(Date.parse(hold.createdAt), now)}</span>;
  const left = countdown(Date.parse(hold.createdAt), Date.parse(hold.expiresAt), now);
  return (
    <span className={left.isUrgent ? "app-urgent" : ""}>
      · {left.isOver ? "time is up" : `${left.text} left`}
    </span>
  );
}
