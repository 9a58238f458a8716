/** What an operator wants to know first. Each number leads to what it counts. */

import type { CountOut, HoldBrief, OverviewOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { dayOf } from "../activity/days.ts";
import { addressOf } from "../address.ts";
import { wordsOf } from "../api.ts";
import { endpointWords } from "../endpoint-words.ts";
import { Await, Heading, Prompt, To } from "../parts.tsx";
import { countWords, useNames, useRead } from "../queries.ts";
import { Bars, Hours } from "./charts.tsx";
import { Files } from "./files.tsx";
import { WORDS } from "./words.ts";

/** Midnight of the reader's day. */
function today(): string {
  const at = new Date();
  at.setHours(0, 0, 0, 0);
  return at.toISOString();
}

export function Overview(): ReactNode {
  const { data, error, refetch } = useRead<OverviewOut>(
    addressOf("/v1/overview", { since: today() }),
    "events",
  );
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <>
      <Heading title={WORDS.title} />
      <Await loaded={{ value: data, trouble, reload: () => void refetch() }}>
        {(seen) => (
          <div className="app-overview">
            <Numbers seen={seen} />
            <Whom seen={seen} />
            <Soon seen={seen} />
            <Today seen={seen} />
            <Named id="unreached" title={WORDS.unreached} of={seen.unreached.holds} />
            <Named id="escalated" title={WORDS.escalated} of={seen.escalated.holds} />
            <Named id="stalled" title={WORDS.stalled} of={seen.stalled.holds} />
            <Failing seen={seen} />
            <Files files={seen.files} />
          </div>
        )}
      </Await>
    </>
  );
}

interface SeenProps {
  readonly seen: OverviewOut;
}

function Numbers({ seen }: SeenProps): ReactNode {
  const hour = seen.expiring.find(({ within }) => within === "1 hour");
  const failing = seen.failing.reduce((sum, { count }) => sum + count, 0);
  const numbers: readonly (readonly [string, Pick<CountOut, "count" | "is_exact">, string, boolean])[] = [
    [WORDS.waiting, seen.waiting, "/console", false],
    [WORDS.soon, hour ?? { count: 0, is_exact: true }, addressOf("/console", { within: "1 hour" }), true],
    [WORDS.unassigned, seen.unassigned, addressOf("/console", { assignee: "none" }), false],
    [WORDS.unseen, seen.unseen, addressOf("/console", { unseen: "true" }), false],
    [WORDS.unreached, seen.unreached, "#unreached", true],
    [WORDS.escalated, seen.escalated, "#escalated", false],
    [WORDS.stalled, seen.stalled, "#stalled", true],
    [WORDS.failing, { count: failing, is_exact: true }, "#failing", true],
  ];
  return (
    <ul className="app-numbers">
      {numbers.map(([label, count, href, isTrouble]) => (
        <li key={label} className={isTrouble && count.count > 0 ? "app-trouble" : undefined}>
          {href.startsWith("#") ? (
            <a href={href}>
              <b>{countWords(count)}</b> {label}
            </a>
          ) : (
            <To href={href}>
              <b>{countWords(count)}</b> {label}
            </To>
          )}
        </li>
      ))}
    </ul>
  );
}

function Whom({ seen }: SeenProps): ReactNode {
  const nameOf = useNames();
  const parts = [
    [WORDS.byAgent, seen.by_agent, "agent"],
    [WORDS.byTool, seen.by_tool, "tool"],
    [WORDS.byPerson, seen.by_assignee, "assignee"],
  ] as const;
  return (
    <section className="app-panel app-wide-panel">
      <h2>{WORDS.whom}</h2>
      <div className="app-whom">
        {parts.map(([title, { groups = [] }, name]) =>
          groups.length === 0 ? null : (
            <Bars
              key={name}
              title={title}
              bars={groups.map((group) => ({
                label: name === "assignee" ? nameOf(group.value) : group.value,
                value: group.count,
                words: countWords(group),
                href: addressOf("/console", { [name]: group.value }),
              }))}
            />
          ),
        )}
      </div>
      {seen.waiting.count === 0 ? <p>{WORDS.noGroups}</p> : null}
    </section>
  );
}

function Soon({ seen }: SeenProps): ReactNode {
  return (
    <section className="app-panel" id="soon">
      <h2>{WORDS.expiring}</h2>
      <Bars
        title={WORDS.within}
        bars={seen.expiring.map(({ within, count, is_exact }) => ({
          label: within,
          value: count,
          words: countWords({ count, is_exact }),
          href: addressOf("/console", { within }),
        }))}
      />
    </section>
  );
}

function Today({ seen }: SeenProps): ReactNode {
  const hours = seen.hours.map(({ from, ...counts }) => ({
    label: new Date(from).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" }),
    ...counts,
  }));
  return (
    <section className="app-panel">
      <h2>{WORDS.today}</h2>
      {seen.is_endings_exact ? null : <p className="hp-hint">{WORDS.atLeast}</p>}
      {seen.endings.length === 0 ? (
        <p>{WORDS.nothing}</p>
      ) : (
        <>
          <ul className="app-endings">
            {seen.endings.map(({ ending, count }) => (
              <li key={ending}>
                <To href={endingHref(ending, seen.endings_since)}>
                  <b>{count}</b> <Text>{ending}</Text>
                </To>
              </li>
            ))}
          </ul>
          <Hours hours={hours} />
        </>
      )}
    </section>
  );
}

/** As many as the number says: those since the same day, in the reader's own time. */
function endingHref(ending: string, since: string): string {
  const isStatus = ending === "expired" || ending === "cancelled";
  const what = isStatus ? { status: ending } : { status: "decided", ending };
  return addressOf("/console/history", { ...what, from: dayOf(new Date(since)) });
}

function Named({
  id,
  title,
  of,
}: {
  readonly id: string;
  readonly title: string;
  readonly of: readonly HoldBrief[];
}): ReactNode {
  const nameOf = useNames();
  return (
    <section className="app-panel" id={id}>
      <h2>{title}</h2>
      {of.length === 0 ? (
        <p className="hp-hint">{WORDS.none}</p>
      ) : (
        <ul className="app-plain">
          {of.map((hold) => (
            <li key={hold.id}>
              <span>
                <To href={`/console/holds/${hold.id}`}>
                  <Prompt of={hold.prompt} />
                </To>
                <small>
                  <Text>{hold.created_by}</Text>
                  {hold.amount === undefined ? null : ` · ${hold.amount}`}
                  {hold.assignee === undefined ? null : ` · ${WORDS.assignedTo(nameOf(hold.assignee))}`}
                  {hold.expires_at === undefined ? null : (
                    <>
                      {" "}
                      · <Moment at={hold.expires_at} />
                    </>
                  )}
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Failing({ seen }: SeenProps): ReactNode {
  return (
    <section className="app-panel" id="failing">
      <h2>{WORDS.failing}</h2>
      {seen.failing.length === 0 ? (
        <p className="hp-hint">{WORDS.none}</p>
      ) : (
        <Bars
          title={WORDS.undelivered}
          bars={seen.failing.map(({ count, ...to }) => ({
            ...{ label: endpointWords(to), value: count, words: String(count), href: "/console/channels" },
          }))}
        />
      )}
    </section>
  );
}
