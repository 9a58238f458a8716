/** The log itself, and whether it is whole. */

import type { EventListOut, VerificationOut } from "@holdpoint/protocol";
import type { HoldEvent } from "@holdpoint/protocol/client";
import { Icon } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { type Api, eventOf, wordsOf } from "./api.ts";
import type { Column } from "./export.ts";
import { Exports } from "./exports.tsx";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Empty, Heading } from "./parts.tsx";
import { Timeline } from "./timeline.tsx";

const PAGE = 200;

const COLUMNS: readonly Column<HoldEvent>[] = [
  ["position", (event) => String(event.position)],
  ["at", (event) => event.at],
  ["type", (event) => event.type],
  ["stream", (event) => event.stream],
  ["seq", (event) => String(event.seq)],
  ["actor", (event) => event.actor],
  ["data", (event) => JSON.stringify(event.data)],
  ["previous", (event) => event.previous],
  ["hash", (event) => event.hash],
];

async function pageAfter(api: Api, after: number) {
  const { events, next_after: next } = await api.get<EventListOut>(`/v1/log?after=${after}&limit=${PAGE}`);
  return { events: events.map(eventOf), next };
}

async function wholeLog(api: Api): Promise<readonly HoldEvent[]> {
  const all: HoldEvent[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: { events: HoldEvent[]; next: number | undefined } = await pageAfter(api, after);
    all.push(...page.events);
    after = page.next;
  }
  return all;
}

export function Audit(): ReactNode {
  const api = useApi();
  const [after, setAfter] = useState(0);
  const [words, setWords] = useState("");
  const log = useLoaded(() => pageAfter(api, after), after);
  const matches = (event: HoldEvent) => words === "" || JSON.stringify(event).toLowerCase().includes(words);
  return (
    <>
      <Heading title="Audit">
        <Exports name="log" columns={COLUMNS} all={() => wholeLog(api)} />
      </Heading>
      <Verify />
      <div className="app-bar">
        <search className="app-search">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search this page of the log"
            placeholder="Search this page of the log"
            onChange={(event) => setWords(event.currentTarget.value.trim().toLowerCase())}
          />
        </search>
      </div>
      <Await loaded={log}>
        {({ events, next }) => (
          <section className="app-panel">
            {events.length === 0 ? (
              <Empty title="Nothing has happened yet" />
            ) : (
              <Timeline events={events.filter(matches)} isOfAll />
            )}
            <div className="app-tools">
              {after === 0 ? null : (
                <button type="button" className="app-button" onClick={() => setAfter(0)}>
                  From the start
                </button>
              )}
              {next === undefined ? null : (
                <button type="button" className="app-button" onClick={() => setAfter(next)}>
                  Later
                </button>
              )}
            </div>
          </section>
        )}
      </Await>
    </>
  );
}

function Verify(): ReactNode {
  const api = useApi();
  const [state, setState] = useState<VerificationOut | string | "busy">();
  async function verify(): Promise<void> {
    setState("busy");
    setState(await api.send<VerificationOut>("POST", "/v1/log/verify", {}).catch(wordsOf));
  }
  return (
    <section className="app-panel app-verify">
      <div>
        <h2>Is the log whole?</h2>
        <p>Every hash, every chain and every signed checkpoint is computed again from the events.</p>
      </div>
      <button
        type="button"
        className="app-button app-primary"
        disabled={state === "busy"}
        onClick={() => void verify()}
      >
        {state === "busy" ? "Verifying …" : "Verify now"}
      </button>
      {state === undefined || state === "busy" ? null : typeof state === "string" ? (
        <p className="hp-problem" role="alert">
          {state}
        </p>
      ) : (
        <p className={state.breaks.length === 0 ? "app-whole" : "app-broken"} role="status">
          <strong>{state.breaks.length === 0 ? "Whole." : `Broken in ${state.breaks.length} places.`}</strong>{" "}
          {state.events} events in {state.streams} chains, {state.checkpoints} signed checkpoints,{" "}
          {state.erased} holds erased on purpose.
          {state.breaks.map((each) => (
            <span key={`${each.position}-${each.what}`}>
              <br />
              Event {each.position} of {each.stream}: {each.what}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
