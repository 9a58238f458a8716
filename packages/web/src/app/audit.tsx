/** The log itself, and whether it is whole. */

import type { ActivityOut, EventListOut, VerificationOut } from "@holdpoint/protocol";
import type { HoldEvent } from "@holdpoint/protocol/client";
import { type ReactNode, useState } from "react";
import { Activities } from "./activity/activities.tsx";
import { dayStart } from "./activity/days.ts";
import { NarrowBar, type Narrowed, turnTo, useNarrowed } from "./activity/narrow.tsx";
import { addressOf, useParam } from "./address.ts";
import { type Api, eventOf, wordsOf } from "./api.ts";
import type { Column } from "./export.ts";
import { Exports } from "./exports.tsx";
import { useApi } from "./hooks.ts";
import { Await, Empty, Heading } from "./parts.tsx";
import { useRead } from "./queries.ts";

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

const WORDS = {
  title: "Audit",
  empty: "Nothing has happened here",
  emptyMore: "No event fits these filters in the part of the log that was read.",
  older: "Older",
  newest: "Newest",
  logWhole: "Is the log whole?",
  everyHashEvery: "Every hash, every chain and every signed checkpoint is computed again from the events.",
  verifying: "Verifying …",
  verifyNow: "Verify now",
  eventsChainsSigned: (
    events: string | number,
    streams: string | number,
    checkpoints: string | number,
    erased: string | number,
  ) =>
    `${events} events in ${streams} chains, ${checkpoints} signed checkpoints, ${erased} holds erased on purpose.`,
  whole: "Whole.",
  brokenPlaces: (count: string | number) => `Broken in ${count} places.`,
  event: (position: string | number, stream: string | number, what: string | number) =>
    `Event ${position} of ${stream}: ${what}`,
};

/** What is asked of the server; days are the reader's own. */
function activityPath({ person, agent, tool, ending, door, from, until }: Narrowed, before: string): string {
  const asked = {
    ...{ person, agent, tool, ending, door, before },
    from: from === "" ? undefined : dayStart(from),
    until: until === "" ? undefined : dayStart(until, 1),
  };
  return addressOf("/v1/activity", { ...asked, limit: "50" });
}

export function Audit(): ReactNode {
  const api = useApi();
  const narrowed = useNarrowed();
  const [before] = useParam("cursor");
  const { data, error, refetch } = useRead<ActivityOut>(
    activityPath(narrowed, before),
    before === "" ? "events" : "never",
  );
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <>
      <Heading title={WORDS.title}>
        <Exports name="log" columns={COLUMNS} all={() => wholeLog(api)} />
      </Heading>
      <Verify />
      <NarrowBar narrowed={narrowed} />
      <Await loaded={{ value: data, trouble, reload: () => void refetch() }}>
        {({ activities, next_before: next }) => (
          <section className="app-panel">
            {activities.length === 0 ? (
              <Empty title={WORDS.empty}>
                <p>{WORDS.emptyMore}</p>
              </Empty>
            ) : (
              <Activities activities={activities} />
            )}
            <div className="app-tools">
              {before === "" ? null : (
                <button type="button" className="app-button" onClick={() => turnTo("")}>
                  {WORDS.newest}
                </button>
              )}
              {next === undefined ? null : (
                <button type="button" className="app-button" onClick={() => turnTo(String(next))}>
                  {WORDS.older}
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
        <h2>{WORDS.logWhole}</h2>
        <p>{WORDS.everyHashEvery}</p>
      </div>
      <button
        type="button"
        className="app-button app-primary"
        disabled={state === "busy"}
        onClick={() => void verify()}
      >
        {state === "busy" ? WORDS.verifying : WORDS.verifyNow}
      </button>
      {state === undefined || state === "busy" ? null : typeof state === "string" ? (
        <p className="hp-problem" role="alert">
          {state}
        </p>
      ) : (
        <p className={state.breaks.length === 0 ? "app-whole" : "app-broken"} role="status">
          <strong>{state.breaks.length === 0 ? WORDS.whole : WORDS.brokenPlaces(state.breaks.length)}</strong>{" "}
          {WORDS.eventsChainsSigned(state.events, state.streams, state.checkpoints, state.erased)}
          {state.breaks.map((each) => (
            <span key={`${each.position}-${each.what}`}>
              <br />
              {WORDS.event(each.position, each.stream, each.what)}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
