/** The inbox: what waits, most urgent first. A list to move through by keyboard, and beside it what is looked at. */

import type { CountOut } from "@holdpoint/protocol";
import type { Hold, HoldQuery } from "@holdpoint/protocol/client";
import { Icon } from "@holdpoint/react";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { addressOf, setParams, useParam } from "../address.ts";
import { Answering } from "../answering.tsx";
import { useAnswers } from "../answers.tsx";
import { wordsOf } from "../api.ts";
import { Desk } from "../desk/desk.tsx";
import { go, useApi, useKeys } from "../hooks.ts";
import { KeysHint } from "../keys.tsx";
import { Await, Empty, Heading, Prompt, To } from "../parts.tsx";
import {
  countWords,
  FRESH_PAGES,
  queryOf,
  useCount,
  useHold,
  useHoldList,
  useHolds,
  useReset,
} from "../queries.ts";
import { Bulk } from "./bulk.tsx";
import { factsOf } from "./facts.ts";
import { clearFilters, endOf, FilterBar, type Filters, isFiltered, Search, useFilters } from "./filters.tsx";
import { Groups } from "./groups.tsx";
import { type ListHandle, RowList } from "./list.tsx";
import { isWide } from "./row.tsx";
import { useStrayPresses } from "./stray-press.ts";
import { WORDS } from "./words.ts";

const MARKED_MAX = 50;
const GROUP_ROWS = 10;
const PAGE_ROWS = 100;

function listQuery(
  { q, agent, tool, type, assignee, unseen, within, sort }: Filters,
  now: number,
): HoldQuery {
  const order = q === "" ? { sort: sort === "" ? "urgency" : sort, expiresBy: endOf(within, now) } : { q };
  return queryOf({ status: "open", createdBy: agent, tool, type, assignee, unseen, ...order });
}

function countParams({ agent, tool, type, assignee, unseen, within }: Filters, now: number, by = ""): string {
  const asked = { created_by: agent, tool, type, assignee, unseen, expires_by: endOf(within, now), by };
  return new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
}

/** Where the list begins: at its top, or where the address of this page said; other filters begin at the top again. */
function usePlace(filters: Filters): readonly [string, (from: string) => void] {
  const key = JSON.stringify(filters);
  const [place, setPlace] = useState(() => ({
    key,
    from: new URLSearchParams(location.search).get("at") ?? "",
  }));
  return [place.key === key ? place.from : "", (from) => setPlace({ key, from })];
}

/** The groups that the filters leave, and the one that is open; none while somebody searches. */
function useGroups(filters: Filters) {
  const { now } = useApi();
  const [named, open] = useParam("open");
  const by = filters.q !== "" || !isGrouping(filters.group) ? undefined : filters.group;
  const { data } = useCount(countParams(filters, now(), by), by !== undefined);
  const groups = by === undefined ? [] : (data?.groups ?? []);
  // The first one is open until somebody chooses; closed is a choice too.
  const shown = named === CLOSED ? undefined : named === "" ? groups[0]?.value : named;
  return { by, groups, isLoaded: data !== undefined, shown, open: (value?: string) => open(value ?? CLOSED) };
}

const CLOSED = "-";

function isGrouping(group: string): group is "agent" | "tool" {
  return group === "agent" || group === "tool";
}

/** Moves from where the current row is, or was before it left the list. */
function useMoving(shown: readonly Hold[], at: number, show: (hold: Hold, index: number) => void) {
  const last = useRef(-1);
  if (at !== -1) last.current = at;
  return (by: number): void => {
    const from = at !== -1 || last.current === -1 ? at : by > 0 ? last.current - 1 : last.current;
    const next = Math.min(Math.max(from + by, 0), shown.length - 1);
    const hold = shown[next];
    if (hold !== undefined) show(hold, next);
  };
}

