/** One hold, whole: the question and its answer, and beside it everything that happened and will. */

import type { ActivityOut, DeliveryListOut, LinkListOut, LinkOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Icon, Moment } from "@holdpoint/react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Activities } from "./activity/activities.tsx";
import { addressOf } from "./address.ts";
import { Answering } from "./answering.tsx";
import { wordsOf } from "./api.ts";
import { ContainerPanels } from "./container-panels.tsx";
import { Desk } from "./desk/desk.tsx";
import { Execution } from "./execution.tsx";
import { useApi } from "./hooks.ts";
import { IntentPanel } from "./intent-picture.tsx";
import { LadderPicture } from "./ladder-picture.tsx";
import { Await, Badge, Secret, Sure, To } from "./parts.tsx";
import { useHold, useNames } from "./queries.ts";
import { Rounds } from "./rounds.tsx";
import { whoMayAnswer } from "./who-may.ts";

const WORDS = {
  back: "Inbox",
  about: "About this hold",
  ladder: "Ladder",
  timeline: "What happened",
  newestOnly: (count: number) => `The newest ${count} events are shown; there are earlier ones.`,
  earlier: "Show earlier",
  links: "Links",
  aboutTitle: "About",
  newReviewLink: "A new review link.",
  revoke: "Revoke",
  linkCannotOpened: "This link cannot be opened or answered any more.",
  revoked: "revoked",
  makeLink: "Make a link",
  status: "Status",
  hold: "Hold",
  key: "Key",
  whoMayAnswer: "Who may answer",
  doors: "Doors",
  consoleApiLinks: "console, API, links, one given to the agent",
  earlierRound: "Earlier round",
  laterRound: "Later round",
  intent: "Intent",
  thread: "Thread",
  digestWhatAsked: "Digest of what is asked",
};

interface PageProps {
  readonly id: string;
}

export function HoldPage({ id }: PageProps): ReactNode {
  const { data, error, refetch } = useHold(id);
  const reload = () => void refetch();
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <>
      <p className="app-crumb">
        <To href="/console">
          <Icon name="back" /> {WORDS.back}
        </To>
      </p>
      <Await loaded={{ value: data, trouble, reload }}>
        {(value) => (
          <div className="app-hold">
            <div>
              <Answering key={value.id} hold={value} />
              <Desk hold={value} />
              <Rounds hold={value} />
            </div>
            <aside aria-label={WORDS.about}>
              <Facts hold={value} />
              <Execution hold={value} onChanged={reload} />
              {value.intentId === undefined ? null : <IntentPanel id={value.intentId} holdId={value.id} />}
              {value.intentId === undefined ? null : (
                <ContainerPanels id={value.intentId} holdId={value.id} />
              )}
              <Ladder hold={value} />
              <History id={id} />
              <Links hold={value} />
            </aside>
          </div>
        )}
      </Await>
    </>
  );
}

/** Read with the hold's own key, so that an event about the hold makes it out of date too. */
function useOfHold<Out>(id: string, path: string) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["hold", id, path],
    queryFn: ({ signal }) => api.get<Out>(path, signal),
  });
  return { value: data, trouble: error === null ? undefined : wordsOf(error), reload: () => void refetch() };
}

