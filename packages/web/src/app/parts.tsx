/** Small things that every page of the console uses. */

import { Icon, Text } from "@holdpoint/react";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { wordsOf } from "./api.ts";
import { go, type Loaded } from "./hooks.ts";
import { shortened } from "./shortened.ts";

const WORDS = {
  triedTimes: (count: number) => `tried ${count} times`,
  loading: "Loading",
  tryAgain: "Try again",
  copied: "Copied",
  selectCopyBy: "Select it and copy by hand",
  yes: "Yes,",
  no: "No",
  shownOnceKeep: "It is shown once; keep it now.",
  newest: "Newest",
  older: "Older",
  copy: "Copy",
  notTriedYet: "not tried yet",
  triedOnce: "tried once",
};

export function To({
  href,
  children,
  className,
  "aria-current": current,
}: {
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly "aria-current"?: "page";
}): ReactNode {
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(href);
  };
  return (
    <a href={href} className={className} aria-current={current} onClick={onClick}>
      {children}
    </a>
  );
}

/** A question among other things: only its beginning, and in its own direction of writing. */
export function Prompt({ of }: { readonly of: string }): ReactNode {
  return (
    <bdi>
      <Text>{shortened(of)}</Text>
    </bdi>
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
      <span className="hp-unseen">{WORDS.loading}</span>
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
        {WORDS.tryAgain}
      </button>
    </div>
  );
}

/** Why the last press did not work. */
export function Problem({ words }: { readonly words: string | undefined }): ReactNode {
  return words === undefined ? null : (
    <p className="hp-notice hp-bad" role="alert">
      {words}
    </p>
  );
}

interface PanelProps {
  readonly title: string;
  readonly hint?: string;
  readonly trouble?: string | undefined;
  readonly children: ReactNode;
}

/** A part of a settings page: what it is about, what went wrong, what is there. */
export function Panel({ title, hint, trouble, children }: PanelProps): ReactNode {
  return (
    <section className="app-panel" aria-label={title}>
      <h2>{title}</h2>
      {hint === undefined ? null : <p className="hp-hint">{hint}</p>}
      <Problem words={trouble} />
      {children}
    </section>
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
  label = WORDS.copy,
}: {
  readonly text: string;
  readonly label?: string;
}): ReactNode {
  const [state, setState] = useState<"idle" | "done" | "failed">("idle");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState("done");
    } catch {
      // Browsers give no clipboard to pages that came over plain HTTP.
      setState("failed");
    }
  }
  return (
    <button type="button" className="app-button" onClick={() => void copy()}>
      {state === "done" ? WORDS.copied : state === "failed" ? WORDS.selectCopyBy : label}
    </button>
  );
}

interface SureProps {
  readonly label: string;
  /** What it means. */
  readonly question: string;
  readonly act: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly isDanger?: boolean;
}

/** Pressed twice, with what it means in between. */
export function Sure({ label, question, act, onDone, isDanger = false }: SureProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const isBack = useRef(false);
  if (!isAsked) {
    return (
      <button
        // A person who says no goes on from where they were.
        ref={(button) => {
          if (isBack.current) button?.focus();
          isBack.current = false;
        }}
        type="button"
        className={isDanger ? "app-button app-danger" : "app-button"}
        onClick={() => setAsked(true)}
      >
        {label}
      </button>
    );
  }
  const onNo = () => {
    isBack.current = true;
    setAsked(false);
  };
  const onYes = async () => {
    await act();
    setAsked(false);
    onDone();
  };
  return <Question label={label} question={question} onYes={onYes} onNo={onNo} />;
}

interface QuestionProps {
  readonly label: string;
  readonly question: string;
  readonly onYes: () => Promise<void>;
  readonly onNo: () => void;
}

function Question({ label, question, onYes, onNo }: QuestionProps): ReactNode {
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const no = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone: without this, a keyboard would start again at the top of the page.
  useEffect(() => no.current?.focus(), []);
  function press(): void {
    setBusy(true);
    onYes().catch((fault: unknown) => {
      setTrouble(wordsOf(fault));
      setBusy(false);
    });
  }
  return (
    <div className="hp-notice" role="alert">
      <p>{trouble ?? question}</p>
      <div className="app-tools">
        <button type="button" className="app-button app-danger" disabled={isBusy} onClick={press}>
          {WORDS.yes} {label.charAt(0).toLowerCase() + label.slice(1)}
        </button>
        <button ref={no} type="button" className="app-button" onClick={onNo}>
          {WORDS.no}
        </button>
      </div>
    </div>
  );
}

/** A secret, shown once. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <div className="hp-notice" role="status">
      <p>
        <strong>{label}</strong> {WORDS.shownOnceKeep}
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
          {WORDS.newest}
        </button>
      )}
      {next === undefined ? null : (
        <button type="button" className="app-button" onClick={() => turn(next)}>
          {WORDS.older}
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
  return count === 0 ? WORDS.notTriedYet : count === 1 ? WORDS.triedOnce : WORDS.triedTimes(count);
}