/** What is listed, looked at and marked. */
function useInbox(filters: Filters) {
  const { pending } = useAnswers();
  const { now, state } = useApi();
  const [from, setFrom] = usePlace(filters);
  const [currentId, setCurrent] = useParam("hold");
  const [markedText, setMarked] = useParam("marked");
  const [isSnoozedShown, setSnoozedShown] = useState(false);
  const groups = useGroups(filters);
  const inGroup = groups.by === undefined ? {} : { [groups.by]: groups.shown ?? "" };
  const list = useHoldList(listQuery({ ...filters, ...inGroup }, now()), from);
  const count = useCount(countParams(filters, now()));
  const handle = useRef<ListHandle>(null);
  const { pages } = list.data ?? { pages: [] };
  const { isPlaceholderData: isOfBefore } = list;

  const all = useMemo(() => pages.flatMap(({ holds }) => holds), [pages]);
  const isSnoozed = useCallback(
    (hold: Hold) =>
      hold.snoozed?.some(({ person, until }) => person === state.name && Date.parse(until) > now()) === true,
    [state.name, now],
  );
  const snoozed = all.filter(isSnoozed).length;
  const shown = useMemo(() => {
    const answered = new Set(pending.map(({ hold }) => hold.id));
    const left = all.filter((hold) => !answered.has(hold.id) && (isSnoozedShown || !isSnoozed(hold)));
    if (groups.by === undefined) return left;
    return groups.shown === undefined || isOfBefore ? [] : left.slice(0, GROUP_ROWS);
  }, [all, pending, isSnoozedShown, isSnoozed, groups.by, groups.shown, isOfBefore]);
  const marked = useMemo(() => new Set(markedText.split(",").filter(Boolean)), [markedText]);
  const markedHolds = useHolds([...marked], all, list.data !== undefined && !isOfBefore);
  const at = shown.findIndex(({ id }) => id === currentId);
  const chosenId = currentId !== "" ? currentId : isWide() ? shown[0]?.id : undefined;

  /** The hold that the person chose to look at; others come by themselves. */
  const chosen = useRef<string>(undefined);
  const look = useCallback(
    (id: string) => {
      chosen.current = id;
      setCurrent(id);
    },
    [setCurrent],
  );
  const mark = useCallback((id: string) => {
    const next = new Set(new URLSearchParams(location.search).get("marked")?.split(",").filter(Boolean));
    if (!next.delete(id)) next.add(id);
    setParams({ marked: [...next].slice(-MARKED_MAX).join(",") });
  }, []);
  const move = useMoving(shown, at, (hold, index) => {
    look(hold.id);
    handle.current?.show(index);
  });
  /** The next one comes to hand while this one's answer waits. */
  function onGiven(hold: Hold): void {
    const place = shown.findIndex(({ id }) => id === hold.id);
    setCurrent((shown[place + 1] ?? shown[place - 1])?.id);
  }
  /** Without `only`: all of them. */
  function clearMarks(only?: ReadonlySet<string>): void {
    setMarked(only === undefined ? undefined : [...marked].filter((id) => !only.has(id)).join(","));
  }
  return {
    ...{ list, count, handle, all, shown, snoozed, isSnoozedShown, setSnoozedShown, marked, at, chosenId },
    ...{ from, setFrom, look, chosen, mark, move, onGiven, groups, markedHolds, clearMarks },
  };
}

type InboxState = ReturnType<typeof useInbox>;

