/** The inbox: what waits, most urgent first. A list to move through by keyboard, and beside it what is looked at. */

import type { HoldListOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Icon } from "@holdpoint/react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { Answering } from "./answering.tsx";
import { Bulk } from "./bulk.tsx";
import { HoldRow } from "./hold-row.tsx";
import { go, useApi, useKeys, useLoaded } from "./hooks.ts";
import { Await, Empty, Heading, To } from "./parts.tsx";
import { byUrgency, type InboxFilter, NO_FILTER, passes } from "./urgency.ts";
import type { OpenHolds } from "./use-holds.ts";

/** What is listed, looked at and marked. */
function useInbox(open: OpenHolds) {
  const api = useApi();
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<InboxFilter>(NO_FILTER);
  const [currentId, setCurrent] = useState<string>();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const found = useLoaded(
    async () => {
      if (query === "") return null;
      const { holds } = await api.get<HoldListOut>(
        `/v1/holds?status=open&limit=200&q=${encodeURIComponent(query)}`,
      );
      return new Set(holds.map(({ id }) => id));
    },
    query,
    open.holds?.size,
  );

  const all = useMemo(() => [...(open.holds?.values() ?? [])].sort(byUrgency), [open.holds]);
  const shown = all.filter((hold) => passes(hold, filter) && (found.value?.has(hold.id) ?? true));
  const at = shown.findIndex(({ id }) => id === currentId);
  const current = shown[at] ?? (matchMedia("(width >= 70rem)").matches ? shown[0] : undefined);

  function move(by: number): void {
    const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
    if (next === undefined) return;
    setCurrent(next.id);
    document.getElementById(`row-${next.id}`)?.scrollIntoView({ block: "nearest" });
  }

  function mark(id: string): void {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
  }

  const clearMarks = () => setMarked(new Set());
  const searchTrouble = found.trouble;
  return {
    searchTrouble,
    all,
    shown,
    at,
    current,
    marked,
    filter,
    setFilter,
    setQuery,
    setCurrent,
    move,
    mark,
    clearMarks,
  };
}

export function Inbox({ open }: { readonly open: OpenHolds }): ReactNode {
  const inbox = useInbox(open);
  const { all, shown, at, current, marked, mark } = inbox;
  const [last, setLast] = useState<Hold>();
  const search = useRef<HTMLInputElement>(null);
  useKeys({
    j: () => inbox.move(1),
    k: () => inbox.move(-1),
    x: () => current !== undefined && mark(current.id),
    enter: () => current !== undefined && go(`/console/holds/${current.id}`),
    a: () => press(["approve", "confirm", "select", "submit", "retry"], "focus"),
    r: () => press(["reject", "cancel", "abort"], "focus"),
    e: () => press(["edit"], "click"),
    "/": () => search.current?.focus(),
  });

  return (
    <div className="app-inbox">
      <section className="app-list" aria-label="Waiting">
        <Heading title="Inbox" />
        <search className="app-search">
          <Icon name="search" />
          <input
            ref={search}
            type="search"
            aria-label="Search"
            placeholder="Search prompts, context and keys"
            onChange={(event) => inbox.setQuery(event.currentTarget.value.trim())}
          />
        </search>
        <Filters holds={all} filter={inbox.filter} onChange={inbox.setFilter} />
        {inbox.searchTrouble === undefined ? null : (
          <p className="hp-notice hp-bad" role="alert">
            The search failed, so everything is shown. {inbox.searchTrouble}
          </p>
        )}
        <Await loaded={{ value: open.holds, trouble: open.trouble, reload: open.reload }}>
          {() =>
            shown.length === 0 ? (
              <Nothing isFiltered={all.length > 0} />
            ) : (
              <ul className="app-rows">
                {shown.map((hold) => (
                  <HoldRow
                    key={hold.id}
                    hold={hold}
                    isCurrent={hold.id === current?.id}
                    isMarked={marked.has(hold.id)}
                    onMark={() => mark(hold.id)}
                    onLook={() => inbox.setCurrent(hold.id)}
                  />
                ))}
              </ul>
            )
          }
        </Await>
        <Bulk holds={shown.filter(({ id }) => marked.has(id))} onDone={inbox.clearMarks} />
        <p className="app-keys" aria-hidden="true">
          <kbd>J</kbd>
          <kbd>K</kbd> move <kbd>A</kbd> approve <kbd>R</kbd> reject <kbd>E</kbd> changes <kbd>X</kbd> mark{" "}
          <kbd>/</kbd> search
        </p>
      </section>
      <section className="app-look" aria-label="Selected">
        <div role="status">{last === undefined ? null : <Recorded hold={last} />}</div>
        {current === undefined ? null : <Look hold={current} isLookedAt={at !== -1} onSettled={setLast} />}
      </section>
    </div>
  );
}

/** The button is brought under the finger; only Enter presses it. */
function press(actions: readonly string[], how: "focus" | "click"): void {
  const find = (action: string) =>
    document.querySelector<HTMLButtonElement>(`.app-look button[value="${action}"]`);
  const button = actions.map(find).find((each) => each !== null);
  if (how === "click") button?.click();
  else button?.focus();
}

/** What was answered leaves the list; this stays. */
function Recorded({ hold }: { readonly hold: Hold }): ReactNode {
  const action = hold.outcome?.kind === "decided" ? hold.outcome.action : hold.status;
  return (
    <p className="app-recorded">
      <Icon name="check" /> Recorded: <strong>{action}</strong> ·{" "}
      <To href={`/console/holds/${hold.id}`}>{hold.prompt}</To>
    </p>
  );
}

interface LookProps {
  readonly hold: Hold;
  readonly isLookedAt: boolean;
  readonly onSettled: (hold: Hold) => void;
}

function Look({ hold, isLookedAt, onSettled }: LookProps): ReactNode {
  return (
    <>
      <p className="app-open">
        <To href={`/console/holds/${hold.id}`}>
          Timeline, ladder and links <Icon name="arrow" />
        </To>
      </p>
      <Answering key={hold.id} hold={hold} isLookedAt={isLookedAt} onSettled={onSettled} />
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <Empty title="Nothing matches">
      <p>Something waits, but not this. Clear the search or the filters.</p>
    </Empty>
  ) : (
    <Empty title="Nothing is waiting for you">
      <p>New questions appear here by themselves.</p>
    </Empty>
  );
}

interface FiltersProps {
  readonly holds: readonly Hold[];
  readonly filter: InboxFilter;
  readonly onChange: (filter: InboxFilter) => void;
}

function Filters({ holds, filter, onChange }: FiltersProps): ReactNode {
  const types = [...new Set(holds.map(({ type }) => type))].sort();
  const agents = [...new Set(holds.map(({ createdBy }) => createdBy))].sort();
  return (
    <div className="app-filters">
      <select
        aria-label="Type"
        value={filter.type}
        onChange={(event) => onChange({ ...filter, type: event.currentTarget.value })}
      >
        <option value="">All types</option>
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <select
        aria-label="Agent"
        value={filter.agent}
        onChange={(event) => onChange({ ...filter, agent: event.currentTarget.value })}
      >
        <option value="">All agents</option>
        {agents.map((agent) => (
          <option key={agent}>{agent}</option>
        ))}
      </select>
      <label>
        <input
          type="checkbox"
          checked={filter.unseen}
          onChange={(event) => onChange({ ...filter, unseen: event.currentTarget.checked })}
        />{" "}
        Unseen
      </label>
    </div>
  );
}
