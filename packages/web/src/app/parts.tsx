/** Small things that every page of the console uses. */

import { Icon } from "@holdpoint/react";
import { type MouseEvent, type ReactNode, useState } from "react";
import { go, type Loaded } from "./hooks.ts";

export function To({
  href,
  children,
  className,
}: {
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string;
}): ReactNode {
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(href);
  };
  return (
    <a href={href} className={className} onClick={onClick}>
      {children}
    </a>
  );
}

/** What is loaded, or why not, or that it is on its way: never an empty page without a word. */
export function Await<Value>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ReactNode;
}): ReactNode {
  const { value, trouble, reload } = loaded;
  if (value !== undefined) {
    return (
      <>
        {trouble === undefined ? null : <Trouble words={trouble} onRetry={reload} />}
        {children(value)}
      </>
    );
  }
  if (trouble !== undefined) return <Trouble words={trouble} onRetry={reload} />;
  return (
    <div className="app-loading" role="status">
      <span className="hp-unseen">Loading</span>
      <span />
      <span />
      <span />
    </div>
  );
}

function Trouble({ words, onRetry }: { readonly words: string; readonly onRetry: () => void }): ReactNode {
  return (
    <div className="hp-notice hp-bad" role="alert">
      <p>{words}</p>
      <button type="button" className="app-button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="app-empty">
      <span className="hp-seal">
        <Icon name="check" />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Copy({
  text,
  label = "Copy",
}: {
  readonly text: string;
  readonly label?: string;
}): ReactNode {
  const [isDone, setDone] = useState(false);
  return (
    <button
      type="button"
      className="app-button"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setDone(true));
      }}
    >
      {isDone ? "Copied" : label}
    </button>
  );
}

/** A secret, shown once. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <div className="hp-notice" role="status">
      <p>
        <strong>{label}</strong> It is shown once; keep it now.
      </p>
      <p className="app-secret">
        <code>{text}</code> <Copy text={text} />
      </p>
    </div>
  );
}

export function Heading({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <header className="app-heading">
      <h1>{title}</h1>
      {children === undefined ? null : <div className="app-tools">{children}</div>}
    </header>
  );
}

interface PagesProps {
  readonly cursor: string;
  readonly next: string | undefined;
  readonly go: (cursor: string) => void;
}

/** To older items, and back to the newest. */
export function Pages({ cursor, next, go: turn }: PagesProps): ReactNode {
  return (
    <div className="app-tools">
      {cursor === "" ? null : (
        <button type="button" className="app-button" onClick={() => turn("")}>
          Newest
        </button>
      )}
      {next === undefined ? null : (
        <button type="button" className="app-button" onClick={() => turn(next)}>
          Older
        </button>
      )}
    </div>
  );
}

const TONES: Readonly<Record<string, string>> = {
  approve: "go",
  confirm: "go",
  select: "go",
  submit: "go",
  retry: "go",
  sent: "go",
  fired: "go",
  reject: "stop",
  abort: "stop",
  failed: "stop",
  missed: "stop",
  no_channel: "stop",
};

export function Badge({ children }: { readonly children: string }): ReactNode {
  return (
    <span className={`app-badge app-${TONES[children] ?? "neutral"}`}>{children.replaceAll("_", " ")}</span>
  );
}

export function triesWords(count: number): string {
  return count === 0 ? "not tried yet" : count === 1 ? "tried once" : `tried ${count} times`;
}