function Facts({ hold }: { readonly hold: Hold }): ReactNode {
  const nameOf = useNames();
  const rows: readonly (readonly [string, ReactNode])[] = [
    [WORDS.status, <Badge key="s">{hold.status}</Badge>],
    [WORDS.hold, <code key="i">{hold.id}</code>],
    ...(hold.key === undefined ? [] : [[WORDS.key, <code key="k">{hold.key}</code>] as const]),
    [WORDS.whoMayAnswer, whoMayAnswer(hold, nameOf)],
    [WORDS.doors, hold.links === "agent" ? WORDS.consoleApiLinks : "console, API, links"],
    ...(hold.previous === undefined
      ? []
      : [
          [
            WORDS.earlierRound,
            <To key="p" href={`/console/holds/${hold.previous}`}>
              {hold.previous}
            </To>,
          ] as const,
        ]),
    ...(hold.next === undefined
      ? []
      : [
          [
            WORDS.laterRound,
            <To key="n" href={`/console/holds/${hold.next}`}>
              {hold.next}
            </To>,
          ] as const,
        ]),
    ...(hold.intentId === undefined ? [] : [[WORDS.intent, <code key="t">{hold.intentId}</code>] as const]),
    ...(hold.threadId === undefined ? [] : [[WORDS.thread, <code key="h">{hold.threadId}</code>] as const]),
    [
      WORDS.digestWhatAsked,
      <code key="d" className="app-hash">
        {hold.digest}
      </code>,
    ],
  ];
  return (
    <section className="app-panel">
      <h2>{WORDS.aboutTitle}</h2>
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

function Ladder({ hold }: { readonly hold: Hold }): ReactNode {
  const { value } = useOfHold<DeliveryListOut>(hold.id, `/v1/deliveries?hold_id=${hold.id}`);
  return (
    <section className="app-panel">
      <h2>{WORDS.ladder}</h2>
      <LadderPicture hold={hold} deliveries={value?.deliveries ?? []} />
    </section>
  );
}

const HISTORY_PAGE = 50;

/** The newest first, and earlier ones on request. */
function History({ id }: { readonly id: string }): ReactNode {
  const api = useApi();
  const read = useInfiniteQuery({
    queryKey: ["hold", id, "activity"],
    initialPageParam: "",
    queryFn: ({ pageParam: before, signal }) =>
      api.get<ActivityOut>(
        addressOf("/v1/activity", { hold_id: id, limit: String(HISTORY_PAGE), before }),
        signal,
      ),
    getNextPageParam: ({ next_before: next }) => (next === undefined ? undefined : String(next)),
  });
  // An event about the hold reads the history again, which ends a page that is under way: it is asked for again.
  const [wanted, setWanted] = useState(1);
  const { hasNextPage, isFetching, error, fetchNextPage } = read;
  const isShort = hasNextPage && (read.data?.pages.length ?? 0) < wanted;
  useEffect(() => {
    if (isShort && !isFetching && error === null) void fetchNextPage();
  }, [isShort, isFetching, error, fetchNextPage]);
  const loaded = {
    value: read.data,
    trouble: error === null ? undefined : wordsOf(error),
    reload: () => void read.refetch(),
  };
  return (
    <section className="app-panel" aria-label={WORDS.timeline}>
      <h2>{WORDS.timeline}</h2>
      <Await loaded={loaded}>
        {({ pages }) => {
          const activities = pages.flatMap((page) => page.activities);
          return (
            <>
              <Activities activities={activities} isOfOne />
              {hasNextPage ? (
                <>
                  <p className="hp-hint" role="status">
                    {WORDS.newestOnly(activities.length)}
                  </p>
                  <button
                    type="button"
                    className="app-button"
                    disabled={isShort}
                    onClick={() => setWanted(pages.length + 1)}
                  >
                    {WORDS.earlier}
                  </button>
                </>
              ) : null}
            </>
          );
        }}
      </Await>
    </section>
  );
}

function Links({ hold }: { readonly hold: Hold }): ReactNode {
  const api = useApi();
  const [made, setMade] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const nameOf = useNames();
  const links = useOfHold<LinkListOut>(hold.id, `/v1/holds/${hold.id}/links`);
  const act = (work: Promise<unknown>) =>
    void work
      .then(
        () => setTrouble(undefined),
        (fault: unknown) => setTrouble(wordsOf(fault)),
      )
      .finally(links.reload);
  return (
    <section className="app-panel">
      <h2>{WORDS.links}</h2>
      {made === undefined ? null : <Secret label={WORDS.newReviewLink} text={made} />}
      {trouble === undefined ? null : (
        <p className="hp-problem" role="alert">
          {trouble}
        </p>
      )}
      <Await loaded={links}>
        {({ links: list }) => (
          <ul className="app-plain">
            {list.map((link) => (
              <li key={link.id}>
                <span>
                  {nameOf(link.to ?? link.created_by)}{" "}
                  <small>
                    {link.purpose}, <Moment at={link.created_at} />
                  </small>
                </span>
                {link.revoked_at === undefined ? (
                  <Sure
                    label={WORDS.revoke}
                    question={WORDS.linkCannotOpened}
                    act={() => api.send("DELETE", `/v1/holds/${hold.id}/links/${link.id}`)}
                    onDone={links.reload}
                  />
                ) : (
                  <Badge>{WORDS.revoked}</Badge>
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
          {WORDS.makeLink}
        </button>
      ) : null}
    </section>
  );
}
