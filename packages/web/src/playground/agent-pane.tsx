/** What the agent sees: the reply to asking, then the hold through whichever protocol it looks. */

import type { DeliveryListOut, HoldOut } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { useApi, useLoaded } from "../app/hooks.ts";
import { Await, Badge, triesWords } from "../app/parts.tsx";
import { type Agent, type Asked, FACES, type FaceName } from "./faces.ts";
import { useStream } from "./stream.ts";

const WORDS = {
  whatAgentSees: "What the agent sees",
  seenThrough: "Seen through",
  get: (path: string | number) => `GET ${path}`,
  getReviewsEvents: (caseId: string | number) => `GET /reviews/${caseId}/events`,
  callback: (callbackUrl: string | number) => `Callback to ${callbackUrl}`,
  sentWhenEnds: "Sent when it ends.",
};

interface PaneProps {
  readonly asked: Asked;
  readonly hold: HoldOut;
  readonly agent: Agent;
  readonly first: FaceName;
  readonly beat: number;
}

export function AgentPane({ asked, hold, agent, first, beat }: PaneProps): ReactNode {
  const [face, setFace] = useState(first);
  const path = FACES[face].watch(hold);
  const seen = useLoaded(
    async () => (path === undefined ? null : agent.call<object>("GET", path)),
    path,
    beat,
  );
  const frames = useStream(face === "hitl" ? `/reviews/${hold.case_id}/events` : undefined, agent);
  return (
    <section className="app-panel" aria-label={WORDS.whatAgentSees}>
      <h2>{WORDS.whatAgentSees}</h2>
      <p className="hp-hint">{asked.line}</p>
      <pre>{JSON.stringify(asked.reply, null, 2)}</pre>
      <fieldset className="app-faces">
        <legend className="hp-unseen">{WORDS.seenThrough}</legend>
        {(Object.keys(FACES) as FaceName[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === face}
            disabled={FACES[name].watch(hold) === undefined}
            onClick={() => setFace(name)}
          >
            {FACES[name].name}
          </button>
        ))}
      </fieldset>
      {path === undefined ? null : <p className="hp-hint">{WORDS.get(path)}</p>}
      <Await loaded={seen}>{(value) => <pre>{JSON.stringify(shownOf(face, value), null, 2)}</pre>}</Await>
      {frames.length === 0 ? null : (
        <>
          <p className="hp-hint">{WORDS.getReviewsEvents(hold.case_id)}</p>
          <pre>
            {frames.map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${data}`).join("\n\n")}
          </pre>
        </>
      )}
      <Callbacks hold={hold} beat={beat} />
    </section>
  );
}

/** Of a hold and of an intent only what changes while one waits. */
function shownOf(face: FaceName, value: object | null): unknown {
  if (face === "native") {
    const { status, opened_at, progress, outcome } = (value ?? {}) as HoldOut;
    return { status, opened_at, progress, outcome };
  }
  if (face !== "openintent") return value;
  const { status, version, state } = (value ?? {}) as Record<string, unknown>;
  return { status, version, state };
}

function Callbacks({ hold, beat }: { readonly hold: HoldOut; readonly beat: number }): ReactNode {
  const api = useApi();
  const sent = useLoaded(
    async () =>
      hold.callback_url === undefined
        ? []
        : (await api.get<DeliveryListOut>(`/v1/deliveries?hold_id=${hold.id}`)).deliveries,
    hold.id,
    beat,
  );
  if (hold.callback_url === undefined) return null;
  return (
    <>
      <p className="hp-hint">{WORDS.callback(hold.callback_url)}</p>
      <Await loaded={sent}>
        {(list) =>
          list.length === 0 ? (
            <p>{WORDS.sentWhenEnds}</p>
          ) : (
            <ul className="app-plain">
              {list.map((delivery) => (
                <li key={delivery.id}>
                  <span>
                    {delivery.event_type} <small>{triesWords(delivery.attempts.length)}</small>
                  </span>
                  <Badge>{delivery.state}</Badge>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </>
  );
}
