/** Until when, and what happens if nobody answers. */

import type { Hold } from "@holdpoint/protocol/client";
import type { ReactNode } from "react";
import { countdown } from "../headless/countdown.ts";
import { useHydrated } from "./hooks.ts";
import { Icon } from "./icons.tsx";

const WORDS = {
  noDeadline: "No deadline. It waits until somebody answers.",
  until: ", until",
  ifNobody: "If nobody answers:",
  time: "Time is up",
  left: (text: string | number) => `${text} left`,
  automatically: ", automatically: nobody decided.",
  byDefault: (action: string | number) => `“${action}” by default`,
  question: "the question expires, and the agent is told so.",
};

const FALLBACKS: Readonly<Record<string, string>> = {
  approve: "approved by default",
  reject: "rejected by default",
  skip: "skipped by default",
  abort: "stopped by default",
  cancel: "not done, by default",
  confirm: "confirmed by default",
  retry: "tried again by default",
};

interface DeadlineProps {
  readonly hold: Hold;
  readonly now: number;
}

/** How much time is left, counting down. */
export function Deadline({ hold, now }: DeadlineProps): ReactNode {
  if (hold.expiresAt === undefined) {
    return (
      <p className="hp-deadline">
        <Icon name="clock" />
        <span>{WORDS.noDeadline}</span>
      </p>
    );
  }
  const left = countdown(Date.parse(hold.createdAt), Date.parse(hold.expiresAt), now);
  return (
    <div className={left.isUrgent ? "hp-deadline hp-urgent" : "hp-deadline"}>
      <Icon name="clock" />
      <p>
        <strong className="hp-left">{left.isOver ? WORDS.time : WORDS.left(left.text)}</strong>
        {WORDS.until} <Moment at={hold.expiresAt} />
        <br />
        {WORDS.ifNobody} <Fallback hold={hold} />
      </p>
      <progress className="hp-share" value={left.share} max={1} aria-hidden="true" />
    </div>
  );
}

/** What the clock does is nobody's decision, and says so. */
function Fallback({ hold: { onTimeout } }: { readonly hold: Hold }): ReactNode {
  if (onTimeout?.action === undefined) return WORDS.question;
  return (
    <>
      <strong>{FALLBACKS[onTimeout.action] ?? WORDS.byDefault(onTimeout.action)}</strong>
      {WORDS.automatically}
    </>
  );
}

const LOCAL: Intl.DateTimeFormatOptions = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
};
/** Further away than this the year is said, and the weekday says nothing. */
const YEAR_MS = 300 * 86_400_000;
const FAR: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

/** The reader's own time once the page lives; before that the world's, said as such. */
export function Moment({ at }: { readonly at: string }): ReactNode {
  const isHydrated = useHydrated();
  const text = isHydrated
    ? new Date(at).toLocaleString(undefined, Math.abs(Date.parse(at) - Date.now()) < YEAR_MS ? LOCAL : FAR)
    : `${at.slice(0, 16).replace("T", " ")} UTC`;
  return <time dateTime={at}>{text}</time>;
}
