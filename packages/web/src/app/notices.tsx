/** Notices of the console channel: somebody is waited for, said where people are looking already. */

import type { EventOut } from "@holdpoint/protocol";
import { Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import type { Api } from "./api.ts";
import { To } from "./parts.tsx";
import { useHold } from "./queries.ts";

export interface Notice {
  readonly holdId: string;
  /** Which attempt to reach people this was. */
  readonly attempt: number;
}

const SHOWN_MAX = 3;

const WORDS = {
  label: "Notices",
  title: (attempt: number) => (attempt === 1 ? "Your answer is needed" : `Reminder ${attempt}`),
  dismiss: "Dismiss",
  shown: "Notices are also shown outside this page.",
  refused: "This browser does not show notices outside the page.",
  ask: "Show notices outside this page",
  notification: "Notification",
};

export function noticeOf({ type, hold_id: holdId, data }: EventOut): Notice | undefined {
  if (type !== "hold.notified" || holdId === undefined) return undefined;
  return { holdId, attempt: Number(data["attempt"] ?? 1) };
}

/** One a hold, the newest first. */
export function withNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
  return [notice, ...notices.filter(({ holdId }) => holdId !== notice.holdId)];
}

/** Outside the page too, where somebody allowed it and is looking elsewhere. One notice a hold, however many tabs there are. */
export async function showOutside(event: EventOut, { client }: Api): Promise<void> {
  const notice = noticeOf(event);
  if (notice === undefined || !(WORDS.notification in globalThis) || Notification.permission !== "granted")
    return;
  try {
    const hold = await client.get(notice.holdId);
    if (hold.status === "open")
      new Notification(WORDS.title(notice.attempt), { body: hold.prompt, tag: hold.id });
  } catch {
    // The page itself shows it when it is looked at.
  }
}

interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly onDismiss: (notice: Notice) => void;
}

/** Of what is still open; an answer takes its notice away. */
export function Notices({ notices, onDismiss }: NoticesProps): ReactNode {
  return (
    <ul className="app-notices" aria-label={WORDS.label} aria-live="polite">
      {notices.slice(0, SHOWN_MAX).map((notice) => (
        <NoticeRow key={notice.holdId} notice={notice} onDismiss={onDismiss} />
      ))}
    </ul>
  );
}

function NoticeRow({
  notice,
  onDismiss,
}: {
  readonly notice: Notice;
  readonly onDismiss: NoticesProps["onDismiss"];
}): ReactNode {
  const { data: hold } = useHold(notice.holdId);
  const prompt = hold?.status === "open" ? hold.prompt : undefined;
  if (hold === undefined || prompt === undefined) return null;
  return (
    <li>
      <span>
        <strong>{WORDS.title(notice.attempt)}</strong>
        <To href={`/console/holds/${hold.id}`}>
          <Text>{prompt}</Text>
        </To>
      </span>
      <button type="button" className="hp-quiet" onClick={() => onDismiss(notice)}>
        {WORDS.dismiss}
      </button>
    </li>
  );
}

/** Browsers ask once and only when somebody has pressed something. */
export function OutsideNotices(): ReactNode {
  const [permission, setPermission] = useState(() =>
    WORDS.notification in globalThis ? Notification.permission : "denied",
  );
  if (permission === "granted") return <p>{WORDS.shown}</p>;
  if (permission === "denied") return <p>{WORDS.refused}</p>;
  return (
    <button
      type="button"
      className="app-button"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {WORDS.ask}
    </button>
  );
}
