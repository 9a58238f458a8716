/** The console in the browser. */

import { loadParts } from "@holdpoint/react";
import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { createRoot } from "react-dom/client";
import { Access } from "./access.tsx";
import { type AppState, apiOf } from "./api.ts";
import { Audit } from "./audit.tsx";
import { Channels } from "./channels.tsx";
import { FreshDialog } from "./fresh-dialog.tsx";
import { History } from "./history.tsx";
import { HoldPage } from "./hold-page.tsx";
import { ApiContext, usePath } from "./hooks.ts";
import { Inbox } from "./inbox.tsx";
import { Notices } from "./notices.tsx";
import { Empty, To } from "./parts.tsx";
import { PersonPage } from "./people/person-page.tsx";
import { Rules } from "./rules/rules-page.tsx";
import { Settings } from "./settings.tsx";
import { Shell } from "./shell.tsx";
import { type OpenHolds, useOpenHolds } from "./use-holds.ts";
import "@holdpoint/react/style.css";
import "../page.css";
import "./app.css";
import "./notices.css";
import "./pages.css";
import "./panels.css";
import "./people/people.css";

const Playground = lazy(async () => ({ default: (await import("../playground/playground.tsx")).Playground }));
const AgUiApp = lazy(async () => ({ default: (await import("../playground/agui-app.tsx")).AgUiApp }));
const Gallery = lazy(async () => ({ default: (await import("../gallery/gallery.tsx")).Gallery }));

function App({ state }: { readonly state: AppState }): ReactNode {
  const api = useMemo(() => apiOf(state), [state]);
  return (
    <ApiContext value={api}>
      <Live />
    </ApiContext>
  );
}

function Live(): ReactNode {
  const path = usePath();
  const open = useOpenHolds();
  return (
    <Shell path={path} waiting={open.holds?.size} connection={open.connection}>
      <Notices notices={open.notices} holds={open.holds} onDismiss={open.dismiss} />
      <FreshDialog />
      <Suspense fallback={<p role="status">Loading …</p>}>{pageAt(path, open)}</Suspense>
    </Shell>
  );
}

function pageAt(path: string, open: OpenHolds): ReactNode {
  const [here = ""] = path.split("?");
  const hold = /^\/console\/holds\/([\w-]+)$/.exec(here)?.[1];
  if (hold !== undefined) return <HoldPage key={hold} id={hold} beat={open.beat} />;
  const person = /^\/console\/people\/([^/]+)$/.exec(here)?.[1];
  if (person !== undefined) return <PersonPage key={person} id={decodeURIComponent(person)} />;
  switch (here) {
    case "/console":
      return <Inbox open={open} />;
    case "/console/history":
      return <History beat={open.beat} />;
    case "/console/audit":
      return <Audit />;
    case "/console/people":
      return <Access />;
    case "/console/rules":
      return <Rules beat={open.beat} />;
    case "/console/channels":
      return <Channels beat={open.beat} />;
    case "/console/settings":
      return <Settings />;
    case "/playground":
      return <Playground beat={open.beat} />;
    case "/playground/agui":
      return <AgUiApp />;
    case "/gallery":
      return <Gallery />;
    default:
      return (
        <Empty title="This page does not exist">
          <p>
            <To href="/console">Back to the inbox</To>
          </p>
        </Empty>
      );
  }
}

const root = document.getElementById("root");
const state = document.getElementById("state")?.textContent;
if (root !== null && state !== undefined && state !== null) {
  // An operator meets every kind of hold; nothing shall appear piece by piece.
  await loadParts();
  createRoot(root).render(<App state={JSON.parse(state) as AppState} />);
}
