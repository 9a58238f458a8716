/** A form that the server does not keep on the way is kept by the tab: phones throw away tabs that nobody looks at. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { useEffect, useState } from "react";

interface Kept {
  readonly values: JsonObject;
  readonly step: number;
}

/** What the tab had before it was loaded again, and the way to keep more; what is sensitive never comes here. */
export function useKept(
  holdId: string,
  isWanted: boolean,
): readonly [Kept | undefined, (values: JsonObject, step: number) => void] {
  const [kept, setKept] = useState<Kept>();
  const place = `holdpoint.kept.${holdId}`;
  useEffect(() => {
    if (isWanted) setKept(read(place));
    else withStorage((storage) => storage.removeItem(place));
  }, [place, isWanted]);
  function keep(values: JsonObject, step: number): void {
    if (isWanted) withStorage((storage) => storage.setItem(place, JSON.stringify({ values, step })));
  }
  return [kept, keep];
}

function read(place: string): Kept | undefined {
  const text = withStorage((storage) => storage.getItem(place));
  return text == null ? undefined : (JSON.parse(text) as Kept);
}

/** Where storage is blocked or full, the page does without. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
