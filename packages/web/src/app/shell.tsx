/** The frame of the console: where one can go, who is signed in, whether it is live. */

import type { CountOut } from "@holdpoint/protocol";
import { Icon, type IconName, Text } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Mark } from "../mark.tsx";
import { ThemeToggle } from "../theme-toggle.tsx";
import { OTHER_PERSON } from "./api.ts";
import { useApi } from "./hooks.ts";
import { leaveNothing } from "./leaving.ts";
import type { Connection } from "./live.ts";
import { To } from "./parts.tsx";
import { isDevice, leaveDevice } from "./push-device.ts";
import { countWords, useNames } from "./queries.ts";
import { dropUnsent } from "./unsent.ts";

const WORDS = {
  skipContent: "Skip to content",
  console: "Console",
  noConnectionServer: "No connection to the server. What you see may be old; it catches up by itself.",
  signOut: "Sign out",
  youAreSigned: "You are signed out. Nothing you press here counts until you sign in again.",
  signAgain: "Sign in again",
  somebodyElse: (other: string, own: string) =>
    `Now ${other} is signed in in this browser, and this page belongs to ${own}. Nothing you press here counts.`,
  goOn: (other: string) => `Go on as ${other}`,
  holdpoint: "Holdpoint",
};

export const PLACES: readonly (readonly [path: string, name: string, icon: IconName])[] = [
  ["/console", "Inbox", "bell"],
  ["/console/overview", "Overview", "eye"],
  ["/console/history", "History", "clock"],
  ["/console/audit", "Audit", "document"],
  ["/console/people", "People and keys", "person"],
  ["/console/rules", "Rules", "check"],
  ["/console/channels", "Channels", "link"],
  ["/console/settings", "Settings", "tool"],
  ["/playground", "Playground", "pencil"],
];

const CONNECTION: Readonly<Record<Connection, string>> = {
  connecting: "Connecting …",
  live: "Live",
  lost: "Reconnecting …",
  "signed out": "Signed out",
};

interface ShellProps {
  readonly path: string;
  readonly waiting: CountOut | undefined;
  readonly connection: Connection;
  readonly children: ReactNode;
}

export function Shell({ path, waiting, connection, children }: ShellProps): ReactNode {
  const { state } = useApi();
  const here = path.split("?")[0] ?? "";
  const name = PLACES.find(([to]) => isHere(here, to))?.[1];
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where we are is what it is about.
  useEffect(() => {
    document.title = name === undefined ? WORDS.holdpoint : `${name} · Holdpoint`;
    // On a phone the places stand in a line that is longer than the screen.
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (current != null) list.current?.scrollTo({ left: current.offsetLeft - 16 });
  }, [here]);
  useFocusOnHeading(here);
  return (
    <div className="app">
      <a className="app-skip" href="#main">
        {WORDS.skipContent}
      </a>
      <nav className="app-nav" aria-label={WORDS.console}>
        <div className="app-brand">
          <Mark />
          <ThemeToggle />
        </div>
        <ul ref={list}>
          {PLACES.filter(([to]) => to !== "/playground" || state.isLocal).map(([to, name, icon]) => (
            <li key={to}>
              <To
                href={to}
                {...(isHere(here, to) ? { className: "app-here", "aria-current": "page" as const } : {})}
              >
                <Icon name={icon} />
                {name}
                {to === "/console" && waiting !== undefined && waiting.count > 0 ? (
                  <b>{countWords(waiting)}</b>
                ) : null}
              </To>
            </li>
          ))}
        </ul>
        <div className="app-who">
          <p>
            <span className={`app-dot app-${connection === "signed out" ? "lost" : connection}`} />
            {CONNECTION[connection]}
          </p>
          <SignOut />
        </div>
      </nav>
      <main id="main" className="app-main" tabIndex={-1}>
        {connection === "signed out" ? <SignedOut /> : null}
        <SomebodyElse />
        {connection === "lost" ? (
          <p className="web-offline" role="status">
            {WORDS.noConnectionServer}
          </p>
        ) : null}
        {children}
      </main>
    </div>
  );
}

/** A browser that gets notifications stops getting them first; answers that were not sent go with who gave them. */
function SignOut(): ReactNode {
  const api = useApi();
  const { person, name, role } = api.state;
  const token = useRef<HTMLInputElement>(null);
  async function leave(form: HTMLFormElement): Promise<void> {
    // Signing out ends the session that this browser has now, unless it is another person's.
    if (!(await api.renew())) return;
    dropUnsent(name);
    if (isDevice()) await leaveDevice(api).catch(() => undefined);
    if (token.current !== null) token.current.value = api.csrf();
    await leaveNothing();
    form.submit();
  }
  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void leave(event.currentTarget);
  }
  return (
    <form method="post" action="/signout" onSubmit={onSubmit}>
      <input ref={token} type="hidden" name="_csrf" defaultValue={api.csrf()} />
      <span>
        {person ?? name} <small>{role}</small>
      </span>
      <button type="submit" className="hp-quiet">
        {WORDS.signOut}
      </button>
    </form>
  );
}

/** A person who goes to another page is there: screen readers read its heading, and Tab goes on from it. */
function useFocusOnHeading(here: string): void {
  const before = useRef(here);
  useEffect(() => {
    if (before.current === here) return undefined;
    before.current = here;
    let tries = 0;
    const find = () => {
      // While a page's script is loaded, React keeps the page before it in the document, hidden.
      const headings = [...document.querySelectorAll<HTMLElement>("#main h1")];
      const heading = headings.find((each) => each.checkVisibility());
      if (heading === undefined && tries < 40) {
        tries += 1;
        timer = setTimeout(find, 50);
        return;
      }
      const target = heading ?? document.getElementById("main");
      // Somebody who already types or tabs on the new page is not called back.
      if (target === null || document.querySelector("#main :focus") !== null) return;
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
    };
    let timer = setTimeout(find, 0);
    return () => clearTimeout(timer);
  }, [here]);
}

function SignedOut(): ReactNode {
  return (
    <div className="hp-notice hp-bad" role="alert">
      <p>{WORDS.youAreSigned}</p>
      <button type="button" className="app-button" onClick={() => location.reload()}>
        {WORDS.signAgain}
      </button>
    </div>
  );
}

/** Somebody else has signed in in another tab: what this page sends would be theirs. */
function SomebodyElse(): ReactNode {
  const { state } = useApi();
  const [other, setOther] = useState("");
  useEffect(() => {
    const onOther = (event: Event) => setOther((event as CustomEvent<string>).detail);
    addEventListener(OTHER_PERSON, onOther);
    return () => removeEventListener(OTHER_PERSON, onOther);
  }, []);
  const nameOf = useNames();
  if (other === "") return null;
  return (
    <div className="hp-notice hp-bad" role="alert">
      <p>
        <Text>{WORDS.somebodyElse(nameOf(other), state.person ?? state.name)}</Text>
      </p>
      <button type="button" className="app-button" onClick={() => location.reload()}>
        <Text>{WORDS.goOn(nameOf(other))}</Text>
      </button>
    </div>
  );
}

function isHere(here: string, to: string): boolean {
  return here === to || (to === "/console" ? here.startsWith("/console/holds") : here.startsWith(`${to}/`));
}
