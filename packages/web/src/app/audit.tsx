/** The log itself, and whether it is whole. */

import type { ActivityOut, VerificationOut } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Activities } from "./activity/activities.tsx";
import { NarrowBar, turnTo, useNarrowed } from "./activity/narrow.tsx";
import { useParam } from "./address.ts";
import { wordsOf } from "./api.ts";
import { activityPath, entryColumns, entryPages, LOG_COLUMNS, logPages } from "./audit-export.ts";
import { Exports } from "./exports.tsx";
import { useApi } from "./hooks.ts";
import { Await, Empty, Heading } from "./parts.tsx";
import { useNames, useRead } from "./queries.ts";

const SHOWN = 50;

const WORDS = {
  title: "Audit",
  empty: "Nothing has happened here",
  emptyMore: "No event fits these filters in the part of the log that was read.",
  older: "Older",
  newest: "Newest",
  exportThese: "Export these entries as",
  exportAll: "Export the whole log for verification as",
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

export function Audit(): ReactNode {
  const api = useApi();
  const narrowed = useNarrowed();
  const nameOf = useNames();
  const [before] = useParam("cursor");
  const { data, error, refetch } = useRead<ActivityOut>(
    activityPath(narrowed, before, SHOWN),
    before === "" ? "events" : "never",
  );
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <>
      <Heading title={WORDS.title}>
        <Exports
          name="audit"
          label={WORDS.exportThese}
          columns={entryColumns(nameOf)}
          pages={() => entryPages(api, narrowed)}
        />
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
      <div className="app-tools">
        <Exports name="log" label={WORDS.exportAll} columns={LOG_COLUMNS} pages={() => logPages(api)} />
      </div>
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
