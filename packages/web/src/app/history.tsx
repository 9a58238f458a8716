/** What has been settled: searched, paged, exported. And what went on without anybody being asked. */

import type { HoldListOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Icon, Moment, Text } from "@holdpoint/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { dayStart } from "./activity/days.ts";
import { NarrowBar, type Narrowed, turnTo, useNarrowed } from "./activity/narrow.tsx";
import { addressOf, setParams, useParam } from "./address.ts";
import { type Api, holdOf } from "./api.ts";
import { HOLD_COLUMNS } from "./export.ts";
import { Exports } from "./exports.tsx";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Empty, Heading, Pages, Prompt, To } from "./parts.tsx";
import { actorName } from "./person-names.ts";
import { useNames } from "./queries.ts";
import { Skips } from "./skips.tsx";

const WORDS = {
  status: "Status",
  history: "History",
  nothingHere: (status: string | number) => `Nothing ${status} here`,
  search: "Search",
  question: "Question",
  askedBy: "Asked by",
  outcome: "Outcome",
  by: "By",
  when: "When",
  erased: "(erased)",
  nobody: "nobody",
};

const SHOWN = ["decided", "expired", "cancelled", "skipped"] as const;
type Shown = (typeof SHOWN)[number];
const PAGE = 50;

/** What is asked of the server; days are the reader's own. */
function pagePath(status: string, query: string, narrowed: Narrowed, cursor: string): string {
  const { person, agent, tool, ending, door, from, until } = narrowed;
  return addressOf("/v1/holds", {
    ...{ status, limit: String(PAGE), q: query, cursor, tool, door },
    created_by: agent,
    decided_by: person,
    action: status === "decided" ? ending : "",
    settled_from: from === "" ? "" : dayStart(from),
    settled_before: until === "" ? "" : dayStart(until, 1),
  });
}

async function page(api: Api, status: string, query: string, narrowed: Narrowed, cursor: string) {
  const { holds, next_cursor: next } = await api.get<HoldListOut>(pagePath(status, query, narrowed, cursor));
  return { holds: holds.map(holdOf), next };
}

export function History({ beat }: { readonly beat: number }): ReactNode {
  const [status] = useParam("status");
  const shown = SHOWN.find((each) => each === status) ?? "decided";
  const setShown = (next: Shown) => setParams({ status: next, cursor: undefined });
  const tabs = (
    <fieldset className="app-tabs" aria-label={WORDS.status}>
      {SHOWN.map((each) => (
        <button key={each} type="button" aria-pressed={each === shown} onClick={() => setShown(each)}>
          {each}
        </button>
      ))}
    </fieldset>
  );
  return shown === "skipped" ? (
    <>
      <Heading title={WORDS.history} />
      <div className="app-bar">{tabs}</div>
      <Skips beat={beat} />
    </>
  ) : (
    <Settled key={shown} status={shown} beat={beat} tabs={tabs} />
  );
}

interface SettledProps {
  readonly status: string;
  readonly beat: number;
  readonly tabs: ReactNode;
}

function Settled({ status, beat, tabs }: SettledProps): ReactNode {
  const api = useApi();
  const narrowed = useNarrowed();
  const [query] = useParam("q");
  const [cursor] = useParam("cursor");
  const path = pagePath(status, query, narrowed, cursor);
  const loaded = useLoaded(() => page(api, status, query, narrowed, cursor), path, beat);
  return (
    <>
      <Heading title={WORDS.history}>
        <Exports
          name={`holds-${status}`}
          columns={HOLD_COLUMNS}
          pages={() => holdPages(api, status, query, narrowed)}
        />
      </Heading>
      <div className="app-bar">
        {tabs}
        <SearchField />
      </div>
      <NarrowBar narrowed={narrowed} endings={status === "decided" ? "answers" : "none"} />
      <Await loaded={loaded}>
        {({ holds, next }) =>
          holds.length === 0 ? (
            <Empty title={WORDS.nothingHere(status)} />
          ) : (
            <>
              <Table holds={holds} />
              <Pages cursor={cursor} next={next} go={turnTo} />
            </>
          )
        }
      </Await>
    </>
  );
}

const TYPING_MS = 250;

/** Searches when the typing pauses. */
function SearchField(): ReactNode {
  const [query] = useParam("q");
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Who goes to another page does not search there.
  useEffect(() => () => clearTimeout(timer.current), []);
  function onType(value: string): void {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setParams({ q: value.trim(), cursor: undefined }), TYPING_MS);
  }
  return (
    <search className="app-search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={WORDS.search}
        placeholder={WORDS.search}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </search>
  );
}

function Table({ holds }: { readonly holds: readonly Hold[] }): ReactNode {
  const nameOf = useNames();
  return (
    <div className="app-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{WORDS.question}</th>
            <th scope="col" className="app-wide">
              {WORDS.askedBy}
            </th>
            <th scope="col">{WORDS.outcome}</th>
            <th scope="col" className="app-wide">
              {WORDS.by}
            </th>
            <th scope="col">{WORDS.when}</th>
          </tr>
        </thead>
        <tbody>
          {holds.map((hold) => (
            <tr key={hold.id}>
              <td>
                <To href={`/console/holds/${hold.id}`}>
                  {hold.prompt === "" ? WORDS.erased : <Prompt of={hold.prompt} />}
                </To>
              </td>
              <td className="app-wide">
                <Text>{hold.createdBy}</Text>
              </td>
              <td>
                <Badge>{hold.outcome?.kind === "decided" ? hold.outcome.action : hold.status}</Badge>
              </td>
              <td className="app-wide">
                {hold.outcome?.kind === "decided" ? (
                  <Text>{actorName(hold.outcome.by, nameOf)}</Text>
                ) : (
                  WORDS.nobody
                )}
              </td>
              <td>{hold.outcome === undefined ? null : <Moment at={hold.outcome.at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function* holdPages(
  api: Api,
  status: string,
  query: string,
  narrowed: Narrowed,
): AsyncGenerator<readonly Hold[]> {
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const found: { holds: Hold[]; next: string | undefined } = await page(
      api,
      status,
      query,
      narrowed,
      cursor,
    );
    yield found.holds;
    cursor = found.next;
  }
}
