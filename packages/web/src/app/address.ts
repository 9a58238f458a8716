/** What is filtered, selected and open is in the address, so that it survives a reload and can be sent to a colleague. */

import { useCallback, useSyncExternalStore } from "react";

function onNavigate(heard: () => void): () => void {
  addEventListener("popstate", heard);
  return () => removeEventListener("popstate", heard);
}

type Changes = Readonly<Record<string, string | undefined>>;

/** The address of this page with other parameters; an empty one is taken out. */
export function addressWith(changes: Changes): string {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** Writes parameters into the address without a new entry in the history. */
export function setParams(changes: Changes): void {
  const next = addressWith(changes);
  if (next === location.pathname + location.search) return;
  history.replaceState(history.state, "", next);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function useParam(name: string): readonly [string, (value: string | undefined) => void] {
  const value = useSyncExternalStore(onNavigate, () => new URLSearchParams(location.search).get(name) ?? "");
  const set = useCallback((next: string | undefined) => setParams({ [name]: next }), [name]);
  return [value, set];
}

/** Several at once; the object changes only when one of them does. */
export function useParams<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const text = useSyncExternalStore(onNavigate, () => {
    const found = new URLSearchParams(location.search);
    return JSON.stringify(names.map((name) => found.get(name) ?? ""));
  });
  const values = JSON.parse(text) as string[];
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""])) as Record<Name, string>;
}

/** The address of a page with these parameters. */
export function addressOf(path: string, params: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== "") search.set(name, value);
  return search.size === 0 ? path : `${path}?${search}`;
}
