/** What this server is, and how it is reached. */

import type { MeOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "./hooks.ts";
import { KeysSwitch } from "./keys.tsx";
import { LinkedAccounts } from "./linked-accounts.tsx";
import { OutsideNotices } from "./notices.tsx";
import { Await, Heading } from "./parts.tsx";
import { Passkeys } from "./passkeys.tsx";
import { usePref } from "./prefs.ts";
import { PushPanel } from "./push-panel.tsx";
import { ServerSettings } from "./server-settings.tsx";

const WORDS = {
  work: "How you work in this browser",
  undo: "An answer counts",
  spans: { "0": "at once", "5": "5 seconds after it was given", "10": "10 seconds after it was given" },
  settings: "Settings",
  server: "This server",
  address: "Address",
  version: "Version",
  api: "API",
  reference: "Reference",
  openapi: "OpenAPI",
  elsewhere:
    "People, teams, rotas, keys, rules, chats, e-mail and webhooks are changed in this console. Other settings that need no restart are below. What belongs to the machine (addresses, the database, identity providers) stands in holdpoint.yaml and in environment variables, which are read when the server starts.",
  notices: "Notices",
  components: "Components",
  showsEveryComponent: "shows every component in every state.",
  gallery: "The gallery",
  you: "You",
  name: "Name",
  role: "Role",
  workspace: "Workspace",
};

function UndoChoice(): ReactNode {
  const [seconds, set] = usePref("undo");
  return (
    <label className="app-field">
      {WORDS.undo}
      <select value={seconds ?? "5"} onChange={(event) => set(event.currentTarget.value)}>
        {Object.entries(WORDS.spans).map(([span, words]) => (
          <option key={span} value={span}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Settings(): ReactNode {
  const api = useApi();
  const { publicUrl, version } = api.state;
  return (
    <>
      <Heading title={WORDS.settings} />
      <section className="app-panel">
        <h2>{WORDS.server}</h2>
        <dl className="app-facts">
          <div>
            <dt>{WORDS.address}</dt>
            <dd>
              <code>{publicUrl}</code>
            </dd>
          </div>
          <div>
            <dt>{WORDS.version}</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>{WORDS.api}</dt>
            <dd>
              <a href="/docs">{WORDS.reference}</a> · <a href="/openapi.json">{WORDS.openapi}</a>
            </dd>
          </div>
        </dl>
        <p className="hp-hint">{WORDS.elsewhere}</p>
      </section>
      <ServerSettings />
      <section className="app-panel">
        <h2>{WORDS.work}</h2>
        <KeysSwitch />
        <UndoChoice />
      </section>
      <section className="app-panel">
        <h2>{WORDS.notices}</h2>
        <OutsideNotices />
      </section>
      <PushPanel />
      <You />
      <LinkedAccounts />
      <Passkeys />
      <section className="app-panel">
        <h2>{WORDS.components}</h2>
        <p>
          <a href="/gallery">{WORDS.gallery}</a> {WORDS.showsEveryComponent}
        </p>
      </section>
    </>
  );
}

function You(): ReactNode {
  const api = useApi();
  const me = useLoaded(() => api.get<MeOut>("/v1/me"));
  return (
    <section className="app-panel">
      <h2>{WORDS.you}</h2>
      <Await loaded={me}>
        {(who) => (
          <dl className="app-facts">
            <div>
              <dt>{WORDS.name}</dt>
              <dd>{who.name}</dd>
            </div>
            <div>
              <dt>{WORDS.role}</dt>
              <dd>{who.role}</dd>
            </div>
            <div>
              <dt>{WORDS.workspace}</dt>
              <dd>{who.workspace}</dd>
            </div>
          </dl>
        )}
      </Await>
    </section>
  );
}
