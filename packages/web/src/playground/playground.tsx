/** Make any ask and watch it from all sides: what the agent sees, what the person sees, what the log says. */

import type { EventListOut, HoldOut, KeyOut } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Answering } from "../app/answering.tsx";
import { type Api, eventOf, holdOf, wordsOf } from "../app/api.ts";
import { useApi, useLoaded } from "../app/hooks.ts";
import { Await, Copy, Heading } from "../app/parts.tsx";
import { Timeline } from "../app/timeline.tsx";
import { curlOf, sdkOf, TEMPLATES } from "./samples.ts";

const NAMES = Object.keys(TEMPLATES);

function textOf(name: string): string {
  return JSON.stringify(TEMPLATES[name] ?? {}, null, 2);
}

/** Who asks cannot answer, so the playground asks as an agent with a key of its own. */
async function agentKey(api: Api): Promise<string> {
  const kept = sessionStorage.getItem("holdpoint.playground");
  if (kept !== null) return kept;
  const { secret = "" } = await api.send<KeyOut>("POST", "/v1/keys", { name: "playground", role: "agent" });
  sessionStorage.setItem("holdpoint.playground", secret);
  return secret;
}

export function Playground({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [name, setName] = useState("approval");
  const [text, setText] = useState(textOf("approval"));
  const [placed, setPlaced] = useState<HoldOut>();
  const [trouble, setTrouble] = useState<string>();
  const ask = parsed(text);

  async function place(): Promise<void> {
    try {
      const key = await agentKey(api);
      setPlaced(await api.send<HoldOut>("POST", "/v1/holds", ask, key));
      setTrouble(undefined);
    } catch (fault) {
      sessionStorage.removeItem("holdpoint.playground");
      setTrouble(wordsOf(fault));
    }
  }

  return (
    <>
      <Heading title="Playground" />
      <section className="app-panel">
        <div className="app-bar">
          <label className="app-field">
            <span className="hp-unseen">Begin with</span>
            <select
              value={name}
              onChange={({ currentTarget: { value } }) => {
                setName(value);
                setText(textOf(value));
              }}
            >
              {NAMES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="app-button app-primary"
            disabled={ask === undefined}
            onClick={() => void place()}
          >
            Ask
          </button>
          <Copy key={`c${text}`} text={curlOf(api.state.publicUrl, text)} label="Copy as curl" />
          <Copy key={`s${text}`} text={sdkOf(ask ?? {})} label="Copy as SDK code" />
        </div>
        <label className="app-field">
          What the agent asks
          <textarea
            value={text}
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {ask === undefined ? <p className="hp-problem">This is not JSON yet.</p> : null}
        {trouble === undefined ? null : (
          <p className="hp-problem" role="alert">
            {trouble}
          </p>
        )}
      </section>
      {placed === undefined ? null : <Panes key={placed.id} placed={placed} beat={beat} />}
    </>
  );
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function Panes({ placed, beat }: { readonly placed: HoldOut; readonly beat: number }): ReactNode {
  const api = useApi();
  const hold = useLoaded(() => api.get<HoldOut>(`/v1/holds/${placed.id}`), placed.id, beat);
  const events = useLoaded(
    async () => (await api.get<EventListOut>(`/v1/holds/${placed.id}/events?limit=200`)).events.map(eventOf),
    placed.id,
    beat,
  );
  return (
    <div className="app-panes">
      <section className="app-panel" aria-label="What the agent sees">
        <h2>What the agent sees</h2>
        <p className="hp-hint">The reply to placing</p>
        <pre>
          {JSON.stringify({ id: placed.id, status: placed.status, review_url: placed.review_url }, null, 2)}
        </pre>
        <p className="hp-hint">GET /v1/holds/{placed.id}?wait=30</p>
        <Await loaded={hold}>
          {({ status, opened_at, outcome }) => (
            <pre>{JSON.stringify({ status, opened_at, outcome }, null, 2)}</pre>
          )}
        </Await>
      </section>
      <section className="app-panel" aria-label="What the person sees">
        <h2>What the person sees</h2>
        <Await loaded={hold}>{(value) => <Answering hold={holdOf(value)} />}</Await>
      </section>
      <section className="app-panel" aria-label="What the log says">
        <h2>What the log says</h2>
        <Await loaded={events}>{(list) => <Timeline events={list} />}</Await>
      </section>
    </div>
  );
}
