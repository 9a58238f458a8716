/** What the pages have loaded, by key, and what of it an event makes out of date. */

import type { CountOut, PersonListOut, RulesOut } from "@holdpoint/protocol";
import type { Hold, HoldPage, HoldQuery } from "@holdpoint/protocol/client";
import {
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { wordsOf } from "./api.ts";
import { type Loaded, useApi } from "./hooks.ts";
import type { Happened } from "./live.ts";
import { personName } from "./person-names.ts";

export const PAGE = 100;
/** More pages than this are not read again with every event. */
export const FRESH_PAGES = 2;

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: 15_000,
        gcTime: 60_000,
        networkMode: "always",
      },
    },
  });
}

export type Listed = InfiniteData<HoldPage, string>;
const HOLDS = ["holds"] as const;
const COUNTS = ["counts"] as const;
const RULES = ["rules"] as const;

/** Only filters that say something. */
export function queryOf(filters: Readonly<Record<string, string>>): HoldQuery {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== "")) as HoldQuery;
}

/** Open holds, sorted and filtered by the server, page by page. `from`: the cursor of the first page. */
export function useHoldList(query: HoldQuery, from = "") {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: [...HOLDS, query, from],
    initialPageParam: from,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      client.list({ ...query, limit: PAGE, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Starts with what a list has of it, and reads it again. */
export function useHold(id: string | undefined, known?: Hold) {
  const { client } = useApi();
  return useQuery({
    queryKey: ["hold", id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => client.get(id ?? "", { signal }),
    ...(known === undefined ? {} : { placeholderData: known }),
  });
}

/** Open holds by their ids: what a list has of them, and the others from the server. */
export function useHolds(ids: readonly string[], known: readonly Hold[], isReady: boolean): readonly Hold[] {
  const { client } = useApi();
  const listed = new Map(known.map((hold) => [hold.id, hold]));
  const missing = isReady ? ids.filter((id) => !listed.has(id)) : [];
  const read = useQueries({
    queries: missing.map((id) => ({
      queryKey: ["hold", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.get(id, { signal }),
    })),
  });
  for (const { data } of read) if (data?.status === "open") listed.set(data.id, data);
  return ids.flatMap((id) => listed.get(id) ?? []);
}

export function useCount(params: string, isWanted = true) {
  const api = useApi();
  return useQuery({
    queryKey: [...COUNTS, params],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get<CountOut>(`/v1/hold-counts?${params}`, signal),
  });
}

/** Anything else that is read from an address; `onEvents`: read again when something happened. */
export function useRead<Out>(path: string, onEvents: "events" | "never" = "never") {
  const api = useApi();
  return useQuery({
    queryKey: [onEvents === "events" ? "live" : "read", path],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get<Out>(path, signal),
  });
}

/** The rules that count, read again when somebody publishes others. */
export function useRules(): Loaded<RulesOut> {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: RULES,
    queryFn: ({ signal }) => api.get<RulesOut>("/v1/rules", signal),
    staleTime: 0,
  });
  const trouble = error === null ? undefined : wordsOf(error);
  return { value: data, trouble, reload: () => void refetch() };
}

/** Intents change without an event that the console hears of. */
const AROUND_MS = 10_000;
const SLOW_MS = 60_000;

/** What stands around a hold elsewhere: read with the hold's events, and now and then while somebody looks. */
export function useAround<Value>(
  holdId: string,
  name: string,
  read: () => Promise<Value>,
  isLarge: (value: Value) => boolean = () => false,
): Loaded<Value> {
  const { data, error, refetch } = useQuery({
    queryKey: ["hold", holdId, name],
    queryFn: read,
    refetchInterval: ({ state }) => (state.data !== undefined && isLarge(state.data) ? SLOW_MS : AROUND_MS),
  });
  const trouble = error === null ? undefined : wordsOf(error);
  return { value: data, trouble, reload: () => void refetch() };
}

/** The names of people by their ids, or as the log names an actor (`key:ada`); a person who is not known keeps their id. */
export function useNames(): (id: string) => string {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["read", "/v1/people"],
    queryFn: ({ signal }) => api.get<PersonListOut>("/v1/people", signal),
    staleTime: 60_000,
  });
  return (actor) => {
    const id = actor.replace(/^(?:key|session|person|channel):/, "");
    return personName(data?.people.find((person) => person.id === id)?.name ?? id);
  };
}

/** How many there are, as people read it. */
export function countWords({ count, is_exact: isExact }: Pick<CountOut, "count" | "is_exact">): string {
  return `${count.toLocaleString("en")}${isExact ? "" : "+"}`;
}

/** Takes holds out of every list without asking the server. */
export function forget(queries: QueryClient, ids: ReadonlySet<string>): void {
  if (ids.size === 0) return;
  queries.setQueriesData<Listed>({ queryKey: HOLDS }, (listed) => {
    if (listed === undefined || !listed.pages.some(({ holds }) => holds.some(({ id }) => ids.has(id))))
      return listed;
    const pages = listed.pages.map((page) => ({
      ...page,
      holds: page.holds.filter(({ id }) => !ids.has(id)),
    }));
    return { ...listed, pages };
  });
}

/** Puts a changed hold where lists have it. */
export function remember(queries: QueryClient, hold: Hold): void {
  queries.setQueryData(["hold", hold.id], hold);
  if (hold.status !== "open") forget(queries, new Set([hold.id]));
  else
    queries.setQueriesData<Listed>({ queryKey: HOLDS }, (listed) => {
      if (listed === undefined) return listed;
      const replace = (one: Hold) => (one.id === hold.id ? hold : one);
      return { ...listed, pages: listed.pages.map((page) => ({ ...page, holds: page.holds.map(replace) })) };
    });
}

/**
 * Makes out of date what the events are about, by key. Lists of one or two pages are read again; a longer one, somewhere
 * in which somebody reads, only loses what has ended, and says that there is news. Returns whether it does.
 */
export function invalidate(queries: QueryClient, { events, holdIds, ended, isGap }: Happened): boolean {
  forget(queries, ended);
  let hasNews = false;
  for (const query of queries.getQueryCache().findAll({ queryKey: HOLDS })) {
    const pages = (query.state.data as Listed | undefined)?.pages.length ?? 0;
    if (pages <= FRESH_PAGES || isGap)
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    else if (query.getObserversCount() > 0) hasNews = true;
  }
  for (const id of holdIds) void queries.invalidateQueries({ queryKey: ["hold", id] });
  if (isGap) void queries.invalidateQueries({ queryKey: ["hold"] });
  if (isGap || events.some(({ type }) => type === "rules.published"))
    void queries.invalidateQueries({ queryKey: RULES });
  void queries.invalidateQueries({ queryKey: COUNTS });
  void queries.invalidateQueries({ queryKey: ["live"] });
  return hasNews;
}

/** Reads the lists from their beginning. */
export function useReset(): () => void {
  const queries = useQueryClient();
  return () => void queries.resetQueries({ queryKey: HOLDS });
}
