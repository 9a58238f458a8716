/** One hold, whole: the question and its answer, and beside it everything that happened and will. */

import type { DeliveryListOut, EventListOut, HoldOut, LinkListOut, LinkOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Icon, Moment } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { Answering } from "./answering.tsx";
import { eventOf, holdOf, wordsOf } from "./api.ts";
import { Execution } from "./execution.tsx";
import { useApi, useLoaded } from "./hooks.ts";
import { IntentPanel } from "./intent-picture.tsx";
import { LadderPicture } from "./ladder-picture.tsx";
import { Await, Badge, Secret, Sure, To } from "./parts.tsx";
import { Timeline } from "./timeline.tsx";

interface PageProps {
  readonly id: string;
  /** Changes when anything happened. */
  readonly beat: number;
}

export function HoldPage({ id, beat }: PageProps): ReactNode {
  const api = useApi();
  const hold = useLoaded(async () => holdOf(await api.get<HoldOut>(`/v1/holds/${id}`)), id, beat);
  return (
    <>
      <p className="app-crumb">
        <To href="/console">
          <Icon name="back" /> Inbox
        </To>
      </p>
      <Await loaded={hold}>
        {(value) => (
          <div className="app-hold">
            <div>
              <Answering key={value.id} hold={value} />
            </div>
            <aside aria-label="About this hold">
              <Facts hold={value} />
              <Execution hold={value} onChanged={hold.reload} />
              {value.intentId === undefined ? null : <IntentPanel id={value.intentId} beat={beat} />}
              <Ladder hold={value} beat={beat} />
              <History id={id} beat={beat} />
              <Links hold={value} beat={beat} />
            </aside>
          </div>
        )}
      </Await>
    </>
  );
}

function Facts({ hold }: { readonly hold: Hold }): ReactNode {
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Status", <Badge key="s">{hold.status}</Badge>],
    ["Hold", <code key="i">{hold.id}</code>],
    ...(hold.key === undefined ? [] : [["Key", <code key="k">{hold.key}</code>] as const]),
    ["Who may answer", hold.answerers?.join(", ") ?? "any operator, and anybody with a link"],
    ["Doors", hold.links === "agent" ? "console, API, links, one given to the agent" : "console, API, links"],
    ...(hold.previous === undefined
      ? []
      : [
          [
            "Earlier round",
            <To key="p" href={`/console/holds/${hold.previous}`}>
              {hold.previous}
            </To>,
          ] as const,
        ]),
    ...(hold.next === undefined
      ? []
      : [
          [
            "Later round",
            <To key="n" href={`/console/holds/${hold.next}`}>
              {hold.next}
            </To>,
          ] as const,
        ]),
    ...(hold.intentId === undefined ? [] : [["Intent", <code key="t">{hold.intentId}</code>] as const]),
    ...(hold.threadId === undefined ? [] : [["Thread", <code key="h">{hold.threadId}</code>] as const]),
    [
      "Digest of what is asked",
      <code key="d" className="app-hash">
        {hold.digest}
      </code>,
    ],
  ];
  return (
    <section className="app-panel">
      <h2>About</h2>
      <dl className="app-facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Ladder({ hold, beat }: { readonly hold: Hold; readonly beat: number }): ReactNode {
  const api = useApi();
  const deliveries = useLoaded(
    async () => (await api.get<DeliveryListOut>(`/v1/deliveries?hold_id=${hold.id}`)).deliveries,

    hold.id,
    beat,
  );
  return (
    <section className="app-panel">
      <h2>Ladder</h2>
      <LadderPicture hold={hold} deliveries={deliveries.value ?? []} />
    </section>
  );
}

function History({ id, beat }: { readonly id: string; readonly beat: number }): ReactNode {
  const api = useApi();
  const events = useLoaded(
    async () => (await api.get<EventListOut>(`/v1/holds/${id}/events?limit=200`)).events.map(eventOf),

    id,
    beat,
  );
  return (
    <section className="app-panel">
      <h2>Timeline</h2>
      <Await loaded={events}>{(list) => <Timeline events={list} />}</Await>
    </section>
  );
}

function Links({ hold, beat }: { readonly hold: Hold; readonly beat: number }): ReactNode {
  const api = useApi();
  const [made, setMade] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const links = useLoaded(
    async () => (await api.get<LinkListOut>(`/v1/holds/${hold.id}/links`)).links,

    hold.id,
    beat,
  );
  const act = (work: Promise<unknown>) =>
    void work
      .then(
        () => setTrouble(undefined),
        (fault: unknown) => setTrouble(wordsOf(fault)),
      )
      .finally(links.reload);
  return (
    <section className="app-panel">
      <h2>Links</h2>
      {made === undefined ? null : <Secret label="A new review link." text={made} />}
      {trouble === undefined ? null : (
        <p className="hp-problem" role="alert">
          {trouble}
        </p>
      )}
      <Await loaded={links}>
        {(list) => (
          <ul className="app-plain">
            {list.map((link) => (
              <li key={link.id}>
                <span>
                  {link.to ?? link.created_by}{" "}
                  <small>
                    {link.purpose}, <Moment at={link.created_at} />
                  </small>
                </span>
                {link.revoked_at === undefined ? (
                  <Sure
                    label="Revoke"
                    question="This link cannot be opened or answered any more."
                    act={() => api.send("DELETE", `/v1/holds/${hold.id}/links/${link.id}`)}
                    onDone={links.reload}
                  />
                ) : (
                  <Badge>revoked</Badge>
                )}
              </li>
            ))}
          </ul>
        )}
      </Await>
      {hold.status === "open" ? (
        <button
          type="button"
          className="app-button"
          onClick={() =>
            act(api.send<LinkOut>("POST", `/v1/holds/${hold.id}/links`, {}).then(({ url }) => setMade(url)))
          }
        >
          Make a link
        </button>
      ) : null}
    </section>
  );
}
