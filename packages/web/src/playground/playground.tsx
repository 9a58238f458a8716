/** Make any ask and watch it from all sides: what the agent sees, what the person sees, what the log says. */

import type { EventListOut, HoldOut } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Answering } from "../app/answering.tsx";
import { eventOf, holdOf, wordsOf } from "../app/api.ts";
import { useApi, useLoaded } from "../app/hooks.ts";
import { Await, Copy, Heading, To } from "../app/parts.tsx";
import { useHold } from "../app/queries.ts";
import { Timeline } from "../app/timeline.tsx";
import { AgentPane } from "./agent-pane.tsx";
import { curlOf, sdkOf } from "./code.ts";
import { type Agent, type Asked, agentOf, FACES, type FaceName, keepKeyAfter, signedIn } from "./faces.ts";
import { TEMPLATES } from "./samples.ts";

const WORDS = {
  playground: "Playground",
  beginWith: "Begin with",
  askThrough: "Ask through",
  whatAgentAsks: "What the agent asks",
  demoAgentAsks: "The demo agent asks in its own words; the type above chooses what it does. Or meet it in",
  agUiApp: "an AG-UI app",
  notJsonYet: "This is not JSON yet.",
  ask: "Ask",
  copyAsCurl: "Copy as curl",
  copyAsSdk: "Copy as SDK code",
  whatPersonSees: "What the person sees",
  whatLogSays: "What the log says",
};

function textOf(name: string): string {
  return JSON.stringify(TEMPLATES[name] ?? {}, null, 2);
}

interface Placed {
  readonly asked: Asked;
  readonly agent: Agent;
  readonly face: FaceName;
}

export function Playground({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [face, setFace] = useState<FaceName>("native");
  const [name, setName] = useState("approval");
  const [text, setText] = useState(textOf("approval"));
  const [placed, setPlaced] = useState<Placed>();
  const [trouble, setTrouble] = useState<string>();
  const question = parsed(text);

  async function place(): Promise<void> {
    try {
      const agent = face === "agui" ? signedIn(api) : await agentOf(api);
      const asked = await FACES[face].ask(agent.call, question ?? {});
      setPlaced({ asked, agent, face });
      setTrouble(undefined);
    } catch (fault) {
      keepKeyAfter(fault);
      setTrouble(wordsOf(fault));
    }
  }

  return (
    <>
      <Heading title={WORDS.playground} />
      <section className="app-panel">
        <div className="app-bar">
          <Choice
            label={WORDS.beginWith}
            value={name}
            options={Object.keys(TEMPLATES).map((each) => [each, each])}
            onChange={(chosen) => {
              setName(chosen);
              setText(textOf(chosen));
            }}
          />
          <Choice
            label={WORDS.askThrough}
            value={face}
            options={Object.entries(FACES).map(([id, { name: said }]) => [id, said])}
            onChange={(chosen) => setFace(chosen as FaceName)}
          />
          <Buttons face={face} question={question} onAsk={() => void place()} />
        </div>
        <label className="app-field">
          {WORDS.whatAgentAsks}
          <textarea
            value={text}
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {face === "agui" ? (
          <p className="hp-hint">
            {WORDS.demoAgentAsks} <To href="/playground/agui">{WORDS.agUiApp}</To>.
          </p>
        ) : null}
        {question === undefined ? <p className="hp-problem">{WORDS.notJsonYet}</p> : null}
        {trouble === undefined ? null : (
          <p className="hp-problem" role="alert">
            {trouble}
          </p>
        )}
      </section>
      {placed === undefined ? null : <Panes key={placed.asked.holdId} {...placed} beat={beat} />}
    </>
  );
}

interface ButtonsProps {
  readonly face: FaceName;
  readonly question: Readonly<Record<string, unknown>> | undefined;
  readonly onAsk: () => void;
}

function Buttons({ face, question, onAsk }: ButtonsProps): ReactNode {
  const api = useApi();
  // What was copied of one question says nothing about the next.
  const said = `${face}${JSON.stringify(question)}`;
  return (
    <>
      <button
        type="button"
        className="app-button app-primary"
        disabled={question === undefined}
        onClick={onAsk}
      >
        {WORDS.ask}
      </button>
      <Copy
        key={`c${said}`}
        text={curlOf(face, api.state.publicUrl, question ?? {})}
        label={WORDS.copyAsCurl}
      />
      <Copy key={`s${said}`} text={sdkOf(face, question ?? {})} label={WORDS.copyAsSdk} />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly onChange: (id: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <label className="app-field app-inline">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function Panes({ asked, agent, face, beat }: Placed & { readonly beat: number }): ReactNode {
  const api = useApi();
  const id = asked.holdId;
  // Has an answer that was given here at once; events are told at most once a second.
  const { data: known } = useHold(id);
  const hold = useLoaded(() => api.get<HoldOut>(`/v1/holds/${id}`), id, beat, known?.version);
  const events = useLoaded(
    async () => (await api.get<EventListOut>(`/v1/holds/${id}/events?limit=200`)).events.map(eventOf),
    id,
    beat,
    known?.version,
  );
  return (
    <Await loaded={hold}>
      {(value) => (
        <div className="app-panes">
          <AgentPane asked={asked} hold={value} agent={agent} first={face} beat={beat} />
          <section className="app-panel" aria-label={WORDS.whatPersonSees}>
            <h2>{WORDS.whatPersonSees}</h2>
            <Answering hold={known ?? holdOf(value)} />
          </section>
          <section className="app-panel" aria-label={WORDS.whatLogSays}>
            <h2>{WORDS.whatLogSays}</h2>
            <Await loaded={events}>{(list) => <Timeline events={list} />}</Await>
          </section>
        </div>
      )}
    </Await>
  );
}
