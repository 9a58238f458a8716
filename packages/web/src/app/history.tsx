/** What has been settled: searched, paged, exported. And what went on without anybody being asked. */

import type { HoldListOut } from "@holdpoint/protocol";
import { deciderWords, type Hold } from "@holdpoint/protocol/client";
import { Icon, Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { type Api, holdOf } from "./api.ts";
import { HOLD_COLUMNS } from "./export.ts";
import { Exports } from "./exports.tsx";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Empty, Heading, Pages, To } from "./parts.tsx";
import { Skips } from "./skips.tsx";

const SHOWN = ["decided", "expired", "cancelled", "skipped"] as const;
type Shown = (typeof SHOWN)[number];
const PAGE = 50;

async function page(api: Api, status: string, query: string, cursor: string) {
  const q = query === "" ? "" : `&q=${encodeURIComponent(query)}`;
  const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
  const { holds, next_cursor: next } = await api.get<HoldListOut>(
    `/v1/holds?status=${status}&limit=${PAGE}${q}${from}`,
  );
  return { holds: holds.map(holdOf), next };
}

export function History({ beat }: { readonly beat: number }): ReactNode {
  const [shown, setShown] = useState<Shown>("decided");
  const tabs = (
    <fieldset className="app-tabs" aria-label="Status">
      {SHOWN.map((each) => (
        <button key={each} type="button" aria-pressed={each === shown} onClick={() => setShown(each)}>
          {each}
        </button>
      ))}
    </fieldset>
  );
  return shown === "skipped" ? (
    <>
      <Heading title="History" />
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
  const [query, setQuery] = useState("");
  const [cursor, setCursor] = useState("");
  const loaded = useLoaded(() => page(api, status, query, cursor), status, query, cursor, beat);
  return (
    <>
      <Heading title="History">
        <Exports name={`holds-${status}`} columns={HOLD_COLUMNS} all={() => everyHold(api, status, query)} />
      </Heading>
      <div className="app-bar">
        {tabs}
        <search className="app-search">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search"
            placeholder="Search"
            onChange={(event) => {
              setQuery(event.currentTarget.value.trim());
              setCursor("");
            }}
          />
        </search>
      </div>
      <Await loaded={loaded}>
        {({ holds, next }) =>
          holds.length === 0 ? (
            <Empty title={`Nothing ${status} here`} />
          ) : (
            <>
              <Table holds={holds} />
              <Pages cursor={cursor} next={next} go={setCursor} />
            </>
          )
        }
      </Await>
    </>
  );
}

function Table({ holds }: { readonly holds: readonly Hold[] }): ReactNode {
  return (
    <div className="app-table">
      <table>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col" className="app-wide">
              Asked by
            </th>
            <th scope="col">Outcome</th>
            <th scope="col" className="app-wide">
              By
            </th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {holds.map((hold) => (
            <tr key={hold.id}>
              <td>
                <To href={`/console/holds/${hold.id}`}>{hold.prompt === "" ? "(erased)" : hold.prompt}</To>
              </td>
              <td className="app-wide">
                <Text>{hold.createdBy}</Text>
              </td>
              <td>
                <Badge>{hold.outcome?.kind === "decided" ? hold.outcome.action : hold.status}</Badge>
              </td>
              <td className="app-wide">
                {hold.outcome?.kind === "decided" ? deciderWords(hold.outcome.by) : "nobody"}
              </td>
              <td>{hold.outcome === undefined ? null : <Moment at={hold.outcome.at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function everyHold(api: Api, status: string, query: string): Promise<readonly Hold[]> {
  const holds: Hold[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const found: { holds: Hold[]; next: string | undefined } = await page(api, status, query, cursor);
    holds.push(...found.holds);
    cursor = found.next;
  }
  return holds;
}
