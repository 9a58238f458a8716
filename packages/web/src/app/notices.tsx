/** Notices of the console channel: somebody is waited for, said where people are looking already. */

import type { EventOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { To } from "./parts.tsx";

export interface Notice {
  readonly holdId: string;
  /** Which attempt to reach people this was. */
  readonly attempt: number;
}

const SHOWN_MAX = 3;

export function noticeOf({ type, hold_id: holdId, data }: EventOut): Notice | undefined {
  if (type !== "hold.notified" || holdId === undefined) return undefined;
  return { holdId, attempt: Number(data["attempt"] ?? 1) };
}

/** One a hold, the newest first. */
export function withNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
  return [notice, ...notices.filter(({ holdId }) => holdId !== notice.holdId)];
}

/** Outside the page too, where somebody allowed it and is looking elsewhere. */
export function showOutside({ attempt }: Notice, prompt: string): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted" || !document.hidden) return;
  new Notification(attempt === 1 ? "Your answer is needed" : `Reminder ${attempt}`, { body: prompt });
}

interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly holds: ReadonlyMap<string, Hold> | undefined;
  readonly onDismiss: (notice: Notice) => void;
}

/** Of what is still open; an answer takes its notice away. */
export function Notices({ notices, holds, onDismiss }: NoticesProps): ReactNode {
  const open = notices.flatMap((notice) => {
    const hold = holds?.get(notice.holdId);
    return hold === undefined ? [] : [{ notice, hold }];
  });
  return (
    <ul className="app-notices" aria-label="Notices" aria-live="polite">
      {open.slice(0, SHOWN_MAX).map(({ notice, hold }) => (
        <li key={notice.holdId}>
          <span>
            <strong>{notice.attempt === 1 ? "Your answer is needed" : `Reminder ${notice.attempt}`}</strong>
            <To href={`/console/holds/${hold.id}`}>
              <Text>{hold.prompt}</Text>
            </To>
          </span>
          <button type="button" className="hp-quiet" onClick={() => onDismiss(notice)}>
            Dismiss
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Browsers ask once and only when somebody has pressed something. */
export function OutsideNotices(): ReactNode {
  const [permission, setPermission] = useState(() =>
    "Notification" in globalThis ? Notification.permission : "denied",
  );
  if (permission === "granted") return <p>Notices are also shown outside this page.</p>;
  if (permission === "denied") return <p>This browser does not show notices outside the page.</p>;
  return (
    <button
      type="button"
      className="app-button"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      Show notices outside this page
    </button>
  );
}