export function Inbox({ hasNews }: { readonly hasNews: boolean }): ReactNode {
  const filters = useFilters();
  const inbox = useInbox(filters);
  const search = useRef<HTMLInputElement>(null);
  const { shown, chosenId, marked } = inbox;
  useKeys({
    j: () => inbox.move(1),
    k: () => inbox.move(-1),
    x: () => chosenId !== undefined && inbox.mark(chosenId),
    enter: () => chosenId !== undefined && go(`/console/holds/${chosenId}`),
    a: () => press(["approve", "confirm", "select", "submit", "retry"], "focus"),
    r: () => press(["reject", "cancel", "abort"], "focus"),
    e: () => press(["edit"], "click"),
    "/": () => search.current?.focus(),
  });
  // The row answers the key at once; the hold beside it follows as soon as there is time.
  const lookedId = useDeferredValue(chosenId);
  const known = shown.find(({ id }) => id === lookedId);
  const ignoreStray = useStrayPresses(lookedId, inbox.chosen);
  return (
    <div className="app-inbox">
      <section className="app-list" aria-label={WORDS.list}>
        <Heading title={WORDS.title}>
          <Counted filters={filters} shown={shown.length} count={inbox.count.data} />
          <KeysHint />
        </Heading>
        <Search input={search} />
        <FilterBar filters={filters} />
        <Notes inbox={inbox} filters={filters} hasNews={hasNews} />
        {inbox.groups.by !== undefined ? (
          <Groups
            {...inbox.groups}
            by={inbox.groups.by}
            holds={shown}
            currentId={chosenId}
            marked={marked}
            onMark={inbox.mark}
            onLook={inbox.look}
          />
        ) : (
          <Rows inbox={inbox} filters={filters} />
        )}
        <Bulk holds={inbox.markedHolds} onDone={inbox.clearMarks} />
      </section>
      <section className="app-look" aria-label={WORDS.selected} onClickCapture={ignoreStray}>
        <Recorded />
        {lookedId === undefined || !isWide() ? null : (
          <Look
            key={lookedId}
            id={lookedId}
            known={known}
            isLookedAt={inbox.at !== -1}
            onGiven={inbox.onGiven}
          />
        )}
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

interface CountedProps {
  readonly filters: Filters;
  readonly shown: number;
  readonly count: CountOut | undefined;
}

function Counted({ filters, shown, count }: CountedProps): ReactNode {
  if (filters.q !== "")
    return <span className="app-counted">{WORDS.found(shown >= PAGE_ROWS ? `${shown}+` : `${shown}`)}</span>;
  return count === undefined ? null : <span className="app-counted">{WORDS.counted(countWords(count))}</span>;
}

interface PartProps {
  readonly inbox: InboxState;
  readonly filters: Filters;
}

function Notes({ inbox, filters, hasNews }: PartProps & { readonly hasNews: boolean }): ReactNode {
  const { snoozed, isSnoozedShown, setSnoozedShown, list, from, setFrom } = inbox;
  const reset = useReset();
  const toTop = () => {
    setFrom("");
    setParams({ at: undefined });
    reset();
    scrollTo({ top: 0 });
  };
  return (
    <div className="app-notes" role="status">
      {filters.q === "" ? null : <p>{WORDS.searching}</p>}
      {list.isError && list.data !== undefined ? <p className="hp-problem">{wordsOf(list.error)}</p> : null}
      {from === "" ? null : (
        <button type="button" className="hp-quiet" onClick={toTop}>
          {WORDS.fromHere}
        </button>
      )}
      {hasNews && from === "" && (list.data?.pages.length ?? 0) > FRESH_PAGES ? (
        <button type="button" className="app-button" onClick={toTop}>
          {WORDS.news}
        </button>
      ) : null}
      {snoozed === 0 ? null : (
        <p>
          {WORDS.snoozed(snoozed)}{" "}
          <button type="button" className="hp-quiet" onClick={() => setSnoozedShown(!isSnoozedShown)}>
            {isSnoozedShown ? WORDS.hideSnoozed : WORDS.showSnoozed}
          </button>
        </p>
      )}
    </div>
  );
}

function Rows({ inbox, filters }: PartProps): ReactNode {
  const { list, shown, handle, count, chosenId, marked } = inbox;
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const onMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  const cursors = list.data?.pageParams;
  /** The page that is read is in the address, so that a reload continues there. */
  const onFirst = useCallback(
    (index: number) => {
      const page = Math.floor(index / PAGE_ROWS);
      history.replaceState(
        history.state,
        "",
        placedAt(page < 2 ? undefined : (cursors?.[page] as string | undefined)),
      );
    },
    [cursors],
  );
  const isEmpty = shown.length === 0;
  const isMore = isEmpty && hasNextPage;
  // A rare filter may find nothing in the part of the list that the server read; it goes on.
  useEffect(() => {
    if (isMore) onMore();
  }, [isMore, onMore]);
  const { data, error, refetch } = list;
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <Await
      loaded={{
        value: data,
        trouble: data === undefined ? trouble : undefined,
        reload: () => void refetch(),
      }}
    >
      {() =>
        isEmpty && !isMore ? (
          <Nothing isFiltered={isFiltered(filters)} />
        ) : (
          <RowList
            holds={shown}
            currentId={chosenId}
            marked={marked}
            total={count.data?.is_exact === true ? count.data.count : undefined}
            hasMore={hasNextPage}
            onMore={onMore}
            onFirst={onFirst}
            onMark={inbox.mark}
            onLook={inbox.look}
            handle={handle}
          />
        )
      }
    </Await>
  );
}

/** The address with the place in the list that is read. */
function placedAt(cursor: string | undefined): string {
  const url = new URL(location.href);
  if (cursor === undefined) url.searchParams.delete("at");
  else url.searchParams.set("at", cursor);
  return url.href;
}

/** What was answered leaves the list; this stays. */
function Recorded(): ReactNode {
  const { last } = useAnswers();
  if (last === undefined) return <div role="status" />;
  const action = last.outcome?.kind === "decided" ? last.outcome.action : last.status;
  return (
    <div role="status">
      <p className="app-recorded">
        <Icon name="check" /> {WORDS.recorded} <strong>{action}</strong> ·{" "}
        <To href={`/console/holds/${last.id}`}>
          <Prompt of={last.prompt} />
        </To>
      </p>
    </div>
  );
}

interface LookProps {
  readonly id: string;
  readonly known: Hold | undefined;
  readonly isLookedAt: boolean;
  readonly onGiven: (hold: Hold) => void;
}

function Look({ id, known, isLookedAt, onGiven }: LookProps): ReactNode {
  const { data, error, refetch } = useHold(id, known);
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <Await loaded={{ value: data, trouble, reload: () => void refetch() }}>
      {(hold) => (
        <>
          <p className="app-open">
            <Similar hold={hold} />
            <To href={`/console/holds/${hold.id}`}>
              {WORDS.open} <Icon name="arrow" />
            </To>
          </p>
          <Answering hold={hold} isLookedAt={isLookedAt} onGiven={onGiven} />
          <Desk hold={hold} />
        </>
      )}
    </Await>
  );
}

/** What the same agent asks about the same tool. */
function Similar({ hold }: { readonly hold: Hold }): ReactNode {
  const { tool } = factsOf(hold);
  if (tool === undefined) return null;
  return <To href={addressOf("/console", { agent: hold.createdBy, tool })}>{WORDS.similar}</To>;
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <Empty title={WORDS.noMatch}>
      <p>{WORDS.noMatchMore}</p>
      <p>
        <button type="button" className="app-button" onClick={clearFilters}>
          {WORDS.clear}
        </button>
      </p>
    </Empty>
  ) : (
    <Empty title={WORDS.nothing}>
      <p>{WORDS.nothingMore}</p>
    </Empty>
  );
}
