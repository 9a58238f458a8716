/** The few things components need from the page they are on. */

import {
  type RefObject,
  useCallback,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";

const never = () => () => undefined;

/** False while the server draws and the page is taken over; then true. What differs between the two hangs on it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** What was given at the last render, for work that goes on longer than one. */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  // Before any effect of the components below, which may already read it.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}

export type Change<State> = (next: (before: State) => State) => void;

/**
 * State that belongs to an owner. With another owner it begins again in the same render, so that nothing of the first is shown, and
 * a change that arrives late for the first is dropped.
 */
export function useStateOf<State>(owner: unknown, first: State): readonly [State, Change<State>] {
  const [kept, setKept] = useState({ owner, state: first });
  const current = kept.owner === owner ? kept : { owner, state: first };
  if (current !== kept) setKept(current);
  const change = useCallback<Change<State>>(
    (next) => setKept((before) => (before.owner === owner ? { owner, state: next(before.state) } : before)),
    [owner],
  );
  return [current.state, change];
}

/**
 * The server's time, ticking. A phone's clock may be wrong, so only what has passed since is added to what the server said.
 * The page's own counter stands still while the machine sleeps, the clock does not; whichever says that more has passed counts.
 */
export function useNow(serverNow: number, everyMs: number | null): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const [began, beganAt] = [performance.now(), Date.now()];
    const tick = () => setNow(serverNow + Math.max(performance.now() - began, Date.now() - beganAt));
    const timer = setInterval(tick, everyMs);
    // A tab that slept catches up when it is looked at.
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [serverNow, everyMs]);
  return now;
}
