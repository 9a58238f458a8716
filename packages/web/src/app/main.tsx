/** The console in the browser. */

import { loadParts } from "@holdpoint/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { Access } from "./access.tsx";
import { AnswersProvider, OnTheirWay, useAnswers } from "./answers.tsx";
import { type AppState, apiOf } from "./api.ts";
import { Audit } from "./audit.tsx";
import { Channels } from "./channels.tsx";
import { tellOpened } from "./fresh.ts";
import { FreshDialog } from "./fresh-dialog.tsx";
import { History } from "./history.tsx";
import { HoldPage } from "./hold-page.tsx";
import { ApiContext, useApi, useKeys, usePath } from "./hooks.ts";
import { Inbox } from "./inbox/inbox.tsx";
import { keepReading, onLeft } from "./leaving.ts";
import { useStream } from "./live.ts";
import { type Notice, Notices, noticeOf, showOutside, withNotice } from "./notices.tsx";
import { Overview } from "./overview/overview.tsx";
import { Heading, To } from "./parts.tsx";
import { PersonPage } from "./people/person-page.tsx";
import { invalidate, newQueryClient, useCount } from "./queries.ts";
import { Rules } from "./rules/rules-page.tsx";
import { Settings } from "./settings.tsx";
import { Shell } from "./shell.tsx";
import { UnsentAnswers } from "./unsent-answers.tsx";
import "@holdpoint/react/style.css";
import "../page.css";
import "./app.css";
import "./notices.css";
import "./pages.css";
import "./panels.css";
import "./people/people.css";
import "./work.css";
import "./overview/overview.css";

const WORDS = {
  loading: "Loading …",
  pageDoesNot: "This page does not exist",
  backInbox: "Back to the inbox",
  broken: "This page could not be shown",
  left: "You are signed out",
  signIn: "Sign in",
  brokenMore:
    "Something on it was not as the console expects. Nothing was changed. The browser’s console has the details.",
};

const Playground = lazy(async () => ({ default: (await import("../playground/playground.tsx")).Playground }));
const AgUiApp = lazy(async () => ({ default: (await import("../playground/agui-app.tsx")).AgUiApp }));
const Gallery = lazy(async () => ({ default: (await import("../gallery/gallery.tsx")).Gallery }));

const queries = newQueryClient();

function App({ state }: { readonly state: AppState }): ReactNode {
  const api = useMemo(() => apiOf(state), [state]);
  const [isLeft, setLeft] = useState(false);
  useEffect(() => tellOpened(() => void api.renew()), [api]);
  useEffect(
    () =>
      onLeft(() => {
        queries.clear();
        setLeft(true);
      }),
    [],
  );
  if (isLeft) return <Left />;
  return (
    <ApiContext value={api}>
      <QueryClientProvider client={queries}>
        <AnswersProvider>
          <Live />
        </AnswersProvider>
      </QueryClientProvider>
    </ApiContext>
  );
}

/** The person has signed out in another tab: nothing of theirs stays on this page. */
function Left(): ReactNode {
  return (
    <main className="app-broken-page" role="alert">
      <h1>{WORDS.left}</h1>
      <p>
        <a href="/console">{WORDS.signIn}</a>
      </p>
    </main>
  );
}

/** What every page hears of, together, at most once a second. */
function useHappenings() {
  const api = useApi();
  const [beat, setBeat] = useState(0);
  const [hasNews, setNews] = useState(false);
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const connection = useStream(
    (happened) => {
      setBeat((n) => n + 1);
      setNews(invalidate(queries, happened));
      const told = happened.events.flatMap((event) => noticeOf(event) ?? []);
      if (told.length > 0) setNotices((before) => told.reduce(withNotice, before).slice(0, NOTICES_MAX));
    },
    (event) => void showOutside(event, api),
  );
  const dismiss = (gone: Notice) => setNotices((before) => before.filter((each) => each !== gone));
  return { beat, hasNews, notices, connection, dismiss };
}

const NOTICES_MAX = 20;

function Live(): ReactNode {
  const path = usePath();
  const { beat, hasNews, notices, connection, dismiss } = useHappenings();
  const { data: waiting } = useCount("");
  const { pending, undo } = useAnswers();
  useKeys({ u: () => undo(pending.at(-1)?.hold.id ?? "") });
  return (
    <Shell path={path} waiting={waiting} connection={connection}>
      <Notices notices={notices} onDismiss={dismiss} />
      <UnsentAnswers />
      <FreshDialog />
      <Suspense fallback={<p role="status">{WORDS.loading}</p>}>{pageAt(path, beat, hasNews)}</Suspense>
      <OnTheirWay />
    </Shell>
  );
}

function pageAt(path: string, beat: number, hasNews: boolean): ReactNode {
  const [here = ""] = path.split("?");
  const hold = /^\/console\/holds\/([\w-]+)$/.exec(here)?.[1];
  if (hold !== undefined) return <HoldPage key={hold} id={hold} />;
  const person = decoded(/^\/console\/people\/([^/]+)$/.exec(here)?.[1]);
  if (person !== undefined) return <PersonPage key={person} id={person} />;
  switch (here) {
    case "/console":
      return <Inbox hasNews={hasNews} />;
    case "/console/overview":
      return <Overview />;
    case "/console/history":
      return <History beat={beat} />;
    case "/console/audit":
      return <Audit />;
    case "/console/people":
      return <Access />;
    case "/console/rules":
      return <Rules beat={beat} />;
    case "/console/channels":
      return <Channels beat={beat} />;
    case "/console/settings":
      return <Settings />;
    case "/playground":
      return <Playground beat={beat} />;
    case "/playground/agui":
      return <AgUiApp />;
    case "/gallery":
      return <Gallery />;
    default:
      return (
        <>
          <Heading title={WORDS.pageDoesNot} />
          <p>
            <To href="/console">{WORDS.backInbox}</To>
          </p>
        </>
      );
  }
}

/** An address that somebody cut in the middle of a letter is the address of nothing. */
function decoded(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function Broken(): ReactNode {
  return (
    <main className="app-broken-page" role="alert">
      <h1>{WORDS.broken}</h1>
      <p>{WORDS.brokenMore}</p>
      <p>
        <a href="/console">{WORDS.backInbox}</a>
      </p>
    </main>
  );
}

const root = document.getElementById("root");
const state = document.getElementById("state")?.textContent;
if (root !== null && state !== undefined && state !== null) {
  // An operator meets every kind of hold; nothing shall appear piece by piece.
  await loadParts();
  // React removes everything when a page throws while it is drawn: say so instead of showing nothing.
  const app = createRoot(root, {
    onUncaughtError(fault) {
      reportError(fault);
      queueMicrotask(() => app.render(<Broken />));
    },
  });
  const given = JSON.parse(state) as AppState;
  await keepReading(given);
  app.render(<App state={given} />);
}
