/** Where we are, what is loaded, and which keys are pressed. */

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { type Api, wordsOf } from "./api.ts";
import { areKeysOn } from "./prefs.ts";

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error("no API around this component");
  return api;
}

function onNavigate(heard: () => void): () => void {
  addEventListener("popstate", heard);
  return () => removeEventListener("popstate", heard);
}

export function usePath(): string {
  return useSyncExternalStore(onNavigate, () => location.pathname + location.search);
}

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo({ top: 0 });
}

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly trouble: string | undefined;
  readonly reload: () => void;
}

/** Loads, keeps what it has while it loads again, and tries again by itself when the connection is back. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  ...on: readonly (string | number | undefined)[]
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; trouble?: string }>({});
  const latest = useRef(0);
  const current = useRef(load);
  current.current = load;
  const reload = useCallback(() => {
    const mine = ++latest.current;
    current.current().then(
      (value) => mine === latest.current && setState({ value }),
      (fault: unknown) =>
        mine === latest.current && setState((before) => ({ ...before, trouble: wordsOf(fault) })),
    );
  }, []);
  const wanted = on.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded hangs on what the caller names.
  useEffect(() => {
    reload();
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [reload, wanted]);
  return { value: state.value, trouble: state.trouble, reload };
}

export interface Acting {
  readonly trouble: string | undefined;
  readonly isBusy: boolean;
  /** What the work resolves to is shown as its trouble. */
  run(work: Promise<string | undefined>): void;
}

/** Runs what was pressed, says why it did not work, and reads again afterwards. */
export function useActing(onDone: () => void = () => {}): Acting {
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  return {
    ...{ trouble, isBusy },
    run(work) {
      setBusy(true);
      work
        .then(setTrouble, (fault: unknown) => setTrouble(wordsOf(fault)))
        .finally(() => {
          setBusy(false);
          onDone();
        });
    },
  };
}

/** Single keys, as long as nobody is typing. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return;
      const at = event.target;
      if (
        at instanceof HTMLElement &&
        (at.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(at.tagName))
      ) {
        const isBox = at instanceof HTMLInputElement && at.type === "checkbox";
        if (!isBox) return;
      }
      if (document.querySelector("dialog[open]") !== null) return;
      // Enter presses what is in focus.
      if (event.key === "Enter" && at instanceof HTMLElement && at.closest("a, button, summary") !== null)
        return;
      const act = current.current[event.key.toLowerCase()];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
