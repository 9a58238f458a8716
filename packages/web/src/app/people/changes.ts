/** Lists about people load again when one of their forms has changed something. */

import { useSyncExternalStore } from "react";

const PEOPLE_CHANGED = "holdpoint.people-changed";
let count = 0;

export function peopleChanged(): void {
  count += 1;
  dispatchEvent(new Event(PEOPLE_CHANGED));
}

function subscribe(heard: () => void): () => void {
  addEventListener(PEOPLE_CHANGED, heard);
  return () => removeEventListener(PEOPLE_CHANGED, heard);
}

export function usePeopleChanged(): number {
  return useSyncExternalStore(subscribe, () => count);
}
