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

const WORDS = {
  work: "How you work in this browser",
  undo: "An answer counts",
  spans: { "0": "at once", "5": "5 seconds after it was given", "10": "10 seconds after it was given" },
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
      <Heading title="Settings" />
      <section className="app-panel">
        <h2>This server</h2>
        <dl className="app-facts">
          <div>
            <dt>Address</dt>
            <dd>
              <code>{publicUrl}</code>
            </dd>
          </div>
          <div>
            <dt>Version</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>API</dt>
            <dd>
              <a href="/docs">Reference</a> · <a href="/openapi.json">OpenAPI</a>
            </dd>
          </div>
        </dl>
        <p className="hp-hint">
          Channels, people and timeouts are set in holdpoint.yaml and by environment variables; they are read
          when the server starts.
        </p>
      </section>
      <section className="app-panel">
        <h2>{WORDS.work}</h2>
        <KeysSwitch />
        <UndoChoice />
      </section>
      <section className="app-panel">
        <h2>Notices</h2>
        <OutsideNotices />
      </section>
      <PushPanel />
      <You />
      <LinkedAccounts />
      <Passkeys />
      <section className="app-panel">
        <h2>Components</h2>
        <p>
          <a href="/gallery">The gallery</a> shows every component in every state.
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
      <h2>You</h2>
      <Await loaded={me}>
        {(who) => (
          <dl className="app-facts">
            <div>
              <dt>Name</dt>
              <dd>{who.name}</dd>
            </div>
            <div>
              <dt>Role</dt>
              <dd>{who.role}</dd>
            </div>
            <div>
              <dt>Workspace</dt>
              <dd>{who.workspace}</dd>
            </div>
          </dl>
        )}
      </Await>
    </section>
  );
}
